#include "channels/telegram/commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fnv.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/channel.h"
#include "bus/journal.h"
#include "bus/command_menu.h"
#include "channels/telegram/api.h"
#include "channels/telegram/params.h"
#include "channels/telegram/telegram_internal.h"

#define NAME_MAX_CHARS 32
#define HELP_MAX_CHARS 256
/* Retries of a temporary failure; after them, the next start tries again. */
#define TRIES_MAX 5
/* The cursor that stores the hash of the commands last set. */
#define CURSOR "commands"

/* Clients show the narrowest list that is set. The narrower ones are set as well, because another program may
 * have set them for this bot. */
static const char *const scopes[] = {"default", "all_private_chats", "all_group_chats"};

/* Bot API: BotCommand. */
static bool is_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");

	return len > 0 && len <= NAME_MAX_CHARS && name[len] == '\0';
}

static struct json_object *command_new(const struct channel_command *c, size_t help_len)
{
	struct json_object *o = json_object_new_object();
	char *help = xstrndup(c->help, help_len);

	json_set_str(o, "command", c->name);
	json_set_str(o, "description", help);
	free(help);
	return o;
}

static struct json_object *list_new(const struct channel_command *menu, bool admin)
{
	struct json_object *list = json_object_new_array();
	size_t count = 0, chars = 0;

	for (const struct channel_command *c = menu; c->name && count < TELEGRAM_COMMANDS_MAX; c++) {
		size_t len = utf8_cut(c->help, strlen(c->help), HELP_MAX_CHARS, UTF8_CHARS);

		if ((c->admin && !admin) || !is_name(c->name) || len == 0)
			continue;
		chars += strlen(c->name) + utf8_count(c->help, len, UTF8_CHARS);
		if (chars > TELEGRAM_COMMANDS_CHARS)
			break;
		json_object_array_add(list, command_new(c, len));
		count++;
	}
	return list;
}

/* Adds the parameters of a call; chat: 0 for a scope of all chats. */
static void add_call(
    struct json_object *calls, const struct channel_command *menu, const char *scope, int64_t chat)
{
	struct json_object *params = json_object_new_object(), *of = json_object_new_object();

	json_set_str(of, "type", scope);
	if (chat != 0)
		json_set_int(of, "chat_id", chat);
	json_set(params, "commands", list_new(menu, chat != 0));
	json_set(params, "scope", of);
	json_object_array_add(calls, params);
}

static bool has_admin_rows(const struct channel_command *menu)
{
	while (menu->name && !menu->admin)
		menu++;
	return menu->name;
}

static struct json_object *calls_new(const struct channel *ch)
{
	struct json_object *calls = json_object_new_array();
	int64_t id;

	for (size_t i = 0; i < ARRAY_LEN(scopes); i++)
		add_call(calls, ch->menu, scopes[i], 0);
	/* A private chat has the id of the person. */
	for (size_t i = 0; i < ch->admin_count && has_admin_rows(ch->menu); i++)
		if (telegram_params_id(ch->admins[i], &id) && id > 0)
			add_call(calls, ch->menu, "chat", id);
	return calls;
}

static void hash_of(struct json_object *calls, char *out, size_t size)
{
	struct buf text = BUF_INIT;

	json_write(&text, calls);
	snprintf(out, size, "%016" PRIx64, fnv_add(FNV_START, text.data, text.len));
	buf_clear(&text);
}

/* Returns 0 when set, 1 when refused for good, -1 when cancelled or of no use now. */
static int set_list(struct task *t, struct telegram *tg, struct json_object *params, struct error *err)
{
	struct backoff wait = {.base_ms = tg->limits->retry_ms, .max_ms = tg->limits->retry_max_ms};

	for (int tries = 0; tries < TRIES_MAX; tries++) {
		struct telegram_call call = {.method = "setMyCommands",
		    .params = json_object_get(params),
		    .total_ms = tg->limits->call_ms};
		struct telegram_answer a;
		int rc = telegram_api_call(t, tg, &call, &a, err);
		struct telegram_outcome o = a.outcome;

		telegram_api_clear(&a);
		if (rc == 0)
			return 0;
		if (o.class != TELEGRAM_RATE_LIMITED && o.class != TELEGRAM_SERVER_ERROR)
			return o.class == TELEGRAM_BAD_TOKEN ? -1 : 1;
		if (task_sleep(t,
			o.class == TELEGRAM_RATE_LIMITED ? o.retry_ms + tg->limits->limited_extra_ms :
							   backoff_next(&wait),
			err) < 0)
			return -1;
	}
	return -1;
}

static int set_all(struct task *t, struct telegram *tg, struct json_object *calls, struct error *err)
{
	for (size_t i = 0; i < json_object_array_length(calls); i++) {
		int rc = set_list(t, tg, json_object_array_get_idx(calls, i), err);

		/* An admin who never wrote to the bot has no chat with it. */
		if (rc == 1 && i >= ARRAY_LEN(scopes))
			continue;
		if (rc != 0)
			return -1;
	}
	return 0;
}

static bool is_known(struct task *t, struct telegram *tg, const char *hash, struct error *err)
{
	char *value = NULL;
	bool known = channel_read_cursor(t, tg->ch, tg->self.account, CURSOR, &value, err) == 0 && value &&
	    strcmp(value, hash) == 0;

	free(value);
	return known;
}

static void set_all_lists(struct task *t, struct telegram *tg)
{
	struct json_object *calls = calls_new(tg->ch);
	char hash[24];
	struct journal_cursor cursor = {.account = tg->self.account, .name = CURSOR, .value = hash};
	struct error err = {0};
	int rc = 0;

	hash_of(calls, hash, sizeof(hash));
	if (!is_known(t, tg, hash, &err)) {
		rc = set_all(t, tg, calls, &err);
		if (rc == 0)
			rc = channel_received(t, tg->ch, NULL, 0, &cursor, &err);
	}
	if (rc < 0 && !task_is_cancelled(t))
		log_warn(tg->self.channel, "cannot set the command menu, retrying at the next start: %s",
		    err.text);
	json_object_put(calls);
}

static void command_list_task(struct task *t, void *arg)
{
	struct telegram *tg = arg;

	do {
		tg->commands_again = false;
		set_all_lists(t, tg);
	} while (tg->commands_again && !task_is_cancelled(t));
	tg->commands_running = false;
}

void telegram_commands_start(struct telegram *tg)
{
	if (tg->commands_started || !tg->ch->menu)
		return;
	tg->commands_started = tg->commands_running = true;
	task_start(&tg->tasks, "telegram.commands", command_list_task, tg);
}

void telegram_commands_admins_changed(struct channel *ch)
{
	struct telegram *tg = ch->state;

	if (!tg->commands_started || tg->stopping || tg->refused)
		return;
	tg->commands_again = tg->commands_running;
	if (tg->commands_running)
		return;
	tg->commands_running = true;
	task_start(&tg->tasks, "telegram.commands", command_list_task, tg);
}
