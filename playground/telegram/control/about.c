#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "playground/telegram/control/control.h"

static struct json_object *topics_json(const struct topics *topics)
{
	struct json_object *array = json_object_new_array();

	for (size_t i = 0; i < topics->count; i++) {
		struct json_object *o = json_object_new_object();
		char id[24];

		snprintf(id, sizeof(id), "%" PRId64, topics->list[i].id);
		json_setf(
		    o, "id: %s, name: %s, closed: %i", id, topics->list[i].name, topics->list[i].closed);
		json_object_array_add(array, o);
	}
	return array;
}

/* Bot API, BotCommandScope: the narrowest list that is set. */
static struct json_object *commands_json(const struct actor *s)
{
	bool private = s->chat->kind == CHAT_PRIVATE;
	char chat[64];
	const char *const scopes[] = {
	    chat, private ? "all_private_chats/0/0/" : "all_group_chats/0/0/", "default/0/0/"};
	const char *json = "[]";

	snprintf(chat, sizeof(chat), "chat/%" PRId64 "/0/", s->chat->id);
	for (size_t i = 0; i < ARRAY_LEN(scopes) && strcmp(json, "[]") == 0; i++)
		json = command_lists_get(&s->bot->commands, scopes[i]);
	return json_parse(json, strlen(json), NULL);
}

int about_write(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct actor s;

	if (actor_read(self, in, false, &s, err) != 0)
		return -1;
	json_setf(out,
	    "title: %s, type: %s, bot_name: %s, forum: %i, topics: %p, commands: %p, bot_profile: %p, "
	    "settings: %p",
	    s.chat->user ? s.chat->user->label : s.chat->title, telegram_chat_type(s.chat->kind),
	    s.bot->username, s.chat->forum, topics_json(&s.chat->topics), commands_json(&s),
	    json_object_get(s.bot->profile), json_object_get(s.chat->settings));
	return 0;
}

int about_file(void *self, struct json_object *in, struct json_object *out, struct error *err)
{
	struct message *m;
	struct actor s;

	if (actor_on(self, in, &s, &m, err) != 0)
		return -1;
	if (!m->file)
		return error_set(err, ERROR_OURS, "that message has no file");
	json_set_str(out, "name", m->file->name);
	members_set_bytes(out, "base64", m->file->data, m->file->len);
	return 0;
}
