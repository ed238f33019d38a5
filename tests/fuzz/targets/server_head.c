/* The head of a request, as anybody who reaches a listener may send it: found at the same place however it
 * arrives, and read in one way only, so that two readers cannot differ. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "net/server/head.h"

/* The end of the head, found in pieces of the given size. */
static ssize_t find(const char *text, size_t len, size_t piece)
{
	size_t scanned = 0, have = 0;
	ssize_t found = 0;

	while (found == 0 && have < len) {
		have += len - have < piece ? len - have : piece;
		found = server_head_find(text, have, &scanned);
	}
	return found;
}

static void check_refusal(const struct error *err)
{
	static const int statuses[] = {400, 414, 417, 431, 501, 505};
	bool known = false;

	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		known |= statuses[i] == err->code;
	HOLDS(known && err->kind == ERROR_REFUSED && err->text[0] != '\0');
}

static size_t count_named(const struct server_head *head, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < head->header_count; i++)
		n += strcmp(head->headers[i].name, name) == 0;
	return n;
}

static void check_header(const struct server_head *head, const struct server_header *h)
{
	static const char token[] = "abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-.^_`|~";
	size_t len = strlen(h->value);

	HOLDS(h->name[0] != '\0' && h->name[strspn(h->name, token)] == '\0');
	HOLDS(len == 0 || (!strchr(" \t", h->value[0]) && !strchr(" \t", h->value[len - 1])));
	for (const char *c = h->value; *c != '\0'; c++)
		HOLDS((unsigned char)*c >= ' ' || *c == '\t');
	HOLDS(server_head_get(head, h->name));
}

/* What decides where the request ends stands there once and says one thing. */
static void check_framing(const struct server_head *head)
{
	static const char *const once[] = {
	    "authorization", "content-length", "host", "origin", "transfer-encoding"};
	const char *length = server_head_get(head, "content-length");
	const char *encoding = server_head_get(head, "transfer-encoding");

	for (size_t i = 0; i < ARRAY_LEN(once); i++)
		HOLDS(count_named(head, once[i]) <= 1);
	HOLDS(!length || !encoding);
	HOLDS(head->chunked == (encoding != NULL));
	HOLDS((!length ? 0 : strtoull(length, NULL, 10)) == head->length);
	HOLDS(!length || length[strspn(length, "0123456789")] == '\0');
	HOLDS(!head->version_1_0 || (!head->chunked && !head->expects_continue));
}

static void write_head(struct buf *out, const struct server_head *head)
{
	buf_addf(out, "%s %s", head->method, head->path);
	if (head->query[0] != '\0')
		buf_addf(out, "?%s", head->query);
	buf_addf(out, " HTTP/1.%d\r\n", !head->version_1_0);
	for (size_t i = 0; i < head->header_count; i++)
		buf_addf(out, "%s: %s\r\n", head->headers[i].name, head->headers[i].value);
	buf_addstr(out, "\r\n");
}

/* Written again and read again it is the same. */
static void check_round(const struct server_head *head)
{
	struct server_head again;
	struct buf text = BUF_INIT;

	write_head(&text, head);
	HOLDS(find(text.data, text.len, text.len) == (ssize_t)text.len);
	HOLDS(server_head_parse(&again, text.data, text.len, NULL) == 0);
	HOLDS(strcmp(again.method, head->method) == 0 && strcmp(again.path, head->path) == 0);
	HOLDS(strcmp(again.query, head->query) == 0 && again.header_count == head->header_count);
	HOLDS(again.keep_alive == head->keep_alive && again.expects_continue == head->expects_continue);
	for (size_t i = 0; i < head->header_count; i++)
		HOLDS(strcmp(again.headers[i].name, head->headers[i].name) == 0 &&
		    strcmp(again.headers[i].value, head->headers[i].value) == 0);
	server_head_clear(&again);
	buf_clear(&text);
}

static void parse(const char *text, size_t len)
{
	struct server_head head;
	struct error err = {0};

	if (server_head_parse(&head, text, len, &err) != 0) {
		check_refusal(&err);
	} else {
		HOLDS(head.path[0] == '/' ||
		    (strcmp(head.path, "*") == 0 && strcmp(head.method, "OPTIONS") == 0));
		HOLDS(!strpbrk(head.path, " ?\t") && !strpbrk(head.query, " \t"));
		HOLDS(head.header_count <= SERVER_HEADERS_MAX);
		for (size_t i = 0; i < head.header_count; i++)
			check_header(&head, &head.headers[i]);
		check_framing(&head);
		check_round(&head);
	}
	server_head_clear(&head);
}

void fuzz_server_head(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t piece = 1 + fuzz_below(&in, 40), len;
	char *text = fuzz_rest(&in, &len);
	ssize_t found = find(text, len, len > 0 ? len : 1);

	HOLDS(found >= -1 && found <= (ssize_t)len);
	HOLDS(find(text, len, 1) == found && find(text, len, piece) == found);
	if (found > 0) {
		HOLDS(memcmp(text + found - 4, "\r\n\r\n", 4) == 0);
		parse(text, (size_t)found);
	}
	free(text);
}

FUZZ_PROGRAM(fuzz_server_head)
