/* The body of a request: whole, byte by byte and in pieces it is the same body, with the same bytes left over
 * for the next request. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "fuzz/fuzz.h"
#include "net/server/body.h"
#include "net/server/head.h"

struct reading {
	int rc; /* 1: whole; 0: more must come; -1: refused with status */
	int status;
	struct buf data, rest;
};

static void read_pieces(
    struct reading *r, const struct server_head *head, size_t max, const char *text, size_t len, size_t piece)
{
	struct server_body body;
	struct error err = {0};
	size_t at = 0;

	*r = (struct reading){.data = BUF_INIT, .rest = BUF_INIT};
	r->rc = server_body_start(&body, head, max, &err);
	HOLDS(r->rc == 0 || (head->length > max && err.code == 413));
	while (r->rc == 0 && (at < len || body.state == SERVER_BODY_DONE)) {
		size_t n = len - at < piece ? len - at : piece;

		buf_add(&r->rest, text + at, n);
		at += n;
		r->rc = server_body_take(&body, &r->rest, &err);
	}
	r->status = r->rc < 0 ? err.code : 0;
	HOLDS(r->status == 0 || r->status == 400 || r->status == 413);
	HOLDS((r->rc == 1) == (body.state == SERVER_BODY_DONE) || r->rc < 0);
	HOLDS(body.data.len <= max);
	buf_add(&r->data, body.data.data, body.data.len);
	buf_add(&r->rest, text + at, len - at);
	server_body_clear(&body);
}

static void reading_clear(struct reading *r)
{
	buf_clear(&r->data);
	buf_clear(&r->rest);
}

static bool same_bytes(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static void check_same(const struct reading *a, const struct reading *b)
{
	HOLDS(a->rc == b->rc && a->status == b->status);
	HOLDS(a->rc != 1 || (same_bytes(&a->data, &b->data) && same_bytes(&a->rest, &b->rest)));
}

/* Sent once more in chunks of three bytes it is the same body. */
static void check_again(const struct server_head *head, const struct reading *r, size_t max)
{
	struct reading again;
	struct buf text = BUF_INIT;

	for (size_t at = 0; head->chunked && at < r->data.len; at += 3) {
		size_t n = r->data.len - at < 3 ? r->data.len - at : 3;

		buf_addf(&text, "%zx\r\n", n);
		buf_add(&text, r->data.data + at, n);
		buf_addstr(&text, "\r\n");
	}
	buf_add(&text, head->chunked ? "0\r\n\r\n" : r->data.data, head->chunked ? 5 : r->data.len);
	read_pieces(&again, head, max, text.data, text.len, text.len + 1);
	HOLDS(again.rc == 1 && same_bytes(&again.data, &r->data) && again.rest.len == 0);
	reading_clear(&again);
	buf_clear(&text);
}

void fuzz_server_body(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t length = fuzz_byte(&in), piece = 2 + fuzz_below(&in, 40), max = 4 * fuzz_byte(&in), len;
	const struct server_head head = {.chunked = length > 60, .length = length > 60 ? 0 : length};
	struct reading whole, bytes, pieces;
	char *text = fuzz_rest(&in, &len);

	read_pieces(&whole, &head, max, text, len, len + 1);
	read_pieces(&bytes, &head, max, text, len, 1);
	read_pieces(&pieces, &head, max, text, len, piece);
	check_same(&whole, &bytes);
	check_same(&whole, &pieces);
	if (whole.rc == 1 && !head.chunked)
		HOLDS(whole.data.len == length && memcmp(text, whole.data.data, length) == 0);
	if (whole.rc == 1)
		check_again(&head, &whole, max);
	reading_clear(&whole);
	reading_clear(&bytes);
	reading_clear(&pieces);
	free(text);
}

FUZZ_PROGRAM(fuzz_server_body)
