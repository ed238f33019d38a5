#include "tools/web/web.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "net/child/child.h"
#include "net/web/web.h"

#define READER    "myna-reader"
#define READER_MS 15000
/* More than the helper writes. */
#define OUTPUT_MAX (2 * 1024 * 1024)
/* Bytes checked to tell text from binary data. */
#define SNIFF 8192

enum kind { KIND_UNKNOWN, KIND_BINARY, KIND_HTML, KIND_TEXT };

/* Matched with the start of the type, or with '+' its end; the first match counts. */
static const struct {
	const char *type;
	enum kind kind;
} kinds[] = {
    {"text/html", KIND_HTML},
    {"application/xhtml+xml", KIND_HTML},
    {"text/", KIND_TEXT},
    {"application/json", KIND_TEXT},
    {"application/xml", KIND_TEXT},
    {"application/javascript", KIND_TEXT},
    {"application/ecmascript", KIND_TEXT},
    {"application/x-javascript", KIND_TEXT},
    {"application/yaml", KIND_TEXT},
    {"application/x-yaml", KIND_TEXT},
    {"application/toml", KIND_TEXT},
    {"application/x-ndjson", KIND_TEXT},
    {"application/x-sh", KIND_TEXT},
    {"application/graphql", KIND_TEXT},
    {"application/sql", KIND_TEXT},
    {"application/x-www-form-urlencoded", KIND_TEXT},
    {"+json", KIND_TEXT},
    {"+xml", KIND_TEXT},
    {"+yaml", KIND_TEXT},
    {"application/octet-stream", KIND_UNKNOWN},
    {"", KIND_BINARY},
};

static bool type_is(const char *type, const char *row)
{
	size_t len = strcspn(type, "; \t"), n = strlen(row);

	if (row[0] == '+')
		return len > n && strncasecmp(type + len - n, row, n) == 0;
	return strncasecmp(type, row, n) == 0;
}

static enum kind by_type(const char *type)
{
	size_t i = 0;

	if (*type == '\0')
		return KIND_UNKNOWN;
	while (!type_is(type, kinds[i].type))
		i++;
	return kinds[i].kind;
}

static enum kind kind_by_content(const struct buf *body)
{
	static const char *const begins[] = {"<!doctype html", "<html", "<head", "<body"};
	const char *s = body->data + strspn(body->data, " \t\r\n");

	for (size_t i = 0; i < ARRAY_LEN(begins); i++)
		if (strncasecmp(s, begins[i], strlen(begins[i])) == 0)
			return KIND_HTML;
	return memchr(body->data, '\0', body->len < SNIFF ? body->len : SNIFF) ? KIND_BINARY : KIND_TEXT;
}

/* Gets the charset that the server declares; "" for none. */
static void declared_charset(const char *type, char *out, size_t size)
{
	const char *at = strcasestr(type, "charset=");
	char *copy;

	out[0] = '\0';
	if (!at)
		return;
	at += strlen("charset=");
	at += *at == '"' || *at == '\'';
	copy = xstrndup(at, strcspn(at, "\"' ;\t"));
	str_copy(out, size, copy);
	free(copy);
}

/* Returns the number of bytes that end with a complete character. */
static size_t whole_characters(const struct buf *body, bool cut)
{
	size_t len = body->len;

	if (!cut)
		return len;
	while (len > 0 && body->len - len < 3 && (body->data[len - 1] & 0xc0) == 0x80)
		len--;
	if (len > 0 && (body->data[len - 1] & 0xc0) == 0xc0 &&
	    !utf8_valid(body->data + len - 1, body->len - len + 1))
		return len - 1;
	return body->len;
}

/* Text that can be used without the helper. */
static bool is_plain(const struct web_response *res, const char *charset)
{
	return (*charset == '\0' || strcasecmp(charset, "utf-8") == 0 || strcasecmp(charset, "utf8") == 0 ||
		   strcasecmp(charset, "us-ascii") == 0) &&
	    utf8_valid(res->body.data, whole_characters(&res->body, res->truncated));
}

static void add_plain(struct buf *out, const struct web_response *res)
{
	size_t len = whole_characters(&res->body, res->truncated), mark = 0;

	if (len >= 3 && memcmp(res->body.data, "\xef\xbb\xbf", 3) == 0)
		mark = 3;
	buf_add(out, res->body.data + mark, len - mark);
}

static void add_kind(struct buf *out, const struct web_response *res)
{
	size_t len = strcspn(res->content_type, "; \t");

	buf_addf(out, "[Not text: %.*s, ", (int)(len > 0 ? len : 12),
	    len > 0 ? res->content_type : "unknown type");
	if (!res->truncated)
		buf_addf(out, "%zu bytes.]", res->body.len);
	else if (res->length > (int64_t)res->body.len)
		buf_addf(out, "%lld bytes.]", (long long)res->length);
	else
		buf_addf(out, "more than %zu bytes.]", res->body.len);
}

struct output {
	struct buf *text;
	struct buf complaint;
};

static void on_output(void *arg, enum child_stream stream, const char *data, size_t len)
{
	struct output *o = arg;
	struct buf *to = stream == CHILD_STDOUT ? o->text : &o->complaint;

	if (to->len + len <= OUTPUT_MAX)
		buf_add(to, data, len);
}

/* Returns -1 when the helper failed, and err says why. */
static int judge(const struct child_end *end, struct output *o, struct error *err)
{
	if (end->status == 0)
		return 0;
	if (end->timed_out || end->signal == SIGXCPU || end->signal == SIGKILL)
		return error_set(err, ERROR_OURS, "it takes too long to read");
	return error_set(err, ERROR_OURS, "it cannot be read (%s, status %d) %.100s", READER, end->status,
	    o->complaint.data);
}

static int read_by_helper(struct task *t, const struct web_response *res, const char *how,
    const char *charset, struct buf *out, struct error *err)
{
	char *program = helper_path(READER, err);
	const char *const argv[] = {program, how, charset, res->url, NULL};
	struct output o = {.text = out, .complaint = BUF_INIT};
	struct child_options options = {
	    .argv = argv, .input = true, .deadline_ms = READER_MS, .sink = on_output, .sink_arg = &o};
	struct child_end end = {0};
	struct child *child = program ? child_start(&options, err) : NULL;
	int rc = -1;

	if (child) {
		/* If the program stops reading, its exit status says why. */
		rc = child_write(t, child, res->body.data, res->body.len, err);
		child_close_input(child);
		if (rc == 0 || err->kind != ERROR_CANCELLED)
			rc = child_wait(t, child, &end, err);
		child_free(t, child);
		if (rc == 0)
			rc = judge(&end, &o, err);
	}
	buf_clear(&o.complaint);
	free(program);
	return rc;
}

int web_text(struct task *t, const struct web_response *res, bool raw, struct buf *out, struct error *err)
{
	enum kind kind = by_type(res->content_type);
	char charset[48];

	if (res->body.len == 0)
		return 0;
	if (kind == KIND_UNKNOWN)
		kind = kind_by_content(&res->body);
	if (kind == KIND_BINARY) {
		add_kind(out, res);
		return 0;
	}
	declared_charset(res->content_type, charset, sizeof(charset));
	if (kind == KIND_HTML && !raw)
		return read_by_helper(t, res, "html", charset, out, err);
	if (!is_plain(res, charset))
		return read_by_helper(t, res, "text", charset, out, err);
	add_plain(out, res);
	return 0;
}
