/* From exec to ready:true on the control socket, with a database in which some chats have talked. */
#include "bench/bench_stage.h"

static void run(const struct bench_options *o)
{
	struct samples ms = {0};
	struct stage s;

	stage_open(&s, o, false);
	stage_start(&s);
	for (size_t i = 0; i < o->chats; i++)
		stage_say(&s, s.next_chat++, o->text);
	json_object_put(stage_await_sent(&s, o->chats, 100, 60000));
	stage_stop(&s);
	for (size_t i = 0; i < o->runs; i++) {
		double began = bench_now_ms();

		stage_exec(&s);
		stage_await_ready(&s);
		samples_add(&ms, bench_now_ms() - began);
		stage_stop(&s);
	}
	bench_figure(o, samples_at(&ms, 0.5), "ready");
	bench_figure(o, samples_at(&ms, 1), "ready.most");
	samples_clear(&ms);
	stage_close(&s);
}

const struct measure measure_start = {"start", run};
