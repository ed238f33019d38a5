#ifndef SESSION_COMMANDS_BROADCAST_H
#define SESSION_COMMANDS_BROADCAST_H
/* What /broadcast and /send share. */
#include <stdbool.h>

struct outbound;
struct buf;
struct post;
struct task;

/* Sends, waits some seconds for outcomes, and appends a line for each recipient to reply. */
void broadcast_send(struct task *t, struct post *p, struct buf *reply);

/* Returns whether the answer to /send or /broadcast has reported the outcome of the delivery. */
bool broadcast_has_reported(const struct outbound *row);

#endif
