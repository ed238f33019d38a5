/* The simulated Slack (fuzz/stage.h). A line of an app is "METHOD {arguments}". */
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "fuzz/stage.h"
#include "playground/slack/http/method.h"
#include "playground/slack/slack.h"

#define BOT_TOKEN "xoxb-1-2-fuzz"
#define APP_TOKEN "xapp-1-A1-2-fuzz"

static void call_method(struct fuzz_stage *s, const char *name, struct json_object *params)
{
	const struct spec_record *spec = spec_method(spec_of("slack"), name);
	slk_method_fn *run = spec ? slk_method_find(spec) : NULL;
	struct exchange ex;
	struct slk_call call = {.ex = &ex,
	    .world = s->world,
	    .app = slk_app_of_token(s->world, BOT_TOKEN),
	    .spec = spec,
	    .params = json_object_get(params),
	    .out = json_object_new_object()};
	struct buf out = BUF_INIT;

	if (run) {
		exchange_begin(&ex, &s->pg, NULL, &s->log, "slack", NULL);
		str_copy(ex.method, sizeof(ex.method), name);
		HOLDS(((slk_params_judge(&call) == 0 ? run(&call) : -1) == 0) == !call.error);
		slk_call_write(&call, &out);
		json_object_put(fuzz_hold_json(out.data));
		exchange_end(&ex);
	}
	buf_clear(&out);
	json_object_put(call.params);
	json_object_put(call.out);
	json_object_put(call.messages);
	json_object_put(call.warnings);
}

void fuzz_slack_calls(const uint8_t *data, size_t size)
{
	struct fuzz_stage s;
	struct slk_world *w;

	fuzz_stage_open(&s, &slack_platform);
	w = s.world;
	w->set.limits = false;
	slk_app_of_token(w, BOT_TOKEN);
	slk_app_of_token(w, APP_TOKEN);
	fuzz_stage_play(&s, data, size, call_method);
	fuzz_stage_close(&s);
}

FUZZ_PROGRAM(fuzz_slack_calls)
