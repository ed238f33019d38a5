#ifndef CHANNELS_SLACK_RESPONSE_URL_H
#define CHANNELS_SLACK_RESPONSE_URL_H
/*
 * Slash commands can be given where the app is no member and can say nothing. What is left is the command's
 * response_url (docs.slack.dev, "Handling user interaction": five uses within 30 minutes): it is used once,
 * and never stored.
 */
struct json_object;
struct slack;
struct task;

/* A slash command's payload has come. */
void slack_response_url_note(struct slack *sk, struct json_object *payload);
/* The app may not write there: says so to whoever gave the last command. Best effort. */
void slack_response_url_send(struct task *t, struct slack *sk, const char *chat);

#endif
