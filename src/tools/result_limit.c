#include "tools/result_limit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#define RESULT_LIMIT_MARK ",\"truncated\":true"
/* Bytes of a name or code in a failure that is cut to its text. */
#define RESULT_LIMIT_NAME_MAX 64
/* "[... N bytes left out ...]" between line ends. */
#define RESULT_LIMIT_GAP_MAX 64

/* Escaped size, as json_write escapes. */
static size_t escaped_byte(unsigned char c)
{
	if (c == '"' || c == '\\' || (c >= '\b' && c <= '\r' && c != '\v'))
		return 2;
	return c < 0x20 ? 6 : 1;
}

size_t result_limit_escaped_size(const char *s, size_t len)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += escaped_byte((unsigned char)s[i]);
	return n;
}

size_t result_limit_cut(const char *s, size_t len, size_t room)
{
	size_t i = 0, used = 0;

	while (i < len && (used += escaped_byte((unsigned char)s[i])) <= room)
		i++;
	return i == len ? len : utf8_cut(s, len, i, UTF8_BYTES);
}

/* Returns the start of the longest end of s that fits into room. */
static size_t cut_tail(const char *s, size_t len, size_t room)
{
	size_t i = len, used = 0;

	while (i > 0 && (used += escaped_byte((unsigned char)s[i - 1])) <= room)
		i--;
	while (i < len && (s[i] & 0xc0) == 0x80)
		i++;
	return i;
}

static size_t size_of(struct json_object *o)
{
	struct buf text = BUF_INIT;

	json_write(&text, o);
	size_t len = text.len;
	buf_clear(&text);
	return len;
}

/* Each replaces the text in at most room bytes, quotes included. */
static struct json_object *keep_head(const char *s, size_t len, size_t room)
{
	return json_object_new_string_len(s, (int)result_limit_cut(s, len, room > 2 ? room - 2 : 0));
}

static struct json_object *keep_lines(const char *s, size_t len, size_t room)
{
	size_t cut = result_limit_cut(s, len, room > 2 ? room - 2 : 0);
	const char *line = memrchr(s, '\n', cut);

	return json_object_new_string_len(s, (int)(line ? (size_t)(line + 1 - s) : cut));
}

static struct json_object *keep_ends(const char *s, size_t len, size_t room)
{
	size_t half = room > RESULT_LIMIT_GAP_MAX ? (room - RESULT_LIMIT_GAP_MAX) / 2 : 0;
	size_t head = result_limit_cut(s, len, half), tail = cut_tail(s, len, half);
	struct buf text = BUF_INIT;

	buf_add(&text, s, head);
	if (room > RESULT_LIMIT_GAP_MAX)
		buf_addf(&text, "\n[... %zu bytes left out ...]\n", tail - head);
	buf_add(&text, s + tail, len - tail);
	struct json_object *o = json_object_new_string_len(text.data, (int)text.len);
	buf_clear(&text);
	return o;
}

static const struct {
	const char *name;
	struct json_object *(*keep)(const char *s, size_t len, size_t room);
} manners[] = {
    {"content", keep_lines},
    {"stderr", keep_ends},
    {"stdout", keep_ends},
};

static void cut_text(struct json_object *result, const char *name, struct json_object *value, size_t room)
{
	const char *s = json_object_get_string(value);
	size_t len = (size_t)json_object_get_string_len(value);

	for (size_t i = 0; i < ARRAY_LEN(manners); i++) {
		if (strcmp(manners[i].name, name) == 0) {
			json_set(result, name, manners[i].keep(s, len, room));
			return;
		}
	}
	json_set(result, name, keep_head(s, len, room));
}

static void cut_list(struct json_object *result, struct json_object *list, size_t room)
{
	size_t n = json_object_array_length(list), size = 2, kept = 0;

	for (; kept < n; kept++) {
		size += size_of(json_object_array_get_idx(list, kept)) + (kept > 0);
		if (size > room)
			break;
	}
	json_object_array_del_idx(list, kept, n - kept);
	if (json_object_is_type(json_get(result, "count"), json_type_int))
		json_set_int(result, "count", (int64_t)kept);
}

/* Texts and lists can be cut, but never the code of a failure. */
static bool can_cut(const char *name, struct json_object *value)
{
	if (json_object_is_type(value, json_type_array))
		return true;
	return json_object_is_type(value, json_type_string) && strcmp(name, "error_code") != 0;
}

/* A text or list of the result, and its size in bytes. */
struct member {
	const char *name;
	size_t size;
};

static size_t list_members(struct json_object *result, struct member *out)
{
	size_t n = 0;

	json_object_object_foreach(result, name, value)
		if (can_cut(name, value))
			out[n++] = (struct member){name, size_of(value)};
	return n;
}

/* Returns the size to which members are cut so that all together take at most room; smaller ones stay
 * complete. */
static size_t find_share(const struct member *members, size_t n, size_t room)
{
	size_t share = 0, before;

	do {
		size_t small = 0, large = 0;
		before = share;
		for (size_t i = 0; i < n; i++) {
			if (members[i].size <= share)
				small += members[i].size;
			else
				large++;
		}
		share = large && room > small ? (room - small) / large : share;
	} while (share > before);
	return share;
}

/* Cuts the members that can be cut to the room that the others leave. */
static void cut_members(struct json_object *result, size_t total, size_t max)
{
	size_t fixed = total + (json_get(result, "truncated") ? 0 : strlen(RESULT_LIMIT_MARK));
	struct member *members = xcalloc((size_t)json_object_object_length(result) + 1, sizeof(*members));
	size_t n = list_members(result, members), share;

	for (size_t i = 0; i < n; i++)
		fixed -= members[i].size;
	share = fixed < max ? find_share(members, n, max - fixed) : 0;
	for (size_t i = 0; i < n && share > 0; i++) {
		struct json_object *value = json_get(result, members[i].name);
		if (members[i].size <= share)
			continue;
		if (json_object_is_type(value, json_type_array))
			cut_list(result, value, share);
		else
			cut_text(result, members[i].name, value, share);
	}
	free(members);
	json_set_bool(result, "truncated", true);
}

static void add_member(struct buf *out, const char *name, const char *text, size_t room)
{
	if (!text)
		return;
	buf_addf(out, "\"%s\":", name);
	json_quote(out, text, result_limit_cut(text, strlen(text), room));
	buf_addch(out, ',');
}

/* Adds the error fields, so that a failure stays a failure. */
static void add_failure(struct buf *out, struct json_object *result, size_t room)
{
	struct json_object *context = json_get_object(result, "context");

	add_member(out, "error", json_get_str(result, "error"), room);
	add_member(out, "error_code", json_get_str(result, "error_code"), RESULT_LIMIT_NAME_MAX);
	buf_addstr(out, "\"context\":{");
	add_member(out, "tool", json_get_str(context, "tool"), RESULT_LIMIT_NAME_MAX);
	add_member(out, "cause", json_get_str(context, "cause"), RESULT_LIMIT_NAME_MAX);
	if (out->data[out->len - 1] == ',')
		buf_truncate(out, out->len - 1);
	buf_addstr(out, "},");
}

/* Cuts the text of a result whose members cannot be cut enough. */
static char *cut_whole(struct json_object *result, const struct buf *text, size_t max)
{
	struct buf out = BUF_INIT;

	buf_addch(&out, '{');
	if (json_get_str(result, "error_code"))
		add_failure(&out, result, max / 4);
	buf_addf(&out, "\"truncated\":true,\"bytes\":%zu,\"text\":", text->len);
	json_quote(
	    &out, text->data, result_limit_cut(text->data, text->len, max - out.len - strlen("\"\"}")));
	buf_addch(&out, '}');
	return buf_take(&out);
}

char *result_limit_apply(struct json_object *result, size_t max)
{
	struct buf text = BUF_INIT;

	json_write(&text, result);
	if (text.len <= max)
		return buf_take(&text);
	/* Made before anything is cut, from the original result. */
	char *whole = cut_whole(result, &text, max);
	/* An external tool's answer is cut inside its envelope. */
	struct json_object *inner =
	    json_get_bool(result, "tool_success", false) ? json_get_object(result, "result") : NULL;
	size_t size = inner ? size_of(inner) : text.len, around = text.len - size;
	cut_members(inner ? inner : result, size, max > around ? max - around : 0);
	buf_reset(&text);
	json_write(&text, result);
	if (text.len > max) {
		buf_clear(&text);
		return whole;
	}
	free(whole);
	return buf_take(&text);
}
