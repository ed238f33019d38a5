#ifndef CHANNELS_SLACK_EVENT_INTERNAL_H
#define CHANNELS_SLACK_EVENT_INTERNAL_H
/* The parts of event.c: what is said, and what people do to the app. */
#include "channels/slack/event.h"

struct buf;
struct json_object;

enum slack_event slack_event_command(
    struct message *out, struct json_object *payload, const struct slack_event_context *context);
enum slack_event slack_event_reaction(
    struct message *out, struct json_object *event, const struct slack_event_context *context);
enum slack_event slack_event_action(
    struct message *out, struct json_object *payload, const struct slack_event_context *context);

/* Fills from and chat_kind. type: channel_type, or NULL when it is not known. False when it cannot be
 * understood. */
bool slack_event_set_chat(struct message *out, const char *channel, const char *type, const char *thread,
    const struct slack_event_context *context);
void slack_event_set_sender(
    struct message *out, const char *id, const char *name, const struct slack_event_context *context);
void slack_event_set_text(struct message *out, struct buf *text);
/* An id of a person, an app or a conversation. */
bool slack_event_is_id(const char *s);
/* Takes an id that was made of cut pieces, which end anywhere: the event's id, valid UTF-8. */
void slack_event_set_id(struct message *out, char *made);

#endif
