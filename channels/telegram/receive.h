#ifndef CHANNELS_TELEGRAM_RECEIVE_H
#define CHANNELS_TELEGRAM_RECEIVE_H
/* Commits batches of updates to the journal. */
#include <stdint.h>

struct error;
struct json_object;
struct task;
struct telegram;

/*
 * Commits the messages of an array of updates together with the following offset, then moves tg->offset.
 * Updates without a message are confirmed as well. Suspends. On -1 nothing is stored and the offset is
 * unchanged.
 */
int telegram_receive_batch(
    struct task *t, struct telegram *tg, struct json_object *updates, struct error *err);
/* Commits the offset after an update that cannot be parsed. Suspends. */
int telegram_receive_skip(struct task *t, struct telegram *tg, int64_t update_id, struct error *err);

#endif
