#ifndef BUS_OUTBOX_SENDER_H
#define BUS_OUTBOX_SENDER_H
/*
 * An outbox sender sends the deliveries of one chat, in order, each after the one before has ended. It
 * exists while the journal has deliveries for that chat.
 */
#include <stdbool.h>

#include "bus/journal.h"

struct bus;
struct error;
struct outbox_sender;
struct outbound;

/* The chat of an address, and its address, without a thread. */
struct journal_queue outbox_sender_key(const struct address *to);
struct address outbox_sender_address(const struct journal_queue *key);
int outbox_sender_compare_keys(const struct journal_queue *a, const struct journal_queue *b);
/* Starts the sender of a chat, or notifies it that the journal has more deliveries. */
void outbox_sender_wake(struct bus *b, const struct journal_queue *key);
/* Returns whether nothing is being sent to the chat, as far as is known. */
bool outbox_sender_is_free(const struct bus *b, const struct journal_queue *key);
/* Is it reserved for a delivery, or sending that one? */
bool outbox_sender_has_reservation(const struct bus *b, const struct journal_queue *key);
/* Starts the sender of a chat that has none, for a delivery that is about to be committed as sending. */
void outbox_sender_reserve(struct bus *b, const struct journal_queue *key, const struct outbound *delivery);
/* Ends the reservation. Returns whether the sender sends the delivery: it is committed, and was reserved for.
 */
bool outbox_sender_settle(
    struct bus *b, const struct journal_queue *key, const struct outbound *delivery, bool committed);
/* A channel changed its status: wakes the senders that wait for it. */
void outbox_sender_wake_channel(struct bus *b, const char *channel);
/* Stopping: ends the senders that only wait. The others finish their current delivery. */
void outbox_sender_stop_idle(struct bus *b);
/* Returns the number of senders whose chats the unit of this name serves. */
size_t outbox_sender_count(struct bus *b, const char *channel);

#endif
