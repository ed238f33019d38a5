#ifndef CHANNELS_SLACK_TYPING_H
#define CHANNELS_SLACK_TYPING_H
/* What is seen before an answer: channel_ops' typing, preview and react. All best effort. */
struct address;
struct channel;
struct error;
struct preview;
struct task;

/* assistant.threads.setStatus, in threads. */
int slack_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);
/* A stream in threads, where Slack lets us; a message that is edited elsewhere. */
int slack_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);
int slack_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err);

#endif
