#ifndef CHANNELS_TELEGRAM_RECEIVE_H
#define CHANNELS_TELEGRAM_RECEIVE_H
/* From a batch of updates to the journal. */
#include <stdint.h>

struct error;
struct json_object;
struct task;
struct telegram;

/* Commits the messages in an array of updates together with the offset after them, then moves tg->offset. -1:
 * nothing is stored, the offset stands where it was. An update that says nothing to us is confirmed all the
 * same. */
int telegram_receive_batch(
    struct task *t, struct telegram *tg, struct json_object *updates, struct error *err);
/* Commits the offset after an update that cannot be read at all. */
int telegram_receive_skip(struct task *t, struct telegram *tg, int64_t update_id, struct error *err);

#endif
