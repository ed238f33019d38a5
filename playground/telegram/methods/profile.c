#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "playground/spec/spec.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/methods/compose.h"
#include "playground/telegram/world/bot.h"

/* What a bot says of itself, by language; the methods' names end with it. */
static const struct text {
	const char *method, *member;
	size_t max; /* characters */
	const char *too_long;
} texts[] = {
    {"MyDescription", "description", 512, "DESCRIPTION_TOO_LONG"},
    {"MyName", "name", 64, "BOT_TITLE_INVALID"},
    {"MyShortDescription", "short_description", 120, "ABOUT_TOO_LONG"},
};

static const struct text *text_of(struct call *call)
{
	size_t i = 0;

	while (i + 1 < ARRAY_LEN(texts) && strcmp(texts[i].method, call->spec->name + strlen("set")) != 0)
		i++;
	return &texts[i];
}

/* Returns the language, "" for all others; NULL after a refusal. */
static const char *read_language(struct call *call)
{
	const char *code = json_get_str(call->params, "language_code");

	if (!code || code[0] == '\0' ||
	    (strlen(code) == 2 && strspn(code, "abcdefghijklmnopqrstuvwxyz") == 2))
		return code ? code : "";
	call_refuse(call, "invalid language code specified");
	return NULL;
}

static struct json_object *part(struct call *call, const char *name)
{
	struct json_object *o = json_get_object(call->bot->profile, name);

	if (!o) {
		o = json_object_new_object();
		json_set(call->bot->profile, name, o);
	}
	return o;
}

/* An empty text removes it. */
int method_set_my_text(struct call *call)
{
	const struct text *text = text_of(call);
	const char *value = json_get_str(call->params, text->member), *language = read_language(call);

	if (!language)
		return -1;
	if (value && utf8_count(value, strlen(value), UTF8_CHARS) > text->max)
		return call_refuse(call, "%s", text->too_long);
	if (value && value[0] != '\0')
		json_set_str(part(call, text->member), language, value);
	else
		json_object_object_del(part(call, text->member), language);
	return call_true(call);
}

int method_get_my_text(struct call *call)
{
	const struct text *text = text_of(call);
	const char *language = read_language(call), *value;

	if (!language)
		return -1;
	value = json_get_str(part(call, text->member), language);
	if (!value && strcmp(text->member, "name") == 0)
		value = bot_name(call->bot);
	buf_addf(&call->result, "{\"%s\":", text->member);
	json_quote(&call->result, value ? value : "", value ? strlen(value) : 0);
	buf_addch(&call->result, '}');
	return 0;
}

/* The key of a private chat's menu button, "" for all others. */
static int read_chat(struct call *call, char key[24])
{
	int64_t id = json_get_int(call->params, "chat_id", 0);
	struct chat *c = id != 0 ? chat_of_bot(call->bot, id) : NULL;

	key[0] = '\0';
	if (id == 0)
		return 0;
	if (!c)
		return call_fail(call, 400, "Bad Request: chat not found");
	if (c->kind != CHAT_PRIVATE)
		return call_refuse(call, "invalid chat_id specified");
	snprintf(key, 24, "%" PRId64, id);
	return 0;
}

static int check_button(struct call *call, struct json_object *o)
{
	static const char parse[] = "can't parse menu button: ";
	const char *type = json_get_str(o, "type"), *text = json_get_str(o, "text"),
		   *url = json_get_str(json_get_object(o, "web_app"), "url");

	if (!json_object_is_type(o, json_type_object))
		return call_refuse(call, "%sMenuButton must be an Object", parse);
	if (!type)
		return call_refuse(call, "%sCan't find field \"type\"", parse);
	if (strcmp(type, "default") == 0 || strcmp(type, "commands") == 0)
		return 0;
	if (strcmp(type, "web_app") != 0)
		return call_refuse(call, "%sMenuButton has unsupported type", parse);
	if (!text || !url)
		return call_refuse(call, "%sCan't find field \"%s\"", parse, !text ? "text" : "web_app");
	if (text[0] == '\0')
		return call_refuse(call, "BUTTON_TEXT_INVALID");
	return strncmp(url, "https://", 8) == 0 ? 0 : call_refuse(call, "BUTTON_URL_INVALID");
}

int method_set_chat_menu_button(struct call *call)
{
	struct json_object *o = json_get(call->params, "menu_button");
	char key[24];

	if ((o && check_button(call, o) != 0) || read_chat(call, key) != 0)
		return -1;
	if (o && strcmp(json_get_str(o, "type"), "default") != 0)
		json_set(part(call, "menu_button"), key, json_object_get(o));
	else
		json_object_object_del(part(call, "menu_button"), key);
	return call_true(call);
}

int method_get_chat_menu_button(struct call *call)
{
	struct json_object *buttons = part(call, "menu_button"), *o;
	char key[24];

	if (read_chat(call, key) != 0)
		return -1;
	o = json_get_object(buttons, key) ? json_get_object(buttons, key) : json_get_object(buttons, "");
	if (o)
		json_write(&call->result, o);
	else
		buf_addstr(&call->result, "{\"type\":\"default\"}");
	return 0;
}

static const char *rights_key(struct call *call)
{
	return json_get_bool(call->params, "for_channels", false) ? "channels" : "groups";
}

int method_set_my_default_administrator_rights(struct call *call)
{
	struct json_object *in = json_get(call->params, "rights"), *o;

	if (in && !json_object_is_type(in, json_type_object))
		return call_refuse(
		    call, "can't parse ChatAdministratorRights: ChatAdministratorRights must be an Object");
	o = json_object_new_object();
	rights_read("ChatAdministratorRights", in, o);
	json_set(part(call, "rights"), rights_key(call), o);
	return call_true(call);
}

int method_get_my_default_administrator_rights(struct call *call)
{
	struct json_object *o = json_object_new_object();

	rights_read("ChatAdministratorRights", json_get_object(part(call, "rights"), rights_key(call)), o);
	json_write(&call->result, o);
	json_object_put(o);
	return 0;
}

int method_set_my_profile_photo(struct call *call)
{
	struct json_object *o = json_get(call->params, "photo");
	const char *type = json_get_str(o, "type");
	struct upload upload;
	struct file *f;

	if (compose_object(call, o, "profile photo") != 0)
		return -1;
	if (!type)
		return call_refuse(call, "can't find field \"type\"");
	if (strcmp(type, "animated") == 0)
		return call_refuse(call, "an animated photo is not simulated by the playground");
	if (strcmp(type, "static") != 0)
		return call_refuse(call, "invalid profile photo type specified");
	if (!json_get_str(o, "photo") || strncmp(json_get_str(o, "photo"), "attach://", 9) != 0)
		return call_refuse(call, "photo must be uploaded as a file");
	if (upload_read(call, json_get(o, "photo"), MEDIA_PHOTO, &upload) != 0)
		return -1;
	f = upload_keep(call, &upload);
	f->replaced = call->bot->photo;
	call->bot->photo = f;
	return call_true(call);
}

int method_remove_my_profile_photo(struct call *call)
{
	struct file *f = call->bot->photo;

	while (f && f->gone)
		f = f->replaced;
	if (f)
		f->gone = true;
	return call_true(call);
}

/* Newest first. */
int method_get_user_profile_photos(struct call *call)
{
	int64_t id = json_get_int(call->params, "user_id", 0),
		offset = call_within(call, "offset", 0, 0, INT32_MAX),
		limit = call_within(call, "limit", 100, 1, 100), total = 0;
	const struct user *u = world_find_user(call->world, id);
	const struct bot *b = map_get(&call->world->bots, id, 0);
	struct buf list = BUF_INIT, one = BUF_INIT;

	if (!u && !b)
		return call_fail(call, 400, "Bad Request: user not found");
	for (const struct file *f = u ? u->photo : b->photo; f; f = f->replaced) {
		if (f->gone || total++ < offset || total > offset + limit)
			continue;
		buf_reset(&one);
		media_write(f, &one);
		buf_addf(&list, "%s%s", list.len > 0 ? "," : "", one.data + strlen("\"photo\":"));
	}
	buf_addf(&call->result, "{\"total_count\":%" PRId64 ",\"photos\":[%s]}", total, list.data);
	buf_clear(&list);
	buf_clear(&one);
	return 0;
}

#define CLOSE_AFTER_MS 600000 /* Bot API, close: 429 in the first 10 minutes */

int method_get_me(struct call *call)
{
	bot_write_full(call->bot, &call->result);
	return 0;
}

int method_log_out(struct call *call)
{
	call->bot->logged_out_ms = clock_now();
	return call_true(call);
}

int method_close(struct call *call)
{
	uint64_t age = clock_now() - call->bot->created_ms;

	if (age < CLOSE_AFTER_MS)
		return call_limit(call, (unsigned)((CLOSE_AFTER_MS - age + 999) / 1000));
	return call_true(call);
}
