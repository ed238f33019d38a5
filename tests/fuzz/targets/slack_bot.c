/* An app of the simulated Slack (fuzz/client.h): its requests, also to response and upload URLs, its Socket
 * Mode connections, and the answers of its request URL. */
#include <string.h>

#include "base/json/json.h"
#include "fuzz/client.h"
#include "playground/slack/slack.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/world.h"

#define BOT_TOKEN "xoxb-1-2-fuzz"
#define APP_TOKEN "xapp-1-A1-2-fuzz"

static const char *authorize(const char *path)
{
	return strncmp(path, "/slack/api/apps.connections.", 28) == 0 ? "Bearer " APP_TOKEN :
									"Bearer " BOT_TOKEN;
}

static void hold_message(struct json_object *o)
{
	static const char *const types[] = {
	    "hello", "disconnect", "events_api", "slash_commands", "interactive"};
	const char *type = json_get_str(o, "type");
	size_t i = 0;

	HOLDS(type);
	while (i < ARRAY_LEN(types) && strcmp(types[i], type) != 0)
		i++;
	HOLDS(i < ARRAY_LEN(types));
	HOLDS(i < 2 || (json_get_str(o, "envelope_id") && json_get_object(o, "payload")));
}

static bool is_close_code(unsigned code)
{
	(void)code;
	return false;
}

void fuzz_slack_bot(const uint8_t *data, size_t size)
{
	static const struct fuzz_client_kind kind = {
	    &slack_platform, "/slack/api/", authorize, hold_message, is_close_code};
	struct fuzz_client c;
	struct slk_world *w;

	fuzz_client_open(&c, &kind);
	w = c.stage.world;
	w->set.limits = false;
	slk_app_of_token(w, BOT_TOKEN);
	fuzz_stage_play(&c.stage, data, size, fuzz_client_call);
	fuzz_client_close(&c);
}

FUZZ_PROGRAM(fuzz_slack_bot)
