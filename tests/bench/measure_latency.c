/* One message at a time: what Myna adds on the way to the model, and on the way back to the chat. */
#include "base/json/json.h"
#include "bench/bench_stage.h"

#define MOST_MS 120000
/* Looking takes the playground's time; by then the answer is usually there. */
#define LOOK_MS 20

static void report(const struct bench_options *o, const char *way, struct samples *ms)
{
	bench_figure(o, samples_at(ms, 0.5), "%s_p50", way);
	bench_figure(o, samples_at(ms, 0.99), "%s_p99", way);
	samples_clear(ms);
}

static void run(const struct bench_options *o)
{
	struct samples in = {0}, out = {0}, both = {0};
	struct stage s;

	stage_open(&s, o, false);
	stage_start(&s);
	json_object_put(stage_last_asked(&s));
	for (size_t i = 0; i < o->messages; i++) {
		int64_t said = stage_say(&s, s.next_chat + (int64_t)(i % o->chats), o->text);

		bench_sleep_ms(LOOK_MS);
		struct json_object *records = stage_await_sent(&s, 1, LOOK_MS, MOST_MS),
				   *asked = stage_last_asked(&s);
		struct json_object *sent = json_object_array_get_idx(json_get_array(records, "requests"), 0);
		double to_model = (double)(json_get_int(asked, "began_us", 0) - said) / 1e3;
		double to_chat =
		    (double)(json_get_int(sent, "began_us", 0) - json_get_int(asked, "time_us", 0)) / 1e3;

		samples_add(&in, to_model);
		samples_add(&out, to_chat);
		samples_add(&both, to_model + to_chat);
		json_object_put(records);
		json_object_put(asked);
		stage_mark(&s);
	}
	report(o, "in", &in);
	report(o, "out", &out);
	report(o, "both", &both);
	stage_close(&s);
}

const struct measure measure_latency = {"latency", run};
