#include "base/metric.h"

#include "base/buf.h"

static const struct {
	int64_t us;
	const char *le;
} buckets[HISTOGRAM_BUCKETS] = {
    {500, "0.0005"},
    {1000, "0.001"},
    {2500, "0.0025"},
    {5000, "0.005"},
    {10000, "0.01"},
    {25000, "0.025"},
    {50000, "0.05"},
    {100000, "0.1"},
    {250000, "0.25"},
    {500000, "0.5"},
    {1000000, "1"},
    {2500000, "2.5"},
    {5000000, "5"},
    {10000000, "10"},
    {60000000, "60"},
    {300000000, "300"},
};

void histogram_observe(struct histogram *m, int64_t us)
{
	size_t i = 0;

	if (us < 0)
		us = 0;
	while (i < HISTOGRAM_BUCKETS && us > buckets[i].us)
		i++;
	atomic_fetch_add_explicit(&m->counts[i], 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&m->sum_us, (unsigned long long)us, memory_order_relaxed);
}

void counter_add(struct counter *counter, size_t outcome, uint64_t count)
{
	atomic_fetch_add_explicit(&counter->counts[outcome], count, memory_order_relaxed);
}

static unsigned long long load(atomic_ullong *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

void histogram_write(struct buf *out, struct histogram *m)
{
	unsigned long long below = 0;

	buf_addf(out, "# HELP %s %s\n# TYPE %s histogram\n", m->name, m->help, m->name);
	for (size_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		below += load(&m->counts[i]);
		buf_addf(out, "%s_bucket{le=\"%s\"} %llu\n", m->name, buckets[i].le, below);
	}
	below += load(&m->counts[HISTOGRAM_BUCKETS]);
	buf_addf(out, "%s_bucket{le=\"+Inf\"} %llu\n", m->name, below);
	buf_addf(
	    out, "%s_sum %.6f\n%s_count %llu\n", m->name, (double)load(&m->sum_us) / 1e6, m->name, below);
}

void counter_write(struct buf *out, struct counter *counter)
{
	buf_addf(out, "# HELP %s %s\n# TYPE %s counter\n", counter->name, counter->help, counter->name);
	for (size_t i = 0; i < COUNTER_OUTCOMES && counter->outcomes[i]; i++)
		buf_addf(out, "%s{%s=\"%s\"} %llu\n", counter->name, counter->label, counter->outcomes[i],
		    load(&counter->counts[i]));
}

void metric_escape_label(struct buf *out, const char *value)
{
	for (; *value; value++) {
		if (*value == '\n')
			buf_addstr(out, "\\n");
		else if (*value == '"' || *value == '\\')
			buf_addf(out, "\\%c", *value);
		else
			buf_addch(out, *value);
	}
}
