#include "base/json/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/flat.h"
#include "base/json/json.h"
#include "base/mem.h"

/* Room for usual names; longer ones are copied to the heap. */
#define NAME_USUAL 64

struct builder {
	const struct json_flat *f;
	struct buf scratch;
	const char *const *names; /* NULL: all */
};

static struct json_object *made(struct json_object *value)
{
	if (!value)
		mem_exhausted(0);
	return value;
}

static struct json_object *new_string(struct builder *b, size_t item)
{
	size_t len;
	const char *text = json_flat_str(b->f, item, &b->scratch, &len);

	return made(json_object_new_string_len(text, (int)len));
}

/* Like json-c: a fraction keeps its text; what is beyond int64_t is unsigned. */
static struct json_object *new_number(struct builder *b, size_t item)
{
	const struct json_item *n = &b->f->items[item];

	buf_reset(&b->scratch);
	buf_add(&b->scratch, b->f->text + n->start, n->len);
	const char *text = b->scratch.data;
	if (strpbrk(text, ".eE"))
		return made(json_object_new_double_s(strtod(text, NULL), text));
	return made(json_object_new_uint64(strtoull(text, NULL, 10)));
}

static struct json_object *new_value(struct builder *b, size_t item);

/* json-c copies the name. */
static void add_member(struct builder *b, struct json_object *o, size_t item)
{
	struct json_object *value = new_value(b, item + 1);
	char name[NAME_USUAL];
	size_t len;
	const char *text = json_flat_str(b->f, item, &b->scratch, &len);

	if (len < sizeof(name)) {
		memcpy(name, text, len);
		name[len] = '\0';
		json_set(o, name, value);
	} else {
		char *copy = xstrndup(text, len);

		json_set(o, copy, value);
		free(copy);
	}
}

static bool is_wanted(const struct builder *b, size_t item)
{
	const char *const *name = b->names;

	while (name && *name && !json_flat_is(b->f, item, *name))
		name++;
	return !name || *name;
}

static struct json_object *new_object(struct builder *b, size_t item)
{
	struct json_object *o = made(json_object_new_object());

	for (size_t i = item + 1; i < b->f->items[item].next; i = b->f->items[i + 1].next)
		if (is_wanted(b, i))
			add_member(b, o, i);
	return o;
}

static struct json_object *new_array(struct builder *b, size_t item)
{
	size_t count = 0;

	for (size_t i = item + 1; i < b->f->items[item].next; i = b->f->items[i].next)
		count++;
	struct json_object *list = made(json_object_new_array_ext(count > 0 ? (int)count : 1));
	for (size_t i = item + 1; i < b->f->items[item].next; i = b->f->items[i].next)
		if (json_object_array_add(list, new_value(b, i)) < 0)
			mem_exhausted(0);
	return list;
}

static struct json_object *new_value(struct builder *b, size_t item)
{
	const struct json_item *v = &b->f->items[item];

	switch ((enum json_flat_kind)v->kind) {
	case JSON_FLAT_BOOL:
		return made(json_object_new_boolean(b->f->text[v->start] == 't'));
	case JSON_FLAT_INT:
		return made(json_object_new_int64(json_flat_int(b->f, item)));
	case JSON_FLAT_NUMBER:
		return new_number(b, item);
	case JSON_FLAT_STRING:
		return new_string(b, item);
	case JSON_FLAT_ARRAY:
		return new_array(b, item);
	case JSON_FLAT_OBJECT:
		return new_object(b, item);
	case JSON_FLAT_NULL:
		break;
	}
	return NULL;
}

struct json_object *json_tree(const struct json_flat *f, const char *const *names)
{
	struct builder b = {.f = f, .scratch = BUF_INIT, .names = names};
	struct json_object *o = new_value(&b, 0);

	buf_clear(&b.scratch);
	return o;
}
