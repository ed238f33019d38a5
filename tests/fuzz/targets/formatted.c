/* Texts with markup as clients send them to the simulated Telegram. The entities that come of it lie in the
 * text, between code points and within one another, and sent as entities they are the same message. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "playground/telegram/text/formatted.h"

static int parse_entities(const char *s, size_t len, struct formatted *out, struct error *err)
{
	const char *text = memchr(s, '\n', len);
	size_t json_len = text ? (size_t)(text - s) : len;
	struct json_object *array = json_parse(s, json_len, NULL);
	int rc = 0;

	if (text)
		buf_add(&out->text, text + 1, len - json_len - 1);
	if (!json_object_is_type(array, json_type_array))
		rc = error_set(err, ERROR_OURS, "no array");
	else
		rc = formatted_read_entities(out, array, err);
	json_object_put(array);
	return rc;
}

static int (*const parsers[])(const char *s, size_t len, struct formatted *out, struct error *err) = {
    html_parse,
    markdown_parse_v2,
    markdown_parse_legacy,
    parse_entities,
};

static bool is_edge(const struct formatted *f, int32_t units)
{
	size_t bytes = utf8_cut(f->text.data, f->text.len, (size_t)units, UTF8_UTF16);

	return utf8_count(f->text.data, bytes, UTF8_UTF16) == (size_t)units;
}

static void check_entity(const struct formatted *f, const struct entity *e)
{
	HOLDS(e->offset >= 0 && e->length > 0);
	HOLDS((size_t)e->offset + (size_t)e->length <= formatted_units(f));
	HOLDS(is_edge(f, e->offset) && is_edge(f, e->offset + e->length));
	HOLDS(!e->text || e->type < ENTITY_MENTION);
}

/* One lies in the other, or they do not touch. */
static void check_pair(const struct entity *a, const struct entity *b)
{
	int32_t a_end = a->offset + a->length, b_end = b->offset + b->length;

	HOLDS(a->offset <= b->offset);
	HOLDS(b->offset >= a_end || b_end <= a_end);
}

static void check_finished(const struct formatted *f)
{
	HOLDS(utf8_valid(f->text.data, f->text.len) && strlen(f->text.data) == f->text.len);
	for (size_t i = 0; i < f->count; i++) {
		check_entity(f, &f->entities[i]);
		for (size_t k = i + 1; k < f->count; k++)
			check_pair(&f->entities[i], &f->entities[k]);
	}
}

static void write_user(struct buf *out, int64_t id, void *arg)
{
	(void)arg;
	buf_addf(out, "{\"id\":%" PRId64 "}", id);
}

/* The message as a client gets it, sent back. */
static void check_again(const struct formatted *f)
{
	struct formatted again = FORMATTED_INIT;
	struct buf json = BUF_INIT;
	struct json_object *array;

	formatted_write_entities(f, &json, write_user, NULL);
	array = fuzz_hold_json(json.data);
	buf_add(&again.text, f->text.data, f->text.len);
	HOLDS(formatted_read_entities(&again, array, NULL) == 0);
	formatted_finish(&again);
	HOLDS(formatted_equal(f, &again));
	json_object_put(array);
	buf_clear(&json);
	formatted_clear(&again);
}

void fuzz_formatted(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct formatted f = FORMATTED_INIT;
	struct buf clean = BUF_INIT;
	struct error err = {0};
	size_t parser = fuzz_below(&in, ARRAY_LEN(parsers)), len;
	char *text = fuzz_rest(&in, &len);

	/* Parameters are valid UTF-8, and end at a NUL, before they are looked at. */
	utf8_sanitize(&clean, text, strlen(text));
	if (parsers[parser](clean.data, clean.len, &f, &err) == 0) {
		formatted_finish(&f);
		check_finished(&f);
		if (f.count < 60)
			check_again(&f);
	} else {
		fuzz_hold_sentence(err.text);
	}
	formatted_clear(&f);
	buf_clear(&clean);
	free(text);
}

FUZZ_PROGRAM(fuzz_formatted)
