#ifndef STORE_JOURNAL_OUTBOX_H
#define STORE_JOURNAL_OUTBOX_H
/* The outbox of deliveries. Functions with a task behave as in struct journal_ops. */
#include <stddef.h>
#include <stdint.h>

struct db;
struct error;
struct job;
struct journal_queue;
struct outbound;
struct store;
struct task;

/* Copies of deliveries, part of a write job. */
struct outbox_rows {
	struct outbound **rows;
	size_t count;
};

void outbox_copy(struct outbox_rows *to, struct outbound *const *rows, size_t count, int64_t now_ms);
void outbox_clear(struct outbox_rows *r);
/* Inside a write job. A delivery whose key is already stored gets the stored id and state. */
int outbox_insert(struct db *db, const struct outbox_rows *r, struct error *err);
/* After the job: brings the committed ids, states and texts, which hold no secrets, back to the originals. */
void outbox_return(const struct outbox_rows *from, struct outbound *const *to);
/* Runs a write job with copies of the rows, which are a part of it; copies ids and states back, and frees the
 * job. */
int outbox_run(struct task *t, struct store *s, struct job *job, struct outbox_rows *copies,
    struct outbound *const *rows, size_t count, struct error *err);

int outbox_put(struct task *t, void *self, struct outbound *const *rows, size_t count, struct error *err);
int outbox_list(struct task *t, void *self, const struct journal_queue *queue, int64_t after_id,
    struct outbound **out, size_t max, struct error *err);
int outbox_queues(struct task *t, void *self, struct journal_queue **out, struct error *err);
int outbox_mark(struct task *t, void *self, const struct outbound *row, struct error *err);
struct outbound *outbox_get(struct task *t, void *self, int64_t id, struct error *err);
struct outbound *outbox_get_part_before(
    struct task *t, void *self, const struct outbound *part, struct error *err);

#endif
