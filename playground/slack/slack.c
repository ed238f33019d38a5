#include "playground/slack/slack.h"

#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/slack/control/control.h"
#include "playground/slack/http/method.h"
#include "playground/slack/socket/socket.h"
#include "playground/slack/world/app.h"
#include "playground/slack/world/world.h"

static void *slack_create(struct playground *pg, struct record_log *log)
{
	struct slk_world *w = xcalloc(1, sizeof(*w));

	w->pg = pg;
	w->log = log;
	str_copy(w->base, sizeof(w->base), "http://127.0.0.1/slack/");
	list_init(&w->users);
	list_init(&w->apps);
	list_init(&w->convs);
	list_init(&w->files);
	list_init(&w->tickets);
	list_init(&w->shares);
	list_init(&w->hooks);
	list_init(&w->views);
	list_init(&w->triggers);
	list_init(&w->scheduled);
	slk_settings_init(&w->set);
	return w;
}

static void slack_destroy(void *self)
{
	struct slk_world *w = self;

	slk_world_forget(w);
	slk_tickets_clear(w);
	list_each_entry(&w->apps, struct slk_app, a, link)
		slk_app_free(a);
	free(w->url_problem);
	free(w);
}

/* Keeps the apps, with their tokens and connections; drops pending envelopes. A revoked token is good again.
 */
static void slack_reset(void *self)
{
	struct slk_world *w = self;

	list_each_entry(&w->apps, struct slk_app, a, link) {
		slk_envelopes_clear(a);
		slk_limits_clear(&a->limits);
		a->next_action[0] = '\0';
		a->revoked = false;
		a->away = false;
	}
	memset(w->unacknowledged, 0, sizeof(w->unacknowledged));
	slk_world_forget(w);
}

static int slack_set(void *self, struct json_object *settings, struct error *err)
{
	struct slk_world *w = self;

	if (slk_settings_set(&w->set, settings, err) != 0)
		return -1;
	if (json_get(settings, "request_url"))
		slk_request_url_set(w);
	return 0;
}

static void slack_settings(void *self, struct json_object *out)
{
	struct slk_world *w = self;

	slk_settings_write(&w->set, out);
	slk_request_url_write(w, out);
}

static const struct platform_action slack_actions[] = {
    {"assistant", PLATFORM_COMMON_MEMBERS " context stop thread title", slk_control_assistant},
    {"chat", PLATFORM_COMMON_MEMBERS " gone purpose title topic", slk_control_chat},
    {"close", "all bot platform user", slk_control_close},
    {"command", PLATFORM_COMMON_MEMBERS " command text", slk_control_command},
    {"delete", PLATFORM_COMMON_MEMBERS " message_id", slk_control_delete},
    {"emoji", "alias name platform remove url", slk_control_emoji},
    {"home", "bot platform tab user", slk_control_home},
    {"member", PLATFORM_COMMON_MEMBERS " action name who", slk_control_member},
    {"pin", PLATFORM_COMMON_MEMBERS " message_id remove", slk_control_pin},
    {"press", PLATFORM_COMMON_MEMBERS " button message_id query thread value values view", slk_control_press},
    {"react", PLATFORM_COMMON_MEMBERS " emoji message_id remove", slk_control_react},
    {"say",
	PLATFORM_COMMON_MEMBERS " broadcast edit files forward reply_to source subtype text thread unfurl",
	slk_control_say},
    {"shortcut", PLATFORM_COMMON_MEMBERS " callback_id message_id", slk_control_shortcut},
    {"socket", "action bot close_ms code next platform reason text which", slk_control_socket},
    {"submit", "bot platform state user values view", slk_control_submit},
    {NULL, NULL, NULL},
};

const struct platform slack_platform = {
    .name = "slack",
    .prefix = "/slack/",
    .address = "/slack/api/",
    .chat_kinds = "private mpim group channel",
    .has_method = slk_api_has_method,
    .create = slack_create,
    .destroy = slack_destroy,
    .serve = slk_api_serve,
    .reset = slack_reset,
    .set = slack_set,
    .settings = slack_settings,
    .chats = slk_transcript_chats,
    .transcript = slk_transcript_write,
    .about = slk_about_write,
    .file = slk_about_file,
    .progress = slk_transcript_progress,
    .show = slk_show_write,
    .disconnect = slk_sockets_abort,
    .stop = slk_request_urls_stop,
    .unanswered = slk_envelopes_unanswered,
    .save = slk_persist_save,
    .load = slk_persist_load,
    .people_actions = slack_actions,
};
