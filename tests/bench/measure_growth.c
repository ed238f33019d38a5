/*
 * What a state that has grown costs: a start, also after kill -9, the status and the metrics, each beside a
 * small state; turns that were open when the gateway was killed; and how long full-text search holds the
 * store's thread. --messages is the size (1,000,000 are about 1 GB), --chats the number of open turns, whose
 * messages --text makes the model wait.
 */
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"
#include "bench/bench_stage.h"
#include "bench/growth.h"
#include "store/search.h"
#include "store/sqlite/db_sqlite.h"
#include "store/store_internal.h"

#define STATUS_CALLS 100

static void kill_bot(struct stage *s)
{
	kill(s->bot, SIGKILL);
	waitpid(s->bot, NULL, 0);
	s->bot = 0;
}

/* From exec to ready: true, and what the process has read by then. */
static double start(struct stage *s, double *read_mib)
{
	double began = bench_now_ms(), ready;
	char path[64], line[96];
	unsigned long long bytes;
	FILE *f;

	stage_exec(s);
	stage_await_ready(s);
	ready = bench_now_ms() - began;
	snprintf(path, sizeof(path), "/proc/%d/io", (int)s->bot);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "rchar: %llu", &bytes) == 1)
			*read_mib = (double)bytes / 1048576;
	if (f)
		fclose(f);
	return ready;
}

/* Medians of ready: true, in milliseconds. */
struct ready {
	double clean, killed;
};

static struct ready measure_start_of(struct stage *s, const char *size)
{
	struct samples clean = {0}, killed = {0}, status = {0};
	double clean_mib = 0, killed_mib = 0;

	for (size_t i = 0; i < s->o->runs; i++) {
		samples_add(&clean, start(s, &clean_mib));
		for (size_t k = 0; k < STATUS_CALLS; k++) {
			double began = bench_now_ms();

			json_object_put(stage_status(s));
			samples_add(&status, bench_now_ms() - began);
		}
		kill_bot(s);
		samples_add(&killed, start(s, &killed_mib));
		stage_stop(s);
	}
	const struct ready ready = {samples_at(&clean, 0.5), samples_at(&killed, 0.5)};
	bench_figure(s->o, ready.clean, "ready_%s", size);
	bench_figure(s->o, clean_mib, "ready_%s.read_mib", size);
	bench_figure(s->o, ready.killed, "killed_%s", size);
	bench_figure(s->o, killed_mib, "killed_%s.read_mib", size);
	bench_figure(s->o, samples_at(&status, 0.5), "status_%s", size);
	samples_clear(&clean);
	samples_clear(&killed);
	samples_clear(&status);
	return ready;
}

/* Turns that were open at kill -9, until all run again. */
static void measure_resume(struct stage *s)
{
	double began, ignored;

	start(s, &ignored);
	for (size_t i = 0; i < s->o->chats; i++)
		stage_say(s, s->next_chat++, s->o->text);
	while (stage_turns(s) < (int64_t)s->o->chats)
		bench_sleep_ms(20);
	kill_bot(s);
	began = bench_now_ms();
	start(s, &ignored);
	while (stage_turns(s) < (int64_t)s->o->chats)
		bench_sleep_ms(5);
	bench_figure(s->o, bench_now_ms() - began, "resumed");
	kill_bot(s);
}

static struct samples *held; /* milliseconds of CPU time that statements of a search took */

/* On the store's thread. Statements that FTS5 runs inside of another one are part of it. */
static int on_statement(unsigned what, void *arg, void *statement, void *more)
{
	static void *outer;
	static double began;

	(void)arg, (void)more;
	if (what == SQLITE_TRACE_STMT && !outer) {
		outer = statement;
		began = growth_cpu_ms();
	} else if (what == SQLITE_TRACE_PROFILE && statement == outer) {
		outer = NULL;
		samples_add(held, growth_cpu_ms() - began);
	}
	return 0;
}

static void search_for(struct task *t, struct store *s, const char *words, struct samples *took)
{
	struct address chat;
	struct store_search_hit *found;
	struct error err;
	double began = bench_now_ms();
	int count;

	address_set(&chat, "telegram", "grown0", NULL, NULL);
	count = store_search(t, s, &chat, words, 0, 20, &found, &err);
	if (count < 0)
		bench_die("%s", err.text);
	samples_add(took, bench_now_ms() - began);
	store_search_free(found, (size_t)count);
}

/* Single words and pairs of every frequency. */
static void search_for_all(struct task *t, struct store *s, struct samples *took)
{
	char *words;

	for (size_t rank = 0; rank < 100000; rank = rank * 3 / 2 + 1) {
		words = xstrdup(growth_word(rank));
		search_for(t, s, words, took);
		free(words);
		words = xasprintf("the %s", growth_word(rank));
		search_for(t, s, words, took);
		free(words);
	}
}

/* How long the store's thread was held: of what was done twice the shorter time each, since what disturbs the
 * machine only adds. */
static void say_held(
    const struct bench_options *o, const char *name, struct samples *first, struct samples *again)
{
	struct samples least = {0};

	if (again->count != first->count)
		bench_die("%s took %zu steps, and %zu the second time", name, first->count, again->count);
	for (size_t i = 0; i < again->count; i++)
		samples_add(&least, MIN(first->value[i], again->value[i]));
	bench_figure(o, samples_at(&least, 0.99), "%s.held_p99", name);
	bench_figure(o, samples_at(&least, 1), "%s.held_most", name);
	samples_clear(first);
	samples_clear(again);
	samples_clear(&least);
}

/* Opens the state and waits for what a start begins. */
static struct store *open_state(struct task *t, const char *dir)
{
	const struct store_options options = {.dir = dir};
	struct error err;
	struct store *store = store_open(t, &options, &err);

	if (!store)
		bench_die("%s", err.text);
	while (store->conversations_running || store->messages_running || store->index_running)
		task_sleep(t, 20, NULL);
	return store;
}

static void search_task(struct task *t, void *arg)
{
	const struct stage *s = arg;
	char *dir = xasprintf("%s/state", s->o->dir);
	struct samples took = {0}, statements[2] = {{0}, {0}};
	struct store *store = open_state(t, dir);

	sqlite3_trace_v2(store->db.handle, SQLITE_TRACE_STMT | SQLITE_TRACE_PROFILE, on_statement, NULL);
	for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
		held = &statements[i];
		search_for_all(t, store, &took);
	}
	sqlite3_trace_v2(store->db.handle, 0, NULL, NULL);
	bench_figure(s->o, samples_at(&took, 0.5), "search");
	bench_figure(s->o, samples_at(&took, 1), "search.most");
	say_held(s->o, "search", &statements[0], &statements[1]);
	samples_clear(&took);
	store_close(t, store);
	free(dir);
}

static void measure_size(const struct stage *s, const char *dir)
{
	char *path = xasprintf("%s/myna.db", dir);
	struct stat st = {0};

	stat(path, &st);
	bench_figure(s->o, (double)st.st_size / 1048576, "mib");
	free(path);
}

/* The small state was used: what its index has decides when the next merge comes. */
static void copy_state(const char *dir, const char *to)
{
	char *path = xasprintf("%s/myna.db", dir);
	char *copy = xasprintf("VACUUM INTO '%s/myna.db'", to);
	struct db db = {0};
	struct error err;

	if (mkdir(to, 0700) != 0)
		bench_die("%s: %s", to, strerror(errno));
	if (db_sqlite_open(&db, dir, path, DB_LIVE, &err) != 0 || db_script(&db, copy, &err) != 0)
		bench_die("%s", err.text);
	db_close(&db);
	free(copy);
	free(path);
}

/* Adds the messages, and the same to a copy that nobody needs. */
static void measure_index(const struct bench_options *o, const char *dir)
{
	char *other = xasprintf("%s/again", o->dir);
	struct samples steps = {0}, again = {0};

	copy_state(dir, other);
	growth_add(dir, o->messages, &steps);
	growth_add(other, o->messages, &again);
	say_held(o, "index", &steps, &again);
	free(other);
}

static void run(const struct bench_options *o)
{
	char *dir = xasprintf("%s/state", o->dir);
	struct ready small, large;
	struct stage s;

	stage_open(&s, o, false);
	stage_start(&s);
	stage_stop(&s);
	small = measure_start_of(&s, "small");
	measure_index(o, dir);
	measure_size(&s, dir);
	task_run("search", search_task, &s);
	large = measure_start_of(&s, "large");
	bench_figure(o, large.clean - small.clean, "ready_more");
	bench_figure(o, large.killed - small.killed, "killed_more");
	measure_resume(&s);
	stage_close(&s);
	free(dir);
}

const struct measure measure_growth = {"growth", run};
