#include "llm/formats/openai/answer.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

/* Servers send only a few. */
#define EXTRAS_MAX 64

struct openai_extra {
	char *key;
	struct json_object *value; /* NULL: a string, in text */
	struct buf text;
};

void openai_extras_clear(struct openai_extras *e)
{
	for (size_t i = 0; i < e->count; i++) {
		free(e->items[i].key);
		json_object_put(e->items[i].value);
		buf_clear(&e->items[i].text);
	}
	free(e->items);
	*e = (struct openai_extras){0};
}

/* Returns NULL when there are too many. */
static struct openai_extra *find(struct openai_extras *e, const char *key)
{
	for (size_t i = 0; i < e->count; i++)
		if (strcmp(e->items[i].key, key) == 0)
			return &e->items[i];
	if (e->count == EXTRAS_MAX)
		return NULL;
	e->items = xrealloc(e->items, (e->count + 1) * sizeof(*e->items));
	e->items[e->count] = (struct openai_extra){.key = xstrdup(key), .text = BUF_INIT};
	return &e->items[e->count++];
}

static void add(struct openai_extra *x, struct json_object *value)
{
	if (json_object_is_type(value, json_type_string)) {
		json_object_put(x->value);
		x->value = NULL;
		buf_add(&x->text, json_object_get_string(value), (size_t)json_object_get_string_len(value));
		return;
	}
	if (json_object_is_type(x->value, json_type_array) && json_object_is_type(value, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(value); i++)
			json_object_array_add(x->value, json_object_get(json_object_array_get_idx(value, i)));
		return;
	}
	json_object_put(x->value);
	x->value = json_object_get(value);
	buf_reset(&x->text);
}

static bool is_known(const char *key, const char *const *known)
{
	for (; *known; known++)
		if (strcmp(key, *known) == 0)
			return true;
	return false;
}

void openai_extras_add(struct openai_extras *e, struct json_object *from, const char *const *known)
{
	struct openai_extra *x;

	if (!json_object_is_type(from, json_type_object))
		return;
	json_object_object_foreach(from, key, value) {
		if (!value || is_known(key, known))
			continue;
		x = find(e, key);
		if (x)
			add(x, value);
	}
}

void openai_extras_put(const struct openai_extras *e, struct json_object *into)
{
	for (size_t i = 0; i < e->count; i++) {
		const struct openai_extra *x = &e->items[i];
		if (x->value)
			json_set(into, x->key, json_object_get(x->value));
		else
			json_set(into, x->key, json_object_new_string_len(x->text.data, (int)x->text.len));
	}
}
