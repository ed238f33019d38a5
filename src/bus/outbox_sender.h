#ifndef BUS_OUTBOX_SENDER_H
#define BUS_OUTBOX_SENDER_H
/*
 * An outbox_sender sends the deliveries of one chat, in order, each only after the one before has an end. It
 * lives while the journal has deliveries for it. Private to the bus.
 */
#include "bus/journal.h"

struct bus;
struct error;
struct outbox_sender;
struct outbound;

/* Starts the outbox_sender of a chat, or tells it that the journal has more deliveries. */
void outbox_sender_wake(struct bus *b, const struct journal_queue *key);
/* A channel changed its status: senders that wait for it look again. */
void outbox_sender_wake_channel(struct bus *b, const char *channel);
/* Stopping: ends the senders that only wait. Those in mid-send go on to the end of their delivery. */
void outbox_sender_stop_idle(struct bus *b);

#endif
