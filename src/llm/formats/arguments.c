#include "llm/formats/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define BLANKS   " \t\r\n"
#define KEPT_MAX 4096

/* A text that is parsed once from start to end. */
struct text {
	const char *at, *end;
};

static void trim(struct text *t)
{
	while (t->at < t->end && memchr(BLANKS, *t->at, 4))
		t->at++;
	while (t->end > t->at && memchr(BLANKS, t->end[-1], 4))
		t->end--;
}

/* Removes a fence: ```json, a line end, the object, ``` */
static void strip_fence(struct text *t)
{
	size_t len = (size_t)(t->end - t->at);
	const char *line = memchr(t->at, '\n', len);

	if (!line || len < 7 || memcmp(t->at, "```", 3) != 0 || memcmp(t->end - 3, "```", 3) != 0)
		return;
	t->at = line + 1;
	t->end -= 3;
	trim(t);
}

static void repair_char(struct buf *out, char c, char quote)
{
	if (c == '"' && quote == '\'')
		buf_addstr(out, "\\\"");
	else if ((unsigned char)c < 0x20)
		buf_addf(out, "\\u%04x", (unsigned char)c);
	else
		buf_addch(out, c);
}

/* Converts a string in either kind of quotes to one in double quotes. */
static void repair_string(struct buf *out, struct text *t)
{
	char quote = *t->at++;

	buf_addch(out, '"');
	for (; t->at < t->end && *t->at != quote; t->at++) {
		if (*t->at != '\\' || t->at + 1 == t->end) {
			repair_char(out, *t->at, quote);
			continue;
		}
		t->at++;
		if (*t->at != '\'')
			buf_addch(out, '\\');
		buf_addch(out, *t->at);
	}
	if (t->at < t->end) {
		buf_addch(out, '"');
		t->at++;
	}
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Converts Python's True, False and None. */
static void repair_word(struct buf *out, struct text *t)
{
	static const char *const words[][2] = {{"True", "true"}, {"False", "false"}, {"None", "null"}};
	const char *word = t->at;
	size_t len;

	while (t->at < t->end && is_letter(*t->at))
		t->at++;
	len = (size_t)(t->at - word);
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		if (strlen(words[i][0]) == len && memcmp(words[i][0], word, len) == 0) {
			buf_addstr(out, words[i][1]);
			return;
		}
	}
	buf_add(out, word, len);
}

/* Drops a trailing comma. */
static void repair_comma(struct buf *out, struct text *t)
{
	const char *next = t->at + 1;

	while (next < t->end && memchr(BLANKS, *next, 4))
		next++;
	if (next == t->end || (*next != '}' && *next != ']'))
		buf_addch(out, ',');
	t->at++;
}

/* Repairs the tokens; the strict parser decides whether the result is JSON. json-c's lenient mode does not
 * work here: it cuts large integers and accepts NaN. */
static void repair_tokens(struct buf *out, struct text t)
{
	while (t.at < t.end) {
		if (*t.at == '"' || *t.at == '\'')
			repair_string(out, &t);
		else if (*t.at == ',')
			repair_comma(out, &t);
		else if (is_letter(*t.at))
			repair_word(out, &t);
		else
			buf_addch(out, *t.at++);
	}
}

/* Returns the text if it is an object; if it is a string, the text inside, one level deep. */
static char *read_object(const char *text, size_t len, bool inside)
{
	struct json_object *o = json_parse_foreign_value(text, len, NULL);
	char *out = NULL;

	if (json_object_is_type(o, json_type_object))
		out = xstrndup(text, len);
	else if (json_object_is_type(o, json_type_string) && !inside)
		out = read_object(json_object_get_string(o), (size_t)json_object_get_string_len(o), true);
	json_object_put(o);
	return out;
}

static char *read_mended(struct text t)
{
	struct buf repaired = BUF_INIT;
	char *out;

	strip_fence(&t);
	repair_tokens(&repaired, t);
	out = read_object(repaired.data, repaired.len, false);
	buf_clear(&repaired);
	return out;
}

char *llm_arguments_read(const char *text, size_t len, bool repair)
{
	struct text t = {text, text + len};
	struct buf clean = BUF_INIT;
	char *out;

	if (!utf8_valid(text, len)) {
		utf8_sanitize(&clean, text, len);
		t = (struct text){clean.data, clean.data + clean.len};
	}
	trim(&t);
	len = (size_t)(t.end - t.at);
	if (len == 0 || (len == 4 && memcmp(t.at, "null", 4) == 0))
		out = xstrdup("{}");
	else
		out = read_object(t.at, len, !repair);
	if (!out && repair)
		out = read_mended(t);
	buf_clear(&clean);
	return out;
}

char *llm_arguments_wrap_invalid(const char *text, size_t len)
{
	struct buf clean = BUF_INIT, out = BUF_INIT;

	utf8_sanitize(&clean, text, len);
	buf_addstr(&out, "{\"" LLM_ARGUMENTS_UNPARSED "\":");
	json_quote(&out, clean.data, utf8_cut(clean.data, clean.len, KEPT_MAX, UTF8_BYTES));
	buf_addch(&out, '}');
	buf_clear(&clean);
	return buf_take(&out);
}
