/*
 * Many events while many turns run: how long Slack waits for its acknowledgements, each of which comes after
 * a commit. Times are the playground's, from the sending of an envelope to its acknowledgement.
 */
#include "base/json/json.h"
#include "base/mem.h"
#include "bench/bench_stage.h"

#define PER_SECOND 200
#define CHANNELS   20
#define MOST_MS    120000
#define LOOK_MS    50

static void await_turns(struct stage *s)
{
	double until = bench_now_ms() + MOST_MS;

	while (stage_turns(s) != (int64_t)s->o->chats) {
		if (bench_now_ms() > until)
			bench_die("%zu turns do not run at once", s->o->chats);
		bench_sleep_ms(LOOK_MS);
	}
}

/* In a channel, to nobody: it is kept for the next turn there. */
static void say_in_channel(struct stage *s, size_t i)
{
	char *body = xasprintf("{\"platform\":\"slack\",\"chat\":\"C0BENCH%zu\",\"kind\":\"channel\","
			       "\"user\":\"speaker%zu\",\"text\":\"What was said as number %zu.\"}",
	    i % CHANNELS, i % 7, i);

	stage_post(s, "say", body);
	free(body);
}

static void await_acknowledged(struct stage *s)
{
	double until = bench_now_ms() + MOST_MS;
	int64_t waiting;

	do {
		struct json_object *o = stage_ask(s, "socket", "{\"platform\":\"slack\"}");

		waiting = json_get_int(o, "unacknowledged", -1);
		json_object_put(o);
		if (bench_now_ms() > until)
			bench_die("%lld envelopes are not acknowledged", (long long)waiting);
		bench_sleep_ms(waiting != 0 ? LOOK_MS : 0);
	} while (waiting != 0);
}

static void report(struct stage *s, double took_ms)
{
	struct json_object *records = stage_sent(s, "socket.message"),
			   *array = json_get_array(records, "requests");
	struct samples ms = {0};

	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *r = json_object_array_get_idx(array, i);

		samples_add(
		    &ms, (double)(json_get_int(r, "time_us", 0) - json_get_int(r, "began_us", 0)) / 1e3);
	}
	if (ms.count < s->o->messages)
		bench_die("%zu of %zu envelopes were acknowledged", ms.count, s->o->messages);
	bench_figure(s->o, (double)s->o->messages * 1e3 / took_ms, "rate");
	bench_figure(s->o, (double)stage_turns(s), "turns");
	bench_figure(s->o, samples_at(&ms, 0.5), "p50");
	bench_figure(s->o, samples_at(&ms, 0.99), "p99");
	bench_figure(s->o, samples_at(&ms, 1), "most");
	samples_clear(&ms);
	json_object_put(records);
}

static void run(const struct bench_options *options)
{
	struct bench_options o = *options;
	struct stage s;
	double began;

	o.platform = "slack";
	stage_open(&s, &o, false);
	stage_start(&s);
	for (size_t i = 0; i < CHANNELS; i++)
		say_in_channel(&s, i);
	for (size_t i = 0; i < o.chats; i++)
		stage_say(&s, s.next_chat++, o.text);
	await_turns(&s);
	stage_mark(&s);
	began = bench_now_ms();
	for (size_t i = 0; i < o.messages; i++) {
		double due = began + (double)i * 1e3 / PER_SECOND, now = bench_now_ms();

		if (due > now)
			bench_sleep_ms(due - now);
		say_in_channel(&s, i);
	}
	double took = bench_now_ms() - began;
	await_acknowledged(&s);
	report(&s, took);
	stage_close(&s);
}

const struct measure measure_acks = {"acks", run};
