/*
 * What the playground itself costs while a bot talks to it: it shares the machine with what is measured.
 */
#include <signal.h>

#include "base/json/json.h"
#include "bench/bench_stage.h"

#define LOOK_MS 100
#define MOST_MS 120000

/* Adds the CPU times of a burst: of the messages that people wrote, and of serving the bot that answers. */
static void burst(struct stage *s, double *said_ms, double *served_ms)
{
	const struct bench_options *o = s->o;
	double before, between;

	kill(s->bot, SIGSTOP);
	stage_mark(s);
	before = bench_cpu_ms(s->playground);
	for (size_t i = 0; i < o->messages; i++)
		stage_say(s, s->next_chat + (int64_t)(i % o->chats), o->text);
	s->next_chat += (int64_t)o->chats;
	between = bench_cpu_ms(s->playground);
	kill(s->bot, SIGCONT);
	stage_await_quiet(s);
	*said_ms += between - before;
	*served_ms += bench_cpu_ms(s->playground) - between;
	json_object_put(stage_await_sent(s, o->messages, LOOK_MS, MOST_MS));
}

static void run(const struct bench_options *o)
{
	double said_ms = 0, served_ms = 0, messages = (double)(o->messages * o->runs);
	struct stage s;

	stage_open(&s, o, false);
	stage_start(&s);
	for (size_t i = 0; i < o->runs; i++)
		burst(&s, &said_ms, &served_ms);
	bench_figure(o, served_ms / messages, "cpu");
	bench_figure(o, 1000 * messages / served_ms, "rate"); /* it has one thread */
	bench_figure(o, said_ms / messages, "said_cpu");
	bench_figure(o, bench_memory_kib(s.playground, "VmHWM") / 1024, "peak_mib");
	stage_close(&s);
}

const struct measure measure_playground = {"playground", run};
