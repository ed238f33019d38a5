/* From exec to ready:true on the control socket, with a database in which some chats have talked; by turns
 * with a program that only initialises the same libraries. */
#include "bench/bench_stage.h"

static void run(const struct bench_options *o)
{
	struct samples ms = {0}, libraries_ms = {0};
	struct stage s;

	stage_open(&s, o, false);
	stage_start(&s);
	for (size_t i = 0; i < o->chats; i++)
		stage_say(&s, s.next_chat++, o->text);
	json_object_put(stage_await_sent(&s, o->chats, 100, 60000));
	stage_stop(&s);
	for (size_t i = 0; i < o->runs; i++) {
		double began = bench_now_ms();
		pid_t libraries;

		stage_exec(&s);
		stage_await_ready(&s);
		samples_add(&ms, bench_now_ms() - began);
		stage_stop(&s);
		began = bench_now_ms();
		libraries = stage_start_libraries(o);
		samples_add(&libraries_ms, bench_now_ms() - began);
		stage_end_libraries(libraries);
	}
	bench_figure(o, samples_at(&ms, 0.5), "ready");
	bench_figure(o, samples_at(&ms, 1), "ready.most");
	bench_figure(o, samples_at(&libraries_ms, 0.5), "libraries");
	bench_figure(o, samples_at(&ms, 0.5) / samples_at(&libraries_ms, 0.5), "ratio");
	samples_clear(&ms);
	samples_clear(&libraries_ms);
	stage_close(&s);
}

const struct measure measure_start = {"start", run};
