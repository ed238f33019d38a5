#ifndef BASE_METER_H
#define BASE_METER_H
/*
 * Figures of this process since its start, for /metrics: how long something took, and how often it came out
 * in which way. Each belongs to the file that measures it; any thread may write and read. A few nanoseconds
 * each.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct buf;

#define METER_BUCKETS  16
#define METER_OUTCOMES 8

/* Times, as a histogram of seconds. */
struct meter {
	const char *name, *help;
	atomic_ullong counts[METER_BUCKETS + 1]; /* of each bucket alone; the last: longer than all */
	atomic_ullong sum_us;
};

/* How often each outcome came. */
struct tally {
	const char *name, *help, *label;
	const char *outcomes[METER_OUTCOMES]; /* ends with NULL, or full */
	atomic_ullong counts[METER_OUTCOMES];
};

/* Less than 0, which a clock that was set gives, counts as 0. */
void meter_add(struct meter *m, int64_t us);
void tally_add(struct tally *tally, size_t outcome, uint64_t count);

/* In Prometheus' text format, with HELP and TYPE. */
void meter_write(struct buf *out, struct meter *m);
void tally_write(struct buf *out, struct tally *tally);
/* Appends a label's value, escaped for the quotes it stands in. */
void meter_escape(struct buf *out, const char *value);

#endif
