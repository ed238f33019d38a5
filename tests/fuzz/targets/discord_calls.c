/* The simulated Discord (fuzz/stage.h). A line of a bot is "METHOD:/PATH {body}", with a query behind the
 * path as it may be. */
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "fuzz/stage.h"
#include "playground/discord/discord.h"
#include "playground/discord/http/api.h"
#include "playground/discord/http/call.h"

#define BOT_ID UINT64_C(999000000000000000)

static void run_call(struct fuzz_stage *s, struct cord_call *call, const char *query)
{
	struct json_object *answer;
	int status;

	exchange_begin(call->ex, &s->pg, NULL, &s->log, "discord", NULL);
	call->query = json_object_new_object();
	if (form_read(call->query, query, strlen(query), NULL) != 0)
		cord_fail_plain(call, 400, "400: Bad Request");
	else
		cord_call_run(call);
	answer = cord_answer_json(call, &status);
	HOLDS(status >= 200 && status < 600);
	HOLDS((status >= 400) == (call->fail_status != 0));
	if (status >= 400)
		fuzz_hold_sentence(json_get_str(answer, "message"));
	json_object_put(answer);
	exchange_end(call->ex);
}

static void call_operation(struct fuzz_stage *s, const char *name, struct json_object *body)
{
	struct exchange ex;
	struct cord_call call = {
	    .ex = &ex, .world = s->world, .bot = cord_bot_get(s->world, BOT_ID), .scope = "user"};
	char *method = xstrdup(name), *path = strchr(method, ':'), *query;

	if (path) {
		*path++ = '\0';
		query = strchr(path, '?');
		if (query)
			*query++ = '\0';
		cord_call_find(&call, method, path);
		if (call.route && call.route->endpoint) {
			/* Some take a list. */
			if (call.route->spec->body)
				call.body =
				    json_object_get(json_get(body, "list") ? json_get(body, "list") : body);
			run_call(s, &call, query ? query : "");
		}
	}
	cord_call_clear(&call);
	free(method);
}

void fuzz_discord_calls(const uint8_t *data, size_t size)
{
	struct fuzz_stage s;
	struct cord_world *w;

	fuzz_stage_open(&s, &discord_platform);
	w = s.world;
	w->settings.limits = false;
	cord_bot_get(w, BOT_ID);
	fuzz_stage_play(&s, data, size, call_operation);
	fuzz_stage_close(&s);
}

FUZZ_PROGRAM(fuzz_discord_calls)
