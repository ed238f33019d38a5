#ifndef CHANNELS_DISCORD_INTERACTION_H
#define CHANNELS_DISCORD_INTERACTION_H
/*
 * Responds to slash commands and buttons, which Discord expects within 3 seconds. The message is committed
 * first, unless that takes too long (during a backfill, say): the response is no acknowledgement, and Discord
 * sends the event again. A command is then deferred ("thinking") and its first answer replaces that; a button
 * is acknowledged. An answer that is too late for the token, or comes after a restart, is sent as an ordinary
 * message.
 */
#include <stdbool.h>

struct channel;
struct discord;
struct error;
struct json_object;
struct message;
struct outbound;
struct task;

/* Starts a task for an INTERACTION_CREATE, which responds when the message is committed or has waited too
 * long. */
void discord_interaction_arrived(struct discord *d, struct json_object *interaction);
/* The message of the interaction is committed. */
void discord_interaction_begin(struct discord *d, struct json_object *interaction);
/* Is the delivery the answer to an interaction that can still be answered as such? */
bool discord_interaction_takes(struct discord *d, const struct outbound *delivery);
/* Answers it. *id is the message's, malloc'd. */
int discord_interaction_send(
    struct task *t, struct discord *d, const struct outbound *delivery, char **id, struct error *why);
/* Did the response fail because it came too late? Discord has shown nothing of it then. */
bool discord_interaction_is_expired(const struct error *why);
/* Frees the open interactions. No task of the account may still run. */
void discord_interaction_clear(struct discord *d);
/* channel_ops.answer_press: sends a message that only the person who pressed sees. */
void discord_interaction_answer_press(struct channel *ch, const struct message *m, const char *text);

#endif
