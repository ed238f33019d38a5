/*
 * Many people write at once. The bot is held with SIGSTOP while the messages are put in, and
 * the time runs from the SIGCONT, on the wall clock of the playground's records.
 */
#include <signal.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "bench/bench_stage.h"

#define LOOK_MS 200
#define MOST_MS 60000

struct totals {
	struct samples rate, p50, p95, last, cpu;
};

/* Each chat has its answers of so many bursts, and none has another's. */
static void check_chats(struct stage *s, struct json_object *array, int64_t first, size_t bursts)
{
	size_t each = s->o->messages / s->o->chats * bursts;

	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *r = json_object_array_get_idx(array, i);

		if (json_get_int(r, "status", 0) != 200)
			bench_die("the platform refused a message: %s", json_object_get_string(r));
	}
	for (size_t i = 0; i < s->o->chats; i++) {
		size_t n = stage_answers(s, first + (int64_t)i);

		if (n != each)
			bench_die(
			    "chat %lld has %zu answers, not %zu", (long long)first + (long long)i, n, each);
	}
}

static void note(struct totals *all, struct json_object *array, int64_t began_us, double cpu_ms)
{
	size_t n = json_object_array_length(array);
	struct samples ms = {0};

	for (size_t i = 0; i < n; i++) {
		struct json_object *r = json_object_array_get_idx(array, i);

		samples_add(&ms, (double)(json_get_int(r, "began_us", 0) - began_us) / 1e3);
	}
	samples_add(&all->p50, samples_at(&ms, 0.5));
	samples_add(&all->p95, samples_at(&ms, 0.95));
	samples_add(&all->last, samples_at(&ms, 1));
	samples_add(&all->rate, (double)n * 1e3 / samples_at(&ms, 1));
	samples_add(&all->cpu, cpu_ms / (double)n);
	samples_clear(&ms);
}

/* before: how many bursts the same people have sent. */
static void burst(struct stage *s, struct totals *all, size_t before)
{
	const struct bench_options *o = s->o;
	struct json_object *records, *array;
	int64_t first = s->next_chat, began_us;
	double cpu;

	kill(s->bot, SIGSTOP);
	if (s->clock)
		stage_slow_down(s);
	stage_mark(s);
	if (!o->known)
		s->next_chat += (int64_t)o->chats;
	for (size_t i = 0; i < o->messages; i++)
		stage_say(s, first + (int64_t)(i % o->chats), o->text);
	cpu = bench_cpu_ms(s->bot);
	began_us = stage_now_us();
	kill(s->bot, SIGCONT);
	bench_sleep_ms(LOOK_MS);
	records = stage_await_sent(s, o->messages, LOOK_MS, o->under ? 10 * MOST_MS : MOST_MS);
	array = json_get_array(records, "requests");
	note(all, array, began_us, bench_cpu_ms(s->bot) - cpu);
	check_chats(s, array, first, before + 1);
	json_object_put(records);
}

static void report(const struct bench_options *o, const char *figure, struct samples *s)
{
	bench_figure(o, samples_at(s, 0.5), "%s", figure);
	bench_figure(o, samples_at(s, 0), "%s.least", figure);
	bench_figure(o, samples_at(s, 1), "%s.most", figure);
	samples_clear(s);
}

static void run(const struct bench_options *o)
{
	struct totals all = {0};
	struct stage s;

	stage_open(&s, o, false);
	stage_start(&s);
	if (o->under)
		stage_await_proof(&s);
	for (size_t i = 0; i < o->runs; i++)
		burst(&s, &all, o->known ? i : 0);
	report(o, "rate", &all.rate);
	report(o, "p50", &all.p50);
	report(o, "p95", &all.p95);
	report(o, "last", &all.last);
	report(o, "cpu", &all.cpu);
	bench_figure(o, bench_memory_kib(s.bot, "VmHWM") / 1024, "peak_mib");
	stage_close(&s);
}

const struct measure measure_burst = {"burst", run};
