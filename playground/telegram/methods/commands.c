#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "playground/telegram/methods/compose.h"

#define COMMANDS_MAX    100
#define TOTAL_MAX       5700 /* characters of a whole list. Undocumented: what bots have observed */
#define COMMAND_MAX     32
#define DESCRIPTION_MAX 256

/* The kinds of BotCommandScope, and the ids that each needs. */
static const struct {
	const char *type;
	bool chat, user;
} scopes[] = {
    {"all_chat_administrators", false, false},
    {"all_group_chats", false, false},
    {"all_private_chats", false, false},
    {"chat", true, false},
    {"chat_administrators", true, false},
    {"chat_member", true, true},
    {"default", false, false},
};

static int check_scope(struct call *call, struct json_object *o, size_t i)
{
	struct json_object *chat = json_get(o, "chat_id");

	if (scopes[i].chat != (chat != NULL) || scopes[i].user != (json_get(o, "user_id") != NULL))
		return call_refuse(
		    call, "can't parse BotCommandScope: wrong fields for type \"%s\"", scopes[i].type);
	if (scopes[i].user && json_get_int(o, "user_id", 0) <= 0)
		return call_refuse(call, "can't parse BotCommandScope: Invalid user_id specified");
	if (!scopes[i].chat)
		return 0;
	if (!json_object_is_type(chat, json_type_int) || !chat_of_bot(call->bot, json_object_get_int64(chat)))
		return call_fail(call, 400, "Bad Request: chat not found");
	return 0;
}

/* Returns scope and language in one text, the key of a list, malloc'd; NULL after a refusal. */
static char *read_scope(struct call *call)
{
	struct json_object *o = json_get(call->params, "scope");
	const char *type = o ? json_get_str(o, "type") : "default",
		   *lang = json_get_str(call->params, "language_code");
	size_t i = 0;

	if (o && compose_object(call, o, "BotCommandScope") != 0)
		return NULL;
	if (lang && lang[0] != '\0' && strlen(lang) != 2) {
		call_refuse(call, "invalid language code specified");
		return NULL;
	}
	while (i < ARRAY_LEN(scopes) && (!type || strcmp(type, scopes[i].type) != 0))
		i++;
	if (i == ARRAY_LEN(scopes)) {
		call_refuse(call, "can't parse BotCommandScope: Unsupported type specified");
		return NULL;
	}
	if (o && check_scope(call, o, i) != 0)
		return NULL;
	return xasprintf("%s/%lld/%lld/%s", type, (long long)json_get_int(o, "chat_id", 0),
	    (long long)json_get_int(o, "user_id", 0), lang ? lang : "");
}

static bool is_command(const char *s)
{
	size_t len = strlen(s);

	return len >= 1 && len <= COMMAND_MAX && strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == len;
}

static int check_commands(struct call *call, struct json_object *array)
{
	size_t total = 0;

	json_each(array, o) {
		const char *command, *description;
		size_t len;

		if (compose_object(call, o, "BotCommand") != 0)
			return -1;
		command = json_get_str(o, "command");
		description = json_get_str(o, "description");
		if (!command || !is_command(command))
			return call_refuse(call, "BOT_COMMAND_INVALID");
		len = description ? utf8_count(description, strlen(description), UTF8_CHARS) : 0;
		if (len < 1 || len > DESCRIPTION_MAX)
			return call_refuse(call, "BOT_COMMAND_DESCRIPTION_INVALID");
		total += strlen(command) + len;
	}
	if (json_count(array) > COMMANDS_MAX || total > TOTAL_MAX)
		return call_refuse(call, "BOT_COMMANDS_TOO_MUCH");
	return 0;
}

static int set_commands(struct call *call, const char *json)
{
	char *scope = read_scope(call);

	if (!scope)
		return -1;
	command_lists_set(&call->bot->commands, scope, json);
	free(scope);
	return call_true(call);
}

int method_set_my_commands(struct call *call)
{
	struct json_object *array = json_get(call->params, "commands");
	char *json;
	int ret;

	if (check_commands(call, array) != 0)
		return -1;
	json = json_text(array);
	ret = set_commands(call, json);
	free(json);
	return ret;
}

int method_delete_my_commands(struct call *call)
{
	return set_commands(call, NULL);
}

int method_get_my_commands(struct call *call)
{
	char *scope = read_scope(call);

	if (!scope)
		return -1;
	buf_addstr(&call->result, command_lists_get(&call->bot->commands, scope));
	free(scope);
	return 0;
}
