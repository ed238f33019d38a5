/*
 * What a turn costs while its answer comes in: memory, with many at once, and how long it takes until all of
 * them run. All of them are open files, and on both sides: the limit must allow it.
 */
#include <sys/resource.h>

#include "bench/bench_stage.h"

#define MOST_MS 180000
#define LOOK_MS 100
/* After the last has begun, until memory is looked at: each has had pieces of its answer. */
#define SETTLE_MS 3000

static void run(const struct bench_options *o)
{
	struct rlimit files;
	double began, memory, all_run_ms;
	struct stage s;

	getrlimit(RLIMIT_NOFILE, &files);
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	stage_open(&s, o, false);
	stage_start(&s);
	memory = bench_memory_kib(s.bot, "RssAnon");
	began = bench_now_ms();
	for (size_t i = 0; i < o->chats; i++)
		stage_say(&s, s.next_chat++, o->text);
	while (stage_turns(&s) != (int64_t)o->chats) {
		if (bench_now_ms() > began + MOST_MS)
			bench_die(
			    "%zu turns do not run at once, but %lld", o->chats, (long long)stage_turns(&s));
		bench_sleep_ms(LOOK_MS);
	}
	all_run_ms = bench_now_ms() - began;
	bench_sleep_ms(SETTLE_MS);
	if (stage_turns(&s) != (int64_t)o->chats)
		bench_die("some turns were over before memory was looked at");
	bench_figure(o, (bench_memory_kib(s.bot, "RssAnon") - memory) / (double)o->chats, "kib");
	bench_figure(o, bench_memory_kib(s.bot, "VmRSS") / 1024, "mib");
	bench_figure(o, (double)o->chats, "turns");
	bench_figure(o, all_run_ms / 1000, "all_run");
	stage_abandon(&s);
}

const struct measure measure_streams = {"streams", run};
