/* The simulated Telegram (fuzz/stage.h). A line of a bot is "METHOD {parameters}". Updates are numbered one
 * after the other and say one thing each. */
#include "fuzz/stage.h"

#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/spec/spec.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/telegram.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/world.h"

#define BOT_ID 999

static void check_result(const struct call *call, int rc)
{
	if (rc == 0) {
		HOLDS(call->error_code == 0);
		json_object_put(fuzz_hold_json(call->result.data));
	} else {
		HOLDS(call->error_code >= 400 && call->error_code < 600);
		fuzz_hold_sentence(call->error.data);
	}
}

static void call_method(struct fuzz_stage *s, const char *name, struct json_object *params)
{
	const struct spec_record *spec = spec_method(spec_of("telegram"), name);
	const struct method *m = spec ? method_find(spec) : NULL;
	struct exchange ex;
	struct call call = {.ex = &ex,
	    .world = s->world,
	    .bot = world_get_bot(s->world, BOT_ID),
	    .spec = spec,
	    .params = json_object_get(params),
	    .result = BUF_INIT,
	    .error = BUF_INIT};

	if (m && m->run) { /* getUpdates waits */
		exchange_begin(&ex, &s->pg, NULL, &s->log, "telegram", NULL);
		str_copy(ex.method, sizeof(ex.method), name);
		check_result(&call, params_judge(&call) == 0 ? m->run(&call) : -1);
		exchange_end(&ex);
	}
	json_object_put(call.params);
	buf_clear(&call.result);
	buf_clear(&call.error);
}

static void check_updates(const struct bot *b)
{
	struct buf text = BUF_INIT;
	struct json_object *array;
	int64_t id = b->updates.head_id;

	update_queue_write(&b->updates, 100, &text);
	array = fuzz_hold_json(text.data);
	json_each(array, update) {
		HOLDS(json_get_int(update, "update_id", -1) == id++);
		HOLDS(json_object_object_length(update) == 2);
	}
	json_object_put(array);
	buf_clear(&text);
}

void fuzz_telegram_calls(const uint8_t *data, size_t size)
{
	struct fuzz_stage s;
	struct world *w;

	fuzz_stage_open(&s, &telegram_platform);
	w = s.world;
	w->settings.limits = false;
	world_get_bot(w, BOT_ID);
	fuzz_stage_play(&s, data, size, call_method);
	check_updates(world_get_bot(w, BOT_ID));
	fuzz_stage_close(&s);
}

FUZZ_PROGRAM(fuzz_telegram_calls)
