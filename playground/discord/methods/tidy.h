#ifndef PLAYGROUND_DISCORD_METHODS_TIDY_H
#define PLAYGROUND_DISCORD_METHODS_TIDY_H
/* What a message may have or suffer beside its text. */
#include <stddef.h>
#include <stdint.h>

struct cord_call;
struct cord_channel;
struct cord_message;
struct json_object;

/* Gives m the poll of a body, its stickers (NULL: none), or what it forwards. They return -1 after a failure.
 */
int cord_poll_read(struct cord_call *call, struct json_object *body, struct cord_message *m);
int cord_stickers_read(struct cord_call *call, struct json_object *ids, struct cord_message *m);
int cord_forward(struct cord_call *call, struct json_object *reference, struct cord_message *m);
/* Of an entry in the audit log: the channel, and what is not 0 of a count and a message. */
struct json_object *cord_deed_options(const struct cord_channel *c, size_t count, uint64_t message_id);

#endif
