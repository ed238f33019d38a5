/*
 * A model that thinks for a while, and then begins an answer that goes on: how much later than with nobody
 * between is its beginning in the chat? Times are the playground's, whose model sends the first piece so long
 * after the request.
 */
#include "base/json/json.h"
#include "bench/bench_stage.h"

#define MOST_MS  120000
#define LOOK_MS  50
#define MODEL_MS 600 /* as tests/bench/script.json has it */

static int64_t await_draft(struct stage *s)
{
	double until = bench_now_ms() + MOST_MS;
	int64_t began_us = 0;

	while (began_us == 0) {
		struct json_object *records = stage_sent(s, "sendMessageDraft");

		began_us = json_get_int(
		    json_object_array_get_idx(json_get_array(records, "requests"), 0), "began_us", 0);
		json_object_put(records);
		if (bench_now_ms() > until)
			bench_die("no draft shows after %d ms: see %s/log", MOST_MS, s->o->dir);
		if (began_us == 0)
			bench_sleep_ms(LOOK_MS);
	}
	return began_us;
}

static void run(const struct bench_options *o)
{
	struct samples to_model = {0}, to_chat = {0}, both = {0};
	struct stage s;

	stage_open(&s, o, false);
	stage_start(&s);
	json_object_put(stage_last_asked(&s));
	for (size_t i = 0; i < o->messages; i++) {
		int64_t said = stage_say(&s, s.next_chat + (int64_t)(i % o->chats), o->text);
		int64_t shown = await_draft(&s);

		json_object_put(stage_await_sent(&s, 1, LOOK_MS, MOST_MS));
		struct json_object *asked = stage_last_asked(&s);
		int64_t began = json_get_int(asked, "began_us", 0);

		samples_add(&to_model, (double)(began - said) / 1e3);
		samples_add(&to_chat, (double)(shown - began) / 1e3 - MODEL_MS);
		samples_add(&both, (double)(shown - said) / 1e3 - MODEL_MS);
		json_object_put(asked);
		stage_mark(&s);
	}
	bench_figure(o, samples_at(&to_model, 0.5), "to_model_p50");
	bench_figure(o, samples_at(&to_chat, 0.5), "to_chat_p50");
	bench_figure(o, samples_at(&both, 0.5), "p50");
	bench_figure(o, samples_at(&both, 0.99), "p99");
	samples_clear(&to_model);
	samples_clear(&to_chat);
	samples_clear(&both);
	stage_close(&s);
}

const struct measure measure_first = {"first", run};
