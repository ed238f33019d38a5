#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "playground/telegram/text/formatted.h"

static const char *const type_names[ENTITY_TYPES] = {
    [ENTITY_BLOCKQUOTE] = "blockquote",
    [ENTITY_EXPANDABLE_BLOCKQUOTE] = "expandable_blockquote",
    [ENTITY_TEXT_LINK] = "text_link",
    [ENTITY_TEXT_MENTION] = "text_mention",
    [ENTITY_BOLD] = "bold",
    [ENTITY_ITALIC] = "italic",
    [ENTITY_UNDERLINE] = "underline",
    [ENTITY_STRIKETHROUGH] = "strikethrough",
    [ENTITY_SPOILER] = "spoiler",
    [ENTITY_CODE] = "code",
    [ENTITY_PRE] = "pre",
    [ENTITY_CUSTOM_EMOJI] = "custom_emoji",
    [ENTITY_DATE_TIME] = "date_time",
    [ENTITY_MENTION] = "mention",
    [ENTITY_HASHTAG] = "hashtag",
    [ENTITY_CASHTAG] = "cashtag",
    [ENTITY_BOT_COMMAND] = "bot_command",
    [ENTITY_URL] = "url",
    [ENTITY_EMAIL] = "email",
};

/* The member that holds entity.text. */
static const char *const text_members[ENTITY_TYPES] = {
    [ENTITY_TEXT_LINK] = "url",
    [ENTITY_PRE] = "language",
    [ENTITY_CUSTOM_EMOJI] = "custom_emoji_id",
    [ENTITY_DATE_TIME] = "date_time_format",
};

const char *entity_type_name(enum entity_type type)
{
	return type_names[type];
}

static void clear_entities(struct formatted *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->entities[i].text);
	f->count = 0;
}

void formatted_clear(struct formatted *f)
{
	clear_entities(f);
	free(f->entities);
	buf_clear(&f->text);
	*f = (struct formatted)FORMATTED_INIT;
}

void formatted_add(struct formatted *f, enum entity_type type, size_t offset, size_t length, char *text)
{
	if (length == 0) {
		free(text);
		return;
	}
	if (f->count == f->cap) {
		f->cap = f->cap != 0 ? f->cap * 2 : 4;
		f->entities = xrealloc(f->entities, f->cap * sizeof(*f->entities));
	}
	f->entities[f->count++] = (struct entity){
	    .type = type,
	    .offset = (int32_t)offset,
	    .length = (int32_t)length,
	    .text = text,
	};
}

void formatted_move(struct formatted *to, struct formatted *from)
{
	formatted_clear(to);
	*to = *from;
	*from = (struct formatted)FORMATTED_INIT;
}

static bool entity_equal(const struct entity *a, const struct entity *b)
{
	return a->type == b->type && a->offset == b->offset && a->length == b->length &&
	    a->number == b->number && (!a->text) == (!b->text) && (!a->text || strcmp(a->text, b->text) == 0);
}

void formatted_copy(struct formatted *to, const struct formatted *from)
{
	buf_add(&to->text, from->text.data, from->text.len);
	for (size_t i = 0; i < from->count; i++) {
		const struct entity *e = &from->entities[i];

		formatted_add(to, e->type, (size_t)e->offset, (size_t)e->length, xstrdup(e->text));
		to->entities[to->count - 1].number = e->number;
	}
}

bool formatted_equal(const struct formatted *a, const struct formatted *b)
{
	if (a->count != b->count || a->text.len != b->text.len ||
	    memcmp(a->text.data, b->text.data, a->text.len) != 0)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (!entity_equal(&a->entities[i], &b->entities[i]))
			return false;
	return true;
}

size_t formatted_units(const struct formatted *f)
{
	return utf8_count(f->text.data, f->text.len, UTF8_UTF16);
}

static int type_of(const char *name)
{
	for (int i = 0; name && i < ENTITY_TYPES; i++)
		if (strcmp(type_names[i], name) == 0)
			return i;
	return -1;
}

/* Is there a boundary between two code points at that UTF-16 offset? */
static bool is_boundary(const struct formatted *f, size_t units)
{
	size_t bytes = utf8_cut(f->text.data, f->text.len, units, UTF8_UTF16);

	return utf8_count(f->text.data, bytes, UTF8_UTF16) == units;
}

static int check_range(const struct formatted *f, int64_t offset, int64_t length, struct error *err)
{
	int64_t units = (int64_t)formatted_units(f);

	if (offset < 0 || length < 0 || offset > INT32_MAX || length > INT32_MAX)
		return error_set(err, ERROR_OURS, "receive an entity with incorrect offset or length");
	if (offset + length > units)
		return error_set(err, ERROR_OURS,
		    "entity beginning at UTF-16 offset %" PRId64
		    " ends after the end of the text at UTF-16 offset %" PRId64,
		    offset, units);
	if (!is_boundary(f, (size_t)offset))
		return error_set(err, ERROR_OURS,
		    "entity begins in a middle of a UTF-16 symbol at UTF-16 offset %" PRId64, offset);
	if (!is_boundary(f, (size_t)(offset + length)))
		return error_set(err, ERROR_OURS,
		    "entity beginning at UTF-16 offset %" PRId64 " ends in a middle of a UTF-16 symbol",
		    offset);
	return 0;
}

static int read_entity(struct formatted *f, struct json_object *o, struct error *err)
{
	int64_t offset = json_get_int(o, "offset", -1), length = json_get_int(o, "length", -1);
	int type = type_of(json_get_str(o, "type"));
	size_t before = f->count;
	const char *text;

	if (!json_object_is_type(o, json_type_object))
		return error_set(err, ERROR_OURS, "expected an Object");
	if (type < 0)
		return error_set(err, ERROR_OURS, "unsupported type specified");
	if (check_range(f, offset, length, err) != 0)
		return -1;
	if (type >= ENTITY_MENTION)
		return 0; /* found in the text anyway */
	text = text_members[type] ? json_get_str(o, text_members[type]) : NULL;
	if (type == ENTITY_TEXT_LINK && !text)
		return error_set(err, ERROR_OURS, "can't find field \"url\"");
	formatted_add(f, (enum entity_type)type, (size_t)offset, (size_t)length, xstrdup(text));
	if (f->count > before)
		f->entities[before].number = type == ENTITY_TEXT_MENTION ?
		    json_get_int(json_get_object(o, "user"), "id", 0) :
		    json_get_int(o, "unix_time", 0);
	return 0;
}

int formatted_read_entities(struct formatted *f, struct json_object *array, struct error *err)
{
	json_each(array, item)
		if (read_entity(f, item, err) != 0)
			return -1;
	return 0;
}

static void write_entity(
    const struct entity *e, struct buf *out, void (*write_user)(struct buf *, int64_t, void *), void *arg)
{
	buf_addf(out, "{\"offset\":%" PRId32 ",\"length\":%" PRId32 ",\"type\":\"%s\"", e->offset, e->length,
	    type_names[e->type]);
	if (text_members[e->type] && e->text) {
		buf_addf(out, ",\"%s\":", text_members[e->type]);
		json_quote(out, e->text, strlen(e->text));
	}
	if (e->type == ENTITY_DATE_TIME)
		buf_addf(out, ",\"unix_time\":%" PRId64, e->number);
	if (e->type == ENTITY_TEXT_MENTION) {
		buf_addstr(out, ",\"user\":");
		write_user(out, e->number, arg);
	}
	buf_addch(out, '}');
}

void formatted_write_entities(const struct formatted *f, struct buf *out,
    void (*write_user)(struct buf *out, int64_t id, void *arg), void *arg)
{
	buf_addch(out, '[');
	for (size_t i = 0; i < f->count; i++) {
		if (i > 0)
			buf_addch(out, ',');
		write_entity(&f->entities[i], out, write_user, arg);
	}
	buf_addch(out, ']');
}
