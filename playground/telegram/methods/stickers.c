#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/mem.h"
#include "playground/telegram/methods/compose.h"

/*
 * Sticker sets. The world has them by name: {"title","sticker_type","bot","stickers":[numbers of files]};
 * what a sticker is in its set stands in its file.
 */

#define STICKERS_MAX 120
#define FIRST_MAX    50
#define NAME_MAX_LEN 64
#define EMOJI_MAX    20

/* The set of the parameter name; bots change their own. */
static struct json_object *open_set(struct call *call, bool own)
{
	struct json_object *set = json_get_object(call->world->sets, json_get_str(call->params, "name"));

	if (set && (!own || json_get_int(set, "bot", 0) == call->bot->id))
		return set;
	call_fail(call, 400, "Bad Request: STICKERSET_INVALID");
	return NULL;
}

static struct file *file_at(const struct world *w, struct json_object *stickers, size_t i)
{
	return map_get(&w->files, json_object_get_int64(json_at(stickers, i)), 0);
}

/* The place of a sticker of the bot in its set; NULL after call_fail. */
static struct json_object *open_sticker(struct call *call, const char *param, size_t *at, struct file **f)
{
	struct json_object *set, *stickers;
	const char *name;

	*f = media_by_id(call->world, json_get_str(call->params, param));
	name = *f ? json_get_str((*f)->sticker, "set_name") : NULL;
	set = name ? json_get_object(call->world->sets, name) : NULL;
	stickers = json_get_array(set, "stickers");
	for (*at = 0; set && json_get_int(set, "bot", 0) == call->bot->id && *at < json_count(stickers);
	     ++*at)
		if (file_at(call->world, stickers, *at) == *f)
			return stickers;
	call_fail(call, 400, "Bad Request: %s", *f ? "STICKERSET_INVALID" : "wrong file_id specified");
	return NULL;
}

static int check_person(struct call *call)
{
	return world_find_user(call->world, json_get_int(call->params, "user_id", 0)) ?
	    0 :
	    call_fail(call, 400, "Bad Request: have no access to the user");
}

/* Reads emoji_list of o to emoji of the sticker: it shows the first. */
static int read_emoji(struct call *call, struct json_object *o, struct json_object *sticker)
{
	struct json_object *list = json_get_array(o, "emoji_list");

	if (json_count(list) == 0)
		return call_refuse(
		    call, "%s", list ? "emoji list must be non-empty" : "can't find field \"emoji_list\"");
	if (json_count(list) > EMOJI_MAX)
		return call_refuse(call, "too many emoji specified");
	json_each(list, item) {
		const char *emoji = json_object_get_string(item);

		if (!emoji || (unsigned char)emoji[0] < 0x80)
			return call_refuse(call, "expected a Unicode emoji");
	}
	json_set_str(sticker, "emoji", json_object_get_string(json_at(list, 0)));
	return 0;
}

/* Adds an InputSticker to the set of that name at a place; -1: the end. */
static int add_sticker(
    struct call *call, struct json_object *o, const char *name, struct json_object *set, int at)
{
	struct json_object *sticker = json_object_new_object(), *stickers = json_get(set, "stickers"),
			   *number;
	const char *format = json_get_str(o, "format"), *type = json_get_str(set, "sticker_type");
	struct upload upload;
	struct file *f;
	char id[24];

	if (!json_object_is_type(o, json_type_object))
		call_refuse(call, "can't parse sticker: InputSticker must be an Object");
	else if (!json_get_str(o, "sticker"))
		call_refuse(call, "can't parse sticker: sticker not found");
	else if (!format ||
	    (strcmp(format, "static") != 0 && strcmp(format, "animated") != 0 &&
		strcmp(format, "video") != 0))
		call_refuse(call, "can't parse sticker: %s",
		    format ? "Invalid sticker format specified" : "Can't find field \"format\"");
	if (call->error_code != 0 || read_emoji(call, o, sticker) != 0 ||
	    upload_read(call, json_get(o, "sticker"), MEDIA_STICKER, &upload) != 0) {
		json_object_put(sticker);
		return -1;
	}
	f = upload_keep_unsent(call, &upload);
	json_object_put(f->sticker);
	f->sticker = sticker;
	json_setf(sticker, "set_name: %s, type: %s, is_animated: %i, is_video: %i", name, type,
	    strcmp(format, "animated") == 0, strcmp(format, "video") == 0);
	if (strcmp(type, "custom_emoji") == 0) {
		snprintf(id, sizeof(id), "%" PRId64, f->number);
		json_set_str(sticker, "custom_emoji_id", id);
	}
	if (json_get_object(o, "mask_position"))
		json_set(sticker, "mask_position", json_object_get(json_get(o, "mask_position")));
	number = json_object_new_int64(f->number);
	if (at < 0)
		json_object_array_add(stickers, number);
	else
		json_object_array_put_idx(stickers, (size_t)at, number);
	return 0;
}

int method_upload_sticker_file(struct call *call)
{
	struct upload upload;
	struct file *f;

	if (upload_read(call, json_get(call->params, "sticker"), MEDIA_STICKER, &upload) != 0 ||
	    check_person(call) != 0)
		return -1;
	f = upload_keep_unsent(call, &upload);
	buf_addf(&call->result,
	    "{\"file_id\":\"sticker-%" PRId64 "\",\"file_unique_id\":\"unique-%" PRId64
	    "\",\"file_size\":%zu}",
	    f->number, f->number, f->len);
	return 0;
}

/* Bot API: letters, digits and single underscores, and _by_BOT at the end. */
static bool is_name(const struct bot *b, const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char *end = xasprintf("_by_%s", b->username);
	size_t len = strlen(name), end_len = strlen(end), named = strspn(name, letters);
	bool fits = named > 0 && len <= NAME_MAX_LEN && len > end_len && !strstr(name, "__") &&
	    strcasecmp(name + len - end_len, end) == 0;

	free(end);
	for (; *name != '\0'; name++)
		fits = fits && (strchr(letters, *name) || strchr("0123456789_", *name));
	return fits;
}

int method_create_new_sticker_set(struct call *call)
{
	const char *name = json_get_str(call->params, "name"), *title = json_get_str(call->params, "title"),
		   *type = json_get_str(call->params, "sticker_type");
	struct json_object *in = json_get_array(call->params, "stickers"), *set;

	if (json_count(in) == 0)
		return call_refuse(call, "at least 1 sticker must be specified");
	if (json_count(in) > FIRST_MAX)
		return call_refuse(call, "too many stickers specified");
	if (str_is_blank(title))
		return call_refuse(call, "sticker set title must be non-empty");
	if (check_person(call) != 0)
		return -1;
	if (!is_name(call->bot, name))
		return call_refuse(call, "invalid sticker set name is specified");
	if (json_get_object(call->world->sets, name))
		return call_fail(call, 400, "Bad Request: sticker set name is already occupied");
	set = json_newf("{title: %s, sticker_type: %s, bot: %jd, stickers: %p}", title,
	    type ? type : "regular", call->bot->id, json_object_new_array());
	json_each(in, item)
		if (add_sticker(call, item, name, set, -1) != 0) {
			json_object_put(set);
			return -1;
		}
	json_set(call->world->sets, name, set);
	return call_true(call);
}

int method_add_sticker_to_set(struct call *call)
{
	struct json_object *set = open_set(call, true);

	if (!set || check_person(call) != 0)
		return -1;
	if (json_count(json_get_array(set, "stickers")) >= STICKERS_MAX)
		return call_fail(call, 400, "Bad Request: STICKERS_TOO_MUCH");
	return add_sticker(call, json_get(call->params, "sticker"), json_get_str(call->params, "name"), set,
		   -1) == 0 ?
	    call_true(call) :
	    -1;
}

int method_replace_sticker_in_set(struct call *call)
{
	struct json_object *set = open_set(call, true);
	struct file *f;
	size_t at;

	if (!set || check_person(call) != 0 || !open_sticker(call, "old_sticker", &at, &f))
		return -1;
	if (strcmp(json_get_str(f->sticker, "set_name"), json_get_str(call->params, "name")) != 0)
		return call_fail(call, 400, "Bad Request: STICKERSET_INVALID");
	return add_sticker(call, json_get(call->params, "sticker"), json_get_str(call->params, "name"), set,
		   (int)at) == 0 ?
	    call_true(call) :
	    -1;
}

/* Moves the number at one place to another; SIZE_MAX removes it. */
static void move(struct json_object *stickers, size_t from, size_t to)
{
	struct json_object *number = json_object_get(json_at(stickers, from));

	json_object_array_del_idx(stickers, from, 1);
	if (to == SIZE_MAX) {
		json_object_put(number);
		return;
	}
	json_object_array_add(stickers, NULL);
	for (size_t i = json_count(stickers) - 1; i > to; i--)
		json_object_array_put_idx(stickers, i, json_object_get(json_at(stickers, i - 1)));
	json_object_array_put_idx(stickers, to, number);
}

int method_delete_sticker_from_set(struct call *call)
{
	struct json_object *stickers;
	struct file *f;
	size_t at;

	stickers = open_sticker(call, "sticker", &at, &f);
	if (!stickers)
		return -1;
	move(stickers, at, SIZE_MAX);
	return call_true(call);
}

int method_set_sticker_position_in_set(struct call *call)
{
	int64_t to = json_get_int(call->params, "position", -1);
	struct json_object *stickers;
	struct file *f;
	size_t at;

	if (to < 0)
		return call_refuse(call, "wrong sticker position specified");
	stickers = open_sticker(call, "sticker", &at, &f);
	if (!stickers)
		return -1;
	if ((size_t)to >= json_count(stickers))
		to = (int64_t)json_count(stickers) - 1;
	move(stickers, at, (size_t)to);
	return call_true(call);
}

int method_set_sticker_emoji_list(struct call *call)
{
	struct file *f;
	size_t at;

	if (!open_sticker(call, "sticker", &at, &f) || read_emoji(call, call->params, f->sticker) != 0)
		return -1;
	return call_true(call);
}

int method_set_sticker_mask_position(struct call *call)
{
	struct json_object *position = json_get_object(call->params, "mask_position");
	struct file *f;
	size_t at;

	if (!open_sticker(call, "sticker", &at, &f))
		return -1;
	if (strcmp(json_get_str(f->sticker, "type"), "mask") != 0)
		return call_fail(call, 400, "Bad Request: STICKER_MASK_COORDS_NOT_SUPPORTED");
	if (position)
		json_set(f->sticker, "mask_position", json_object_get(position));
	else
		json_object_object_del(f->sticker, "mask_position");
	return call_true(call);
}

int method_set_sticker_set_title(struct call *call)
{
	struct json_object *set = open_set(call, true);

	if (!set)
		return -1;
	if (str_is_blank(json_get_str(call->params, "title")))
		return call_refuse(call, "sticker set title must be non-empty");
	json_set_str(set, "title", json_get_str(call->params, "title"));
	return call_true(call);
}

/* Its stickers stay in messages. */
int method_delete_sticker_set(struct call *call)
{
	if (!open_set(call, true))
		return -1;
	json_object_object_del(call->world->sets, json_get_str(call->params, "name"));
	return call_true(call);
}

static void write_sticker(const struct file *f, struct buf *out)
{
	struct buf one = BUF_INIT;

	media_write(f, &one);
	buf_addf(out, "%s%s", out->data[out->len - 1] == '[' ? "" : ",", one.data + strlen("\"sticker\":"));
	buf_clear(&one);
}

int method_get_sticker_set(struct call *call)
{
	struct json_object *set = open_set(call, false), *stickers = json_get_array(set, "stickers");
	const char *name = json_get_str(call->params, "name");

	if (!set)
		return -1;
	buf_addf(&call->result, "{\"name\":\"%s\",\"sticker_type\":\"%s\",\"title\":", name,
	    json_get_str(set, "sticker_type"));
	json_quote(&call->result, json_get_str(set, "title"), strlen(json_get_str(set, "title")));
	buf_addstr(&call->result, ",\"stickers\":[");
	for (size_t i = 0; i < json_count(stickers); i++)
		write_sticker(file_at(call->world, stickers, i), &call->result);
	buf_addstr(&call->result, "]}");
	return 0;
}

/* Those that are unknown are left out. */
int method_get_custom_emoji_stickers(struct call *call)
{
	struct json_object *ids = json_get_array(call->params, "custom_emoji_ids");

	if (json_count(ids) > 200)
		return call_refuse(call, "too many custom emoji identifiers specified");
	buf_addch(&call->result, '[');
	json_each(ids, item) {
		const char *id = json_object_get_string(item);
		int64_t number = 0;
		const struct file *f;

		if (!world_read_id(id, &number))
			return call_refuse(call, "invalid custom emoji identifier specified");
		f = map_get(&call->world->files, number, 0);
		if (f && json_get_str(f->sticker, "custom_emoji_id"))
			write_sticker(f, &call->result);
	}
	buf_addch(&call->result, ']');
	return 0;
}

static struct chat *open_chat(struct call *call)
{
	struct chat *c = call_chat(call);

	if (!c)
		return NULL;
	if (c->kind == CHAT_SUPERGROUP)
		return rights_chat(
		    call, "can_change_info", "", "not enough rights to change supergroup sticker set");
	call_fail(call, 400, "Bad Request: chat sticker set can be set only for supergroups");
	return NULL;
}

int method_set_chat_sticker_set(struct call *call)
{
	const char *name = json_get_str(call->params, "sticker_set_name");
	struct chat *c = open_chat(call);

	if (!c)
		return -1;
	if (!json_get_object(call->world->sets, name))
		return call_fail(call, 400, "Bad Request: sticker set not found");
	json_set_str(c->settings, "sticker_set_name", name);
	return call_true(call);
}

int method_delete_chat_sticker_set(struct call *call)
{
	struct chat *c = open_chat(call);

	if (!c)
		return -1;
	json_object_object_del(c->settings, "sticker_set_name");
	return call_true(call);
}
