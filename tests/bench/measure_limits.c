/*
 * The platform's own limits hold. The schedule that nothing can beat: so many messages a
 * second over all, as the platform documents it.
 */
#include <signal.h>

#include "base/json/json.h"
#include "bench/bench_stage.h"

#define GROUPS     3
#define PER_SECOND 30 /* Bots FAQ, "My bot is hitting limits, how do I avoid this?" */
#define MOST_MS    120000
#define LOOK_MS    500

static size_t count_refused(struct stage *s)
{
	struct json_object *records = stage_sent(s, "sendMessage"),
			   *array = json_get_array(records, "requests");
	size_t n = 0;

	for (size_t i = 0; i < json_object_array_length(array); i++)
		n += json_get_int(json_object_array_get_idx(array, i), "status", 0) == 429;
	json_object_put(records);
	return n;
}

static void run(const struct bench_options *o)
{
	double ideal_s = (double)o->messages / PER_SECOND, took_s;
	struct json_object *records, *array;
	int64_t began_us, last_us;
	struct stage s;

	stage_open(&s, o, true);
	stage_post(&s, "settings", "{\"telegram\":{\"privacy\":false}}");
	stage_start(&s);
	kill(s.bot, SIGSTOP);
	for (size_t i = 0; i < o->messages; i++) {
		int64_t at = (int64_t)(i % o->chats);

		stage_say(&s, at < GROUPS ? -s.next_chat - at : s.next_chat + at, o->text);
	}
	began_us = stage_now_us();
	kill(s.bot, SIGCONT);
	bench_sleep_ms(ideal_s * 1e3);
	records = stage_await_sent(&s, o->messages, LOOK_MS, MOST_MS);
	array = json_get_array(records, "requests");
	last_us = json_get_int(json_object_array_get_idx(array, o->messages - 1), "began_us", 0);
	took_s = (double)(last_us - began_us) / 1e6;
	bench_figure(o, ideal_s, "ideal");
	bench_figure(o, took_s, "took");
	bench_figure(o, (took_s / ideal_s - 1) * 100, "over_percent");
	bench_figure(o, (double)count_refused(&s), "refused");
	json_object_put(records);
	stage_close(&s);
}

const struct measure measure_limits = {"limits", run};
