#ifndef CHANNELS_SLACK_EVENT_INTERNAL_H
#define CHANNELS_SLACK_EVENT_INTERNAL_H
/* Parts of the event parser. */
#include "channels/slack/event.h"

struct buf;
struct json_object;

enum slack_event slack_event_command(
    struct message *out, struct json_object *payload, const struct slack_event_context *context);
enum slack_event slack_event_reaction(
    struct message *out, struct json_object *event, const struct slack_event_context *context);
enum slack_event slack_event_action(
    struct message *out, struct json_object *payload, const struct slack_event_context *context);

/* Fills from and chat_kind. type: channel_type, NULL if unknown. Returns false when malformed. */
bool slack_event_set_chat(struct message *out, const char *channel, const char *type, const char *thread,
    const struct slack_event_context *context);
void slack_event_set_sender(
    struct message *out, const char *id, const char *name, const struct slack_event_context *context);
void slack_event_set_text(struct message *out, struct buf *text);
/* Is this the id of a user, app or conversation? */
bool slack_event_is_id(const char *s);
/* Sets the event id; takes made. Repairs UTF-8 that was cut. */
void slack_event_set_id(struct message *out, char *made);

#endif
