#ifndef PLAYGROUND_SLACK_SOCKET_EVENT_H
#define PLAYGROUND_SLACK_SOCKET_EVENT_H
/* Sends Events API events to the apps in a conversation. */
#include <stdbool.h>
#include <stdint.h>

struct json_object;
struct slk_app;
struct slk_conv;
struct slk_message;
struct slk_user;
struct slk_view;
struct slk_world;

/* A new message: message.* for every app in the conversation, app_mention for the mentioned one. */
void slk_event_message(struct slk_conv *c, const struct slk_message *m);
/* message_changed. Takes before, the message before the change. */
void slk_event_changed(struct slk_conv *c, const struct slk_message *m, struct json_object *before);
/* message_deleted. */
void slk_event_deleted(struct slk_conv *c, const struct slk_message *m);
/* reaction_added and reaction_removed. */
void slk_event_reaction(
    struct slk_conv *c, const struct slk_message *m, const char *user, const char *name, int added);
/* member_joined_channel, member_left_channel. inviter may be NULL. */
void slk_event_member(struct slk_conv *c, const char *user, int joined, const char *inviter);
/* An event with the conversation's id and the user who did it, such as channel_archive; name is without
 * channel_, or group_ for private channels. */
void slk_event_channel(struct slk_conv *c, const char *name, const char *user);
/* channel_created, for every app. */
void slk_event_created(struct slk_conv *c);
/* channel_rename, or group_rename. */
void slk_event_renamed(struct slk_conv *c);
/* app_home_opened; view: the App Home; NULL: none. */
void slk_event_opened(struct slk_conv *c, const char *tab, const struct slk_view *view);
/* pin_added and pin_removed. item: as in pins.list, taken. */
void slk_event_pin(
    struct slk_conv *c, const char *user, const struct slk_message *m, struct json_object *item, int added);
/* Does the app unfurl such links? */
bool slk_link_is_ours(const struct slk_world *w, const char *url);
/* link_shared, if the message has links of the app's domains. */
void slk_event_links(struct slk_conv *c, const struct slk_message *m);
/* A message of the platform: kind is join, leave, name, topic and so on; value: the new topic and the like,
 * or NULL. u and a: who did it, one of them. */
void slk_event_notice(struct slk_conv *c, struct slk_user *u, struct slk_app *a, const char *kind,
    const char *value, const char *text);
/* Writes the table's name of an event: "event.message.message_changed". */
void slk_event_name(struct json_object *event, char *out, size_t size);
/* Sends any event to every app in the conversation. Sets event_ts; takes event. */
void slk_event_send(struct slk_conv *c, struct json_object *event);
/* Sends it to one app, if it has the scope for it. */
void slk_event_send_to(struct slk_app *a, struct json_object *event);
/* Sends it to all apps. Sets event_ts; takes event. */
void slk_event_send_all(struct slk_world *w, struct json_object *event);

#endif
