#include "playground/server/form.h"
#include "playground/world/json_format.h"

#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/text/hex.h"
#include "base/json/json.h"
#include "base/text/utf8.h"

int form_decode(struct buf *out, const char *s, size_t len, int plus)
{
	for (size_t i = 0; i < len; i++) {
		char c = s[i];

		if (c == '%') {
			int byte = hex_number(s + i + 1, len - i - 1, 2);

			if (byte < 0)
				return -1;
			c = (char)byte;
			i += 2;
		} else if (c == '+' && plus) {
			c = ' ';
		}
		if (c == '\0')
			return -1;
		buf_addch(out, c);
	}
	return 0;
}

static int add_field(
    struct json_object *into, const struct buf *name, const char *value, size_t len, struct error *err)
{
	if (!utf8_valid(name->data, name->len) || !utf8_valid(value, len))
		return error_set(err, ERROR_OURS, "strings must be encoded in UTF-8");
	json_set(into, name->data, json_object_new_string_len(value, (int)len));
	return 0;
}

static int read_pair(struct json_object *into, const char *pair, size_t len, struct error *err)
{
	const char *equals = memchr(pair, '=', len);
	size_t name_len = equals ? (size_t)(equals - pair) : len;
	struct buf name = BUF_INIT, value = BUF_INIT;
	int ret = 0;

	if (form_decode(&name, pair, name_len, 1) != 0 ||
	    (equals && form_decode(&value, equals + 1, len - name_len - 1, 1) != 0))
		ret = error_set(err, ERROR_OURS, "bad percent-encoding");
	else if (name.len > 0)
		ret = add_field(into, &name, value.data, value.len, err);
	buf_clear(&name);
	buf_clear(&value);
	return ret;
}

int form_read(struct json_object *into, const char *text, size_t len, struct error *err)
{
	while (len > 0) {
		const char *amp = memchr(text, '&', len);
		size_t n = amp ? (size_t)(amp - text) : len;

		if (read_pair(into, text, n, err) != 0)
			return -1;
		if (!amp)
			break;
		text += n + 1;
		len -= n + 1;
	}
	return 0;
}

/* Returns where a value without quotes ends: at a semicolon or the end of its line. */
static const char *bare_end(const char *v, const char *end)
{
	while (v < end && *v != ';' && *v != '\r' && *v != '\n')
		v++;
	return v;
}

/* Finds the value of key="…" or key=… in header lines; false when absent. */
static bool header_value(const char *line, size_t len, const char *key, struct buf *out)
{
	size_t key_len = strlen(key);

	for (size_t i = 0; i + key_len < len; i++) {
		const char *v, *end;

		if (strncasecmp(line + i, key, key_len) != 0 ||
		    (i > 0 && line[i - 1] != ' ' && line[i - 1] != ';'))
			continue;
		v = line + i + key_len;
		if (v < line + len && *v == '"') {
			v++;
			end = memchr(v, '"', (size_t)(line + len - v));
		} else {
			end = bare_end(v, line + len);
		}
		buf_add(out, v, (size_t)((end ? end : line + len) - v));
		return true;
	}
	return false;
}

/* at: offset of the data in the body. */
static int add_part(struct json_object *into, const char *head, size_t head_len, const char *data, size_t len,
    size_t at, struct error *err)
{
	struct buf name = BUF_INIT, filename = BUF_INIT;
	int ret = 0;

	if (!header_value(head, head_len, "name=", &name)) {
		ret = error_set(err, ERROR_OURS, "a part of the multipart body has no name");
	} else if (header_value(head, head_len, "filename=", &filename)) {
		json_set(into, name.data,
		    json_newf(
			"{filename: %s, bytes: %jd, at: %jd}", filename.data, (int64_t)len, (int64_t)at));
	} else {
		ret = add_field(into, &name, data, len, err);
	}
	buf_clear(&name);
	buf_clear(&filename);
	return ret;
}

/* Reads the part at *at, which is just after a delimiter; returns 1 for the closing one. */
static int read_part(struct json_object *into, const char *body, const char **at, const char *end,
    const struct buf *delimiter, struct error *err)
{
	const char *head, *data, *stop;

	if (end - *at >= 2 && memcmp(*at, "--", 2) == 0)
		return 1;
	if (end - *at < 2 || memcmp(*at, "\r\n", 2) != 0)
		return error_set(err, ERROR_OURS, "the multipart body is malformed");
	head = *at; /* the blank line may follow at once: no headers */
	data = memmem(head, (size_t)(end - head), "\r\n\r\n", 4);
	stop = data ? memmem(data + 4, (size_t)(end - data - 4), delimiter->data, delimiter->len) : NULL;
	if (!stop)
		return error_set(err, ERROR_OURS, "the multipart body ends too soon");
	*at = stop + delimiter->len;
	return add_part(into, head, (size_t)(data - head), data + 4, (size_t)(stop - data - 4),
	    (size_t)(data + 4 - body), err);
}

int form_read_multipart(
    struct json_object *into, const char *content_type, const char *body, size_t len, struct error *err)
{
	const char *at = body;
	struct buf delimiter = BUF_INIT;
	int ret = 0;

	buf_addstr(&delimiter, "\r\n--");
	if (!header_value(content_type, strlen(content_type), "boundary=", &delimiter))
		ret = error_set(err, ERROR_OURS, "the multipart content type has no boundary");
	else if (len >= delimiter.len - 2 && memcmp(body, delimiter.data + 2, delimiter.len - 2) == 0)
		at += delimiter.len - 2;
	else if ((at = memmem(body, len, delimiter.data, delimiter.len))) /* after a preamble */
		at += delimiter.len;
	else
		ret = error_set(err, ERROR_OURS, "the multipart body has no boundary in it");
	while (ret == 0)
		ret = read_part(into, body, &at, body + len, &delimiter, err);
	buf_clear(&delimiter);
	return ret == 1 ? 0 : -1;
}

bool form_has_type(const char *content_type, const char *type)
{
	size_t len = strlen(type);

	return content_type && strncasecmp(content_type, type, len) == 0 &&
	    (content_type[len] == '\0' || content_type[len] == ';' || content_type[len] == ' ');
}
