/*
 * For targets that read JSON: mutations that leave it JSON, because most others are refused before anything
 * of ours sees them. An input is taken as lines, each with an object or array somewhere in it; half of the
 * mutations are libFuzzer's own, so that broken text is tried too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#define STRING_MAX 256

static uint64_t state;

static size_t pick(size_t bound)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (size_t)(state >> 33) % bound;
}

/* A value and where it stands. */
struct slot {
	struct json_object *parent, *value;
	const char *key; /* in an object */
	size_t index;    /* in an array */
};

/* The slot of that number in o, in order of the text; *number counts down. */
static bool find_slot(struct json_object *o, size_t *number, struct slot *out)
{
	if (json_object_is_type(o, json_type_object)) {
		json_object_object_foreach(o, key, value) {
			*out = (struct slot){.parent = o, .value = value, .key = key};
			if ((*number)-- == 0 || find_slot(value, number, out))
				return true;
		}
	}
	for (size_t i = 0; json_object_is_type(o, json_type_array) && i < json_object_array_length(o); i++) {
		*out = (struct slot){.parent = o, .value = json_object_array_get_idx(o, i), .index = i};
		if ((*number)-- == 0 || find_slot(out->value, number, out))
			return true;
	}
	return false;
}

/* False when there is nothing inside o. */
static bool pick_slot(struct json_object *o, struct slot *out)
{
	size_t beyond = SIZE_MAX, number;

	find_slot(o, &beyond, out);
	number = SIZE_MAX - beyond;
	if (number == 0)
		return false;
	number = pick(number);
	return find_slot(o, &number, out);
}

static void put(const struct slot *s, struct json_object *value)
{
	if (s->key)
		json_set(s->parent, s->key, value);
	else
		json_object_array_put_idx(s->parent, s->index, value);
}

static struct json_object *copy(struct json_object *value)
{
	struct json_object *made = NULL;

	if (value)
		json_object_deep_copy(value, &made, NULL);
	return made;
}

static void remove_value(struct json_object *root, const struct slot *s)
{
	(void)root;
	if (s->key)
		json_object_object_del(s->parent, s->key);
	else
		json_object_array_del_idx(s->parent, s->index, 1);
}

static void put_odd(struct json_object *root, const struct slot *s)
{
	static const char *const odd[] = {"null", "true", "false", "0", "1", "-1", "2147483648",
	    "4503599627370496", "9223372036854775807", "18446744073709551615", "-9223372036854775808", "0.5",
	    "1e400", "\"\"", "\"0\"", "\"\\u0000\"", "\"\\n\"", "\"\xf0\x9f\x99\x82\"", "\"a/b:c@d\"", "[]",
	    "{}", "[[]]", "{\"\":null}"};
	const char *text = odd[pick(ARRAY_LEN(odd))];

	(void)root;
	put(s, json_parse(text, strlen(text), NULL));
}

static void put_other(struct json_object *root, const struct slot *s)
{
	struct slot other;

	if (pick_slot(root, &other))
		put(s, copy(other.value));
}

/* Once more at the end of a list; in an object, under the name of another member. */
static void repeat(struct json_object *root, const struct slot *s)
{
	struct slot other;

	if (json_object_is_type(s->parent, json_type_array))
		json_object_array_add(s->parent, copy(s->value));
	else if (pick_slot(root, &other) && other.key)
		json_set(s->parent, other.key, copy(s->value));
}

static void change_string(struct json_object *root, const struct slot *s)
{
	uint8_t bytes[STRING_MAX];
	struct buf clean = BUF_INIT;
	size_t len;

	if (!json_object_is_type(s->value, json_type_string)) {
		put_odd(root, s);
		return;
	}
	len = (size_t)json_object_get_string_len(s->value);
	len = len < sizeof(bytes) ? len : sizeof(bytes);
	memcpy(bytes, json_object_get_string(s->value), len);
	len = LLVMFuzzerMutate(bytes, len, sizeof(bytes));
	utf8_sanitize(&clean, (const char *)bytes, len);
	put(s, json_object_new_string_len(clean.data, (int)clean.len));
	buf_clear(&clean);
}

static void wrap(struct json_object *root, const struct slot *s)
{
	struct json_object *list = json_object_new_array();

	(void)root;
	json_object_array_add(list, copy(s->value));
	put(s, list);
}

static void (*const changes[])(struct json_object *root, const struct slot *s) = {
    remove_value,
    put_odd,
    put_other,
    repeat,
    change_string,
    change_string,
    wrap,
};

/* The line with the JSON in it changed, appended; false when it holds none. */
static bool change_line(struct buf *out, const char *line, size_t len)
{
	size_t at = 0;
	struct json_object *o;
	struct slot slot;

	while (at < len && line[at] != '{' && line[at] != '[')
		at++;
	o = json_parse(line + at, len - at, NULL);
	if (!o || !pick_slot(o, &slot)) {
		json_object_put(o);
		return false;
	}
	changes[pick(ARRAY_LEN(changes))](o, &slot);
	buf_add(out, line, at);
	json_write(out, o);
	json_object_put(o);
	return true;
}

static const char *line_end(const char *at, const char *end)
{
	const char *found = memchr(at, '\n', (size_t)(end - at));

	return found ? found : end;
}

/* One line, picked by chance, is changed. */
static bool change_text(struct buf *out, const char *text, size_t len)
{
	const char *end = text + len, *at = text;
	size_t lines = 1;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n';
	for (size_t skip = pick(lines); skip > 0; skip--)
		at = line_end(at, end) + 1;
	buf_add(out, text, (size_t)(at - text));
	if (!change_line(out, at, (size_t)(line_end(at, end) - at)))
		return false;
	buf_add(out, line_end(at, end), (size_t)(end - line_end(at, end)));
	return true;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct buf out = BUF_INIT;

	state = seed;
	if (pick(2) == 0 || !change_text(&out, (const char *)data, size) || out.len > max_size)
		size = LLVMFuzzerMutate(data, size, max_size);
	else
		memcpy(data, out.data, size = out.len);
	buf_clear(&out);
	return size;
}
