#ifndef PLAYGROUND_SLACK_SOCKET_EVENT_H
#define PLAYGROUND_SLACK_SOCKET_EVENT_H
/* Sends Events API events to the apps in a conversation. */
#include <stdint.h>

struct json_object;
struct slk_app;
struct slk_conv;
struct slk_message;
struct slk_user;

/* A new message: message.* for every app in the conversation, app_mention for the mentioned one. */
void slk_event_message(struct slk_conv *c, const struct slk_message *m);
/* message_changed. Takes before, the message before the change. */
void slk_event_changed(struct slk_conv *c, const struct slk_message *m, struct json_object *before);
/* message_deleted. */
void slk_event_deleted(struct slk_conv *c, const struct slk_message *m);
/* reaction_added and reaction_removed. */
void slk_event_reaction(
    struct slk_conv *c, const struct slk_message *m, const char *user, const char *name, int added);
/* member_joined_channel, member_left_channel. */
void slk_event_member(struct slk_conv *c, const char *user, int joined);
/* An event with the conversation's id only, such as channel_archive. */
void slk_event_channel(struct slk_conv *c, const char *type);
/* A message of the platform: channel_join, channel_leave or channel_name, or the group_ variants. */
void slk_event_notice(struct slk_conv *c, struct slk_user *u, const char *kind, const char *text);
/* Sends any event to every app in the conversation. Sets event_ts; takes event. */
void slk_event_send(struct slk_conv *c, struct json_object *event);
/* Sends it to one app. */
void slk_event_send_to(struct slk_app *a, struct json_object *event);

#endif
