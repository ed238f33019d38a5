#include "playground/telegram/telegram.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/http/api.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/people.h"
#include "playground/telegram/world/world.h"
#include "playground/world/settings.h"

#define PRESS_PATIENCE_MS \
	3000 /* how long a person looks at a button that is loading. Undocumented: chosen here */

static void *telegram_create(struct playground *pg, struct record_log *log)
{
	struct world *w = xcalloc(1, sizeof(*w));

	w->pg = pg;
	w->log = log;
	w->settings.limits = true;
	w->settings.privacy = true;
	list_init(&w->bot_list);
	list_init(&w->chat_list);
	w->sets = json_object_new_object();
	return w;
}

static void telegram_destroy(void *self)
{
	world_clear(self);
	free(self);
}

/* Keeps the bots, with their ids, settings and message counts; drops pending updates. */
static void telegram_reset(void *self)
{
	struct world *w = self;

	list_each_entry(&w->bot_list, struct bot, each, link)
		inline_clear(each);
	world_forget(w);
	list_each_entry(&w->bot_list, struct bot, b, link) {
		update_queue_keep(&b->updates, 0);
		callbacks_clear(&b->callbacks);
		json_object_put(b->checkouts);
		b->checkouts = NULL;
		json_object_object_del(b->profile, "connections"); /* of people who are gone */
		b->sends = (struct bucket){0};
	}
}

static const struct setting settings[] = {
    {"limits", SETTING_BOOL, offsetof(struct telegram_settings, limits), 0, 0},
    {"privacy", SETTING_BOOL, offsetof(struct telegram_settings, privacy), 0, 0},
    {.name = NULL},
};

static int telegram_set(void *self, struct json_object *in, struct error *err)
{
	struct world *w = self;

	return settings_set(settings, &w->settings, sizeof(w->settings), in, err);
}

static void telegram_settings(void *self, struct json_object *out)
{
	const struct world *w = self;

	settings_write(settings, &w->settings, out);
}

static void telegram_unanswered(void *self, platform_unanswered_fn *add, void *arg)
{
	struct world *w = self;

	list_each_entry(&w->bot_list, struct bot, b, link)
		add(arg, "answerCallbackQuery",
		    callbacks_unanswered(&b->callbacks, PRESS_PATIENCE_MS, clock_now()));
}

static const struct platform_action telegram_actions[] = {
    {"business", "bot enabled platform rights user", telegram_control_business},
    {"chat", PLATFORM_COMMON_MEMBERS " blocked forum gone migrate title", telegram_control_chat},
    {"delete", PLATFORM_COMMON_MEMBERS " business message_id", telegram_control_delete},
    {"inline", PLATFORM_COMMON_MEMBERS " offset query query_id result", telegram_control_inline},
    {"join", PLATFORM_COMMON_MEMBERS " invite_link", telegram_control_join},
    {"member", PLATFORM_COMMON_MEMBERS " action rights who", telegram_control_member},
    {"pay", PLATFORM_COMMON_MEMBERS " invoice_link message_id query_id", telegram_control_pay},
    {"pin", PLATFORM_COMMON_MEMBERS " message_id remove", telegram_control_pin},
    {"press",
	PLATFORM_COMMON_MEMBERS " business button data inaccessible location message_id poll shared users",
	telegram_control_press},
    {"profile", "bot photo platform user", telegram_control_profile},
    {"react", PLATFORM_COMMON_MEMBERS " emoji message_id", telegram_control_react},
    {"say",
	PLATFORM_COMMON_MEMBERS
	" album business contact dice edit entities files forward guest location poll quote reply_to "
	"rich_message sender_chat text thread",
	telegram_control_say},
    {"tick", PLATFORM_COMMON_MEMBERS " business done message_id task", telegram_control_tick},
    {"topic", PLATFORM_COMMON_MEMBERS " action name thread", telegram_control_topic},
    {"vote", PLATFORM_COMMON_MEMBERS " answer end message_id remove", telegram_control_vote},
    {NULL, NULL, NULL},
};

const struct platform telegram_platform = {
    .name = "telegram",
    .prefix = "/telegram/",
    .address = "/telegram",
    .at_root = api_is_at_root,
    .chat_kinds = "private group channel",
    .has_method = api_has_method,
    .create = telegram_create,
    .destroy = telegram_destroy,
    .serve = api_serve,
    .reset = telegram_reset,
    .set = telegram_set,
    .settings = telegram_settings,
    .chats = transcript_chats,
    .transcript = transcript_write,
    .about = about_write,
    .file = about_file,
    .progress = transcript_progress,
    .show = show_write,
    .unanswered = telegram_unanswered,
    .save = persist_save,
    .load = persist_load,
    .people_actions = telegram_actions,
};
