#ifndef CHANNELS_DISCORD_INTERACTION_H
#define CHANNELS_DISCORD_INTERACTION_H
/*
 * Slash commands and buttons want a word within three seconds. What they say is committed first, as
 * everything is, unless that takes too long (what a lost session missed is fetched, say): a word is no
 * receipt, and Discord tells of it again. Then a command is deferred ("thinking"), and its first answer takes
 * that place; a button is acknowledged. What comes too late for its token, or after a restart, is an ordinary
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

/* An INTERACTION_CREATE has come: answers it in a task of its own, when it is committed, or has waited for
 * long. */
void discord_interaction_arrived(struct discord *d, struct json_object *interaction);
/* Its message is committed. */
void discord_interaction_begin(struct discord *d, struct json_object *interaction);
/* Is the delivery the answer to an interaction that can still be answered as such? */
bool discord_interaction_takes(struct discord *d, const struct outbound *delivery);
/* Answers it. *id is the message's, malloc'd. */
int discord_interaction_send(
    struct task *t, struct discord *d, const struct outbound *delivery, char **id, struct error *why);
/* It failed because it came too late: nothing of it was shown. */
bool discord_interaction_is_over(const struct error *why);
/* Frees what still waits. No task of the account may run any more. */
void discord_interaction_clear(struct discord *d);
/* channel_ops.answer_press: a message that only the person who pressed sees. */
void discord_interaction_answer_press(struct channel *ch, const struct message *m, const char *text);

#endif
