#ifndef PLAYGROUND_SLACK_SOCKET_EVENT_H
#define PLAYGROUND_SLACK_SOCKET_EVENT_H
/* The events of the Events API that happenings in a conversation make for the apps in it. */
#include <stdint.h>

struct json_object;
struct slk_app;
struct slk_conv;
struct slk_message;
struct slk_user;

/* A message came: message.* for every app in the conversation, and app_mention for the one that it
 * mentions. */
void slk_event_message(struct slk_conv *c, const struct slk_message *m);
/* message_changed; before is the message as it was, taken. */
void slk_event_changed(struct slk_conv *c, const struct slk_message *m, struct json_object *before);
/* message_deleted. */
void slk_event_deleted(struct slk_conv *c, const struct slk_message *m);
/* reaction_added and reaction_removed. */
void slk_event_reaction(
    struct slk_conv *c, const struct slk_message *m, const char *user, const char *name, int added);
/* member_joined_channel, member_left_channel. */
void slk_event_member(struct slk_conv *c, const char *user, int joined);
/* Something happened to the conversation: an event with its id alone, channel_archive for example. */
void slk_event_channel(struct slk_conv *c, const char *type);
/* What the platform itself writes into it: channel_join, channel_leave or channel_name, or the group_
 * twins. */
void slk_event_notice(struct slk_conv *c, struct slk_user *u, const char *kind, const char *text);
/* Any other one, to every app in the conversation; event gets its event_ts, and is taken. */
void slk_event_send(struct slk_conv *c, struct json_object *event);
/* To one app. */
void slk_event_send_to(struct slk_app *a, struct json_object *event);

#endif
