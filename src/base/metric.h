#ifndef BASE_METRIC_H
#define BASE_METRIC_H
/*
 * Figures of this process since its start, for /metrics: how long something took, and how often it came out
 * in which way. Each belongs to the file that measures it; any thread may write and read. A few nanoseconds
 * each.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define HISTOGRAM_BUCKETS 16
#define COUNTER_OUTCOMES  8

/* Times, as a histogram of seconds. */
struct histogram {
	const char *name, *help;
	atomic_ullong counts[HISTOGRAM_BUCKETS + 1]; /* of each bucket alone; the last: longer than all */
	atomic_ullong sum_us;
};

/* How often each outcome came. */
struct counter {
	const char *name, *help, *label;
	const char *outcomes[COUNTER_OUTCOMES]; /* ends with NULL, or full */
	atomic_ullong counts[COUNTER_OUTCOMES];
};

/* Less than 0, which a clock that was set gives, counts as 0. */
void histogram_observe(struct histogram *m, int64_t us);
void counter_add(struct counter *counter, size_t outcome, uint64_t count);

/* In Prometheus' text format, with HELP and TYPE. */
void histogram_write(struct buf *out, struct histogram *m);
void counter_write(struct buf *out, struct counter *counter);
/* Appends a label's value, escaped for the quotes it stands in. */
void metric_escape_label(struct buf *out, const char *value);

#endif
