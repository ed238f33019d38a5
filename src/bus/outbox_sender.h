#ifndef BUS_OUTBOX_SENDER_H
#define BUS_OUTBOX_SENDER_H
/*
 * A outbox_sender sends the outbound rows of one chat, in order, each only after the one before
 * has an end. It lives while the journal has rows for it. Private to the bus.
 */
#include "bus/journal.h"

struct bus;
struct error;
struct outbox_sender;
struct outbound;

/* Starts the outbox_sender of a chat, or tells it that the journal has more rows. */
void outbox_sender_wake(struct bus *b, const struct journal_queue *key);
/* A channel changed its status: senders that wait for it look again. */
void outbox_sender_wake_channel(struct bus *b, const char *channel);
/* Stopping: ends the senders that only wait. Those in mid-send go on to the end of their row. */
void outbox_sender_stop_idle(struct bus *b);

#endif
