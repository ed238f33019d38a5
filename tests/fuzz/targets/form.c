/* Forms: the server's decoder and the playground's read the same; what was read is written and read again; a
 * multipart body gives what was put into it. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/text/utf8.h"
#include "fuzz/fuzz.h"
#include "net/http/http.h"
#include "net/server/server.h"
#include "playground/server/form.h"

#define BOUNDARY "----fuzz-7d1a0c52e3"

static void check_decode(const char *text, size_t len)
{
	struct buf ours = BUF_INIT, theirs = BUF_INIT, coded = BUF_INIT;
	bool good = server_decode(text, len, &ours);

	HOLDS(good == (form_decode(&theirs, text, len, 0) == 0));
	HOLDS(!good || (ours.len == theirs.len && memcmp(ours.data, theirs.data, ours.len) == 0));
	if (good && !memchr(text, '\0', len)) {
		HOLDS(strlen(ours.data) == ours.len);
		http_url_encode(&coded, ours.data, ours.len);
		HOLDS(server_decode(coded.data, coded.len, &theirs));
		HOLDS(ours.len == theirs.len && memcmp(ours.data, theirs.data, ours.len) == 0);
	}
	buf_clear(&ours);
	buf_clear(&theirs);
	buf_clear(&coded);
}

static void add_pair(struct buf *out, const char *name, const char *value, size_t len)
{
	if (out->len > 0)
		buf_addch(out, '&');
	http_url_encode(out, name, strlen(name));
	buf_addch(out, '=');
	http_url_encode(out, value, len);
}

/* The server finds each name that the playground found, with its value, and both read it again. */
static void check_again(struct json_object *fields)
{
	struct json_object *again = json_object_new_object();
	struct buf text = BUF_INIT, value = BUF_INIT;

	json_object_object_foreach(fields, name, field)
		add_pair(
		    &text, name, json_object_get_string(field), (size_t)json_object_get_string_len(field));
	HOLDS(form_read(again, text.data, text.len, NULL) == 0);
	HOLDS(json_object_equal(fields, again));
	json_object_object_foreach(fields, key, wanted) {
		HOLDS(server_param(text.data, key, &value));
		HOLDS(strcmp(value.data, json_object_get_string(wanted)) == 0);
	}
	buf_clear(&text);
	buf_clear(&value);
	json_object_put(again);
}

static bool holds_nul(struct json_object *fields)
{
	json_object_object_foreach(fields, name, field) {
		(void)name;
		if (strlen(json_object_get_string(field)) != (size_t)json_object_get_string_len(field))
			return true;
	}
	return false;
}

static void check_form(const char *text, size_t len)
{
	struct json_object *fields = json_object_new_object();
	struct error err = {0};

	if (form_read(fields, text, len, &err) != 0)
		fuzz_hold_sentence(err.text);
	else if (!holds_nul(fields))
		check_again(fields);
	json_object_put(fields);
}

/* Names and texts that can stand in a header of a part, and in a body with our boundary. */
static bool fits_multipart(struct json_object *fields)
{
	json_object_object_foreach(fields, name, field)
		if (strpbrk(name, "\"\r\n") || !json_object_is_type(field, json_type_string) ||
		    memmem(json_object_get_string(field), (size_t)json_object_get_string_len(field), BOUNDARY,
			strlen(BOUNDARY)))
			return false;
	return json_object_object_length(fields) > 0;
}

static void check_parts(struct json_object *fields)
{
	struct json_object *again = json_object_new_object();
	struct buf body = BUF_INIT;

	json_object_object_foreach(fields, name, field) {
		buf_addf(
		    &body, "--" BOUNDARY "\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n", name);
		buf_add(&body, json_object_get_string(field), (size_t)json_object_get_string_len(field));
		buf_addstr(&body, "\r\n");
	}
	buf_addstr(&body, "--" BOUNDARY "--\r\n");
	HOLDS(form_read_multipart(
		  again, "multipart/form-data; boundary=" BOUNDARY, body.data, body.len, NULL) == 0);
	HOLDS(json_object_equal(fields, again));
	json_object_put(again);
	buf_clear(&body);
}

static void check_multipart(struct fuzz_input *in)
{
	struct json_object *fields = json_object_new_object();
	struct error err = {0};
	size_t len;
	char *content_type = fuzz_until(in, '\n', &len), *body = fuzz_rest(in, &len);

	if (form_read_multipart(fields, content_type, body, len, &err) != 0)
		fuzz_hold_sentence(err.text);
	else if (fits_multipart(fields))
		check_parts(fields);
	free(content_type);
	free(body);
	json_object_put(fields);
}

void fuzz_form(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size), parts = in;
	size_t len;
	char *text = fuzz_rest(&in, &len);

	check_decode(text, len);
	check_form(text, len);
	check_multipart(&parts);
	free(text);
}

FUZZ_PROGRAM(fuzz_form)
