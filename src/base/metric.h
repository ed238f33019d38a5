#ifndef BASE_METRIC_H
#define BASE_METRIC_H
/*
 * Metrics of this process since its start, for /metrics: histograms of durations and counters of
 * outcomes. The file that measures owns the metric; any thread may write and read it, which takes a few
 * nanoseconds.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define HISTOGRAM_BUCKETS 16
#define COUNTER_OUTCOMES  8

/* A histogram of durations in seconds. */
struct histogram {
	const char *name, *help;
	atomic_ullong counts[HISTOGRAM_BUCKETS + 1]; /* of each bucket alone; the last: beyond all buckets */
	atomic_ullong sum_us;
};

/* A counter for each outcome. */
struct counter {
	const char *name, *help, *label;
	const char *outcomes[COUNTER_OUTCOMES]; /* NULL-terminated unless full */
	atomic_ullong counts[COUNTER_OUTCOMES];
};

/* A negative duration, caused by a clock change, counts as 0. */
void histogram_observe(struct histogram *m, int64_t us);
void counter_add(struct counter *counter, size_t outcome, uint64_t count);

/* Append the metric in Prometheus' text format, with HELP and TYPE. */
void histogram_write(struct buf *out, struct histogram *m);
void counter_write(struct buf *out, struct counter *counter);
/* Appends a label value, escaped for its quotes. */
void metric_escape_label(struct buf *out, const char *value);

#endif
