#include "channels/discord/discord_internal.h"

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
#include "channels/discord/api.h"

#define COMMANDS_MAX   100
#define NAME_MAX_CHARS 32
#define HELP_MAX_CHARS 100
/* Types of options, and limits on them (API v10). */
#define OPTION_STRING  3
#define OPTION_INTEGER 4
#define OPTION_BOOLEAN 5
#define OPTIONS_MAX    25
#define CHOICES_MAX    25
/* Retries of a temporary failure; after them, the next start tries again. */
#define TRIES_MAX 5
/* The cursor that stores the hash of the commands last set. */
#define CURSOR "commands"

static bool is_name(const char *name)
{
	size_t len = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-");

	return len > 0 && len <= NAME_MAX_CHARS && name[len] == '\0';
}

/* The argument of a command that declares none. */
static const struct channel_argument any_text[] = {
    {.name = "text", .kind = CHANNEL_ARGUMENT_TEXT, .help = "The text after the command"},
    {.name = NULL},
};

static const int option_types[] = {
    [CHANNEL_ARGUMENT_WORD] = OPTION_STRING,
    [CHANNEL_ARGUMENT_NUMBER] = OPTION_INTEGER,
    [CHANNEL_ARGUMENT_FLAG] = OPTION_BOOLEAN,
    [CHANNEL_ARGUMENT_TEXT] = OPTION_STRING,
};

static void set_help(struct json_object *o, const char *help)
{
	char *text = xstrndup(help, utf8_cut(help, strlen(help), HELP_MAX_CHARS, UTF8_CHARS));

	json_set_str(o, "description", text);
	free(text);
}

static struct json_object *choices_new(const char *const *choices)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; choices[i] && i < CHOICES_MAX; i++) {
		struct json_object *o = json_object_new_object();

		json_set_str(o, "name", choices[i]);
		json_set_str(o, "value", choices[i]);
		json_object_array_add(list, o);
	}
	return list;
}

static struct json_object *option_new(const struct channel_argument *a)
{
	struct json_object *o = json_object_new_object();

	json_set_int(o, "type", option_types[a->kind]);
	json_set_str(o, "name", a->name);
	set_help(o, a->help);
	json_set_bool(o, "required", a->required);
	if (a->choices)
		json_set(o, "choices", choices_new(a->choices));
	if (a->kind == CHANNEL_ARGUMENT_NUMBER)
		json_set_int(o, "min_value", 0);
	return o;
}

/* Discord demands that required options come first. */
static struct json_object *options_new(const struct channel_argument *arguments)
{
	struct json_object *list = json_object_new_array();

	for (int required = 1; required >= 0; required--)
		for (const struct channel_argument *a = arguments; a->name; a++)
			if (a->required == (required == 1) && json_object_array_length(list) < OPTIONS_MAX)
				json_object_array_add(list, option_new(a));
	return list;
}

static struct json_object *commands_new(const struct channel_command *menu)
{
	struct json_object *list = json_object_new_array();
	size_t count = 0;

	/* Everyone sees all commands; permission is checked when one is used. */
	for (const struct channel_command *c = menu; c->name && count < COMMANDS_MAX; c++) {
		struct json_object *o;

		if (!is_name(c->name) || *c->help == '\0')
			continue;
		o = json_object_new_object();
		json_set_str(o, "name", c->name);
		json_set_int(o, "type", 1);
		set_help(o, c->help);
		json_set(o, "options", options_new(c->arguments ? c->arguments : any_text));
		json_object_array_add(list, o);
		count++;
	}
	return list;
}

static void hash_of(struct json_object *commands, char *out, size_t size)
{
	struct buf text = BUF_INIT;

	json_write(&text, commands);
	snprintf(out, size, "%016" PRIx64, fnv_add(FNV_START, text.data, text.len));
	buf_clear(&text);
}

/* Removes the commands that a form error names by their index ("errors": {"3": ...}). Returns their
 * number. */
static size_t leave_out(
    struct discord *d, struct json_object **commands, struct json_object *reply, const struct error *why)
{
	struct json_object *errors = json_get_object(reply, "errors"), *left = json_object_new_array();
	struct buf names = BUF_INIT;
	size_t count = 0;

	if (d->refused_commands)
		buf_addstr(&names, d->refused_commands);
	for (size_t i = 0; i < json_object_array_length(*commands); i++) {
		struct json_object *o = json_object_array_get_idx(*commands, i);
		char key[24];

		snprintf(key, sizeof(key), "%zu", i);
		if (!json_get(errors, key)) {
			json_object_array_add(left, json_object_get(o));
			continue;
		}
		count++;
		buf_addf(&names, "%s/%s", names.len > 0 ? ", " : "", json_get_str(o, "name"));
	}
	json_object_put(*commands);
	*commands = left;
	if (count > 0) {
		free(d->refused_commands);
		d->refused_commands = xstrdup(names.data);
		log_warn(d->self.channel,
		    "Discord refused slash commands; the others are set without them: %s commands=\"%s\"",
		    why->text, names.data);
	}
	buf_clear(&names);
	return count;
}

/* Leaves out what Discord refuses: that costs one command, not all of them. */
static int set_commands(struct task *t, struct discord *d, struct json_object **commands, struct error *err)
{
	char *path = xasprintf("/applications/%" PRIu64 "/commands", d->self.app);
	struct backoff wait = {.base_ms = d->limits->retry_ms, .max_ms = d->limits->retry_max_ms};
	int rc = -1;

	for (int tries = 0; tries < TRIES_MAX; tries++) {
		struct discord_call call = {.method = "PUT",
		    .route = "/applications/{}/commands",
		    .path = path,
		    .params = json_object_get(*commands)};
		struct discord_answer a;

		rc = discord_api_call(t, d, &call, &a, err);
		struct discord_outcome o = a.outcome;
		size_t left_out =
		    rc < 0 && o.class == DISCORD_BAD_FORM ? leave_out(d, commands, a.reply, &o.why) : 0;
		discord_api_clear(&a);
		if (left_out > 0 && json_object_array_length(*commands) > 0)
			continue;
		if (rc == 0 || (o.why.kind != ERROR_LIMITED && o.why.kind != ERROR_NETWORK))
			break;
		if (task_sleep(t, o.why.kind == ERROR_LIMITED ? o.retry_ms : backoff_next(&wait), err) < 0)
			break;
	}
	free(path);
	return rc;
}

static bool is_known(struct task *t, struct discord *d, const char *hash, struct error *err)
{
	char *value = NULL;
	bool known = channel_read_cursor(t, d->ch, d->self.account, CURSOR, &value, err) == 0 && value &&
	    strcmp(value, hash) == 0;

	free(value);
	return known;
}

static void command_list_task(struct task *t, void *arg)
{
	struct discord *d = arg;
	struct json_object *commands = commands_new(d->ch->menu);
	char hash[24];
	struct journal_cursor cursor = {.account = d->self.account, .name = CURSOR, .value = hash};
	struct error err = {0};
	int rc = 0;

	hash_of(commands, hash, sizeof(hash));
	if (!is_known(t, d, hash, &err)) {
		rc = set_commands(t, d, &commands, &err);
		if (d->refused_commands && d->ch->status == CHANNEL_READY)
			discord_gateway_update_status(d);
		/* Where something is left out, the next start tries, and tells, again. */
		if (rc == 0 && !d->refused_commands)
			rc = channel_received(t, d->ch, NULL, 0, &cursor, &err);
	}
	if (rc < 0 && !task_is_cancelled(t))
		log_warn(d->self.channel, "cannot set the slash commands, retrying at the next start: %s",
		    err.text);
	json_object_put(commands);
}

void discord_commands_start(struct discord *d)
{
	/* They are of the whole bot. */
	if (d->ch->unit > 0 || d->commands_started || !d->ch->menu || !d->settings->commands)
		return;
	d->commands_started = true;
	task_start(&d->tasks, "discord.commands", command_list_task, d);
}
