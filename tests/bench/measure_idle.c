/* Nobody writes: memory, beside a program that has done nothing but initialise the same libraries, and
 * wake-ups. */
#include <json-c/json.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "bench/bench_stage.h"

#define SETTLE_MS   4000
#define LOOK_MS     50
#define PATIENCE_MS 120000

static void report_memory(const struct bench_options *o, const char *what, pid_t pid)
{
	bench_figure(o, bench_memory_kib(pid, "VmRSS") / 1024, "%s_mib", what);
	bench_figure(o, bench_memory_kib(pid, "RssAnon") / 1024, "%s_own_mib", what);
}

static void measure_libraries(const struct bench_options *o)
{
	pid_t pid = stage_start_libraries(o);

	report_memory(o, "libraries", pid);
	stage_end_libraries(pid);
}

struct activity {
	double woken, preempted, cpu_ms;
};

static struct activity activity_now(pid_t pid)
{
	return (struct activity){
	    .woken = bench_switches(pid, "voluntary_ctxt_switches"),
	    .preempted = bench_switches(pid, "nonvoluntary_ctxt_switches"),
	    .cpu_ms = bench_cpu_ms(pid),
	};
}

static double count_polls(struct stage *s)
{
	struct json_object *records = stage_sent(s, "getUpdates");
	size_t n = json_object_array_length(json_get_array(records, "requests"));

	json_object_put(records);
	return (double)n;
}

/* How many polls have come since the mark: at least one, or the bot does not poll. */
static double await_poll(const struct bench_options *o, struct stage *s)
{
	double until = bench_now_ms() + o->poll_s * 1e3 + PATIENCE_MS, polls;

	while ((polls = count_polls(s)) == 0) {
		if (bench_now_ms() > until)
			bench_die("no poll came in %.0f s", o->poll_s + PATIENCE_MS / 1e3);
		bench_sleep_ms(LOOK_MS);
	}
	return polls;
}

/* Tells the program that counts where a part begins. */
static void tell_around(const struct bench_options *o, const struct stage *s)
{
	char pid[24];

	if (!o->around)
		return;
	snprintf(pid, sizeof(pid), "%d", (int)s->bot);
	setenv("BOT", pid, 1);
	if (system(o->around) != 0)
		bench_die("\"%s\" failed", o->around);
}

static void measure_activity(const struct bench_options *o, struct stage *s)
{
	struct activity before, after;
	double began, seconds, polls;

	stage_mark(s);
	await_poll(o, s);
	/* In the middle of a poll, so that none comes near the ends of what is counted. */
	bench_sleep_ms(o->poll_s * 500.0);
	tell_around(o, s);
	stage_mark(s);
	before = activity_now(s->bot);
	began = bench_now_ms();
	bench_sleep_ms(o->seconds * 1e3);
	polls = await_poll(o, s);
	after = activity_now(s->bot);
	seconds = (bench_now_ms() - began) / 1e3;
	tell_around(o, s);
	bench_figure(o, seconds, "seconds");
	bench_figure(o, polls, "polls");
	bench_figure(o, (after.woken - before.woken) / polls, "woken");
	bench_figure(o, (after.woken - before.woken - polls) * 60 / seconds, "beside");
	bench_figure(o, (after.preempted - before.preempted) / polls, "preempted");
	bench_figure(o, (after.cpu_ms - before.cpu_ms) / seconds / 10, "cpu_percent");
}

static void run(const struct bench_options *o)
{
	struct stage s;

	stage_open(&s, o, false);
	stage_exec(&s);
	stage_await_ready(&s);
	if (o->under)
		stage_await_proof(&s);
	bench_sleep_ms(SETTLE_MS);
	report_memory(o, "myna", s.bot);
	measure_activity(o, &s);
	stage_close(&s);
	measure_libraries(o);
}

const struct measure measure_idle = {"idle", run};
