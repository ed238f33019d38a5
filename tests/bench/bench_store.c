/*
 * How fast the store commits, and what it costs while it does nothing:
 *   bench_store DIR [SECONDS]
 * One put_inbound a call, first from one task, then from 100 at once. DIR is on the disk to be measured.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bus/address.h"
#include "bus/message.h"
#include "store/store.h"

#define SAMPLES 2000000

static struct store *store;
static double *samples; /* milliseconds */
static size_t sample_count;
static unsigned next_event;
static double until;

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* A line of /proc/self/status in KiB: VmRSS, or RssAnon, which leaves out the pages of libraries. */
static long status_kib(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[128];
	long kib = 0;

	if (!f)
		return 0;
	while (fgets(line, sizeof(line), f))
		if (strncmp(line, name, strlen(name)) == 0)
			kib = strtol(line + strlen(name) + 1, NULL, 10);
	fclose(f);
	return kib;
}

static void print_memory(const char *when)
{
	printf(
	    "%s: resident %ld KiB, of which our own %ld\n", when, status_kib("VmRSS"), status_kib("RssAnon"));
}

static void put(struct task *t)
{
	struct journal j = store_journal(store);
	struct message *m = message_new();
	struct error err;
	double began = now_ms();

	m->account = xstrdup("telegram:123456");
	m->event_id = xasprintf("%u", next_event++);
	m->sender_id = xstrdup("77");
	m->message_id = xstrdup(m->event_id);
	address_set(&m->from, "telegram", "-1001234567", NULL, NULL);
	free(m->text);
	m->text = xstrdup(
	    "A message of the usual length, as people write them in chats: about a hundred bytes long.");
	if (j.ops->put_inbound(t, j.self, &m, 1, NULL, &err) != 0) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	message_free(m);
	if (sample_count < SAMPLES)
		samples[sample_count++] = now_ms() - began;
}

static void put_until(struct task *t, void *arg)
{
	(void)arg;
	while (now_ms() < until)
		put(t);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void measure(struct task *t, size_t tasks, double seconds)
{
	struct store_counts before, after;
	struct task_group group;
	double began = now_ms(), took;

	store_count(t, store, &before, NULL);
	sample_count = 0;
	until = began + seconds * 1e3;
	task_group_init(&group);
	for (size_t i = 0; i < tasks; i++)
		task_start(&group, "put", put_until, NULL);
	task_group_wait(t, &group, NULL);
	took = now_ms() - began;
	store_count(t, store, &after, NULL);
	qsort(samples, sample_count, sizeof(*samples), compare);
	printf("%3zu tasks: %8.0f puts/s, %6.1f puts a commit, p50 %.2f ms, p99 %.2f ms, most %.1f ms\n",
	    tasks, (double)sample_count * 1e3 / took,
	    (double)sample_count / (double)(after.commits - before.commits), samples[sample_count / 2],
	    samples[sample_count * 99 / 100], samples[sample_count - 1]);
}

struct arguments {
	const char *dir;
	double seconds;
};

static void bench(struct task *t, void *arg)
{
	const struct arguments *a = arg;
	struct store_options options = {.dir = a->dir};
	struct store_counts counts;
	struct error err;
	double began;

	print_memory("before");
	began = now_ms();
	store = store_open(t, &options, &err);
	if (!store) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	printf("opened in %.1f ms\n", now_ms() - began);
	print_memory("open and idle");
	samples = xcalloc(SAMPLES, sizeof(*samples));
	measure(t, 1, a->seconds);
	measure(t, 100, a->seconds);
	store_count(t, store, &counts, NULL);
	free(samples);
	task_sleep(t, 3000, NULL);
	printf("%lld pending, database of %.1f MiB\n", (long long)counts.inbox_pending,
	    (double)counts.db_bytes / 1048576);
	print_memory("after it, idle");
	began = now_ms();
	store_close(t, store);
	printf("closed in %.1f ms\n", now_ms() - began);
}

int main(int argc, char **argv)
{
	struct arguments a = {argc > 1 ? argv[1] : NULL, argc > 2 ? strtod(argv[2], NULL) : 5};

	if (!a.dir) {
		fprintf(stderr, "usage: %s DIR [SECONDS]\n", argv[0]);
		return 2;
	}
	task_run("bench", bench, &a);
	return 0;
}
