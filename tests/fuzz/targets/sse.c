/* llm/sse: a stream gives the same events however it is cut into pieces, and those that the standard says
 * (WHATWG HTML, 9.2.6), read here from the whole text at once. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "fuzz/fuzz.h"
#include "llm/formats/sse.h"

/* What was handed over, as one text. */
struct events {
	struct buf log;
	size_t longest;
};

static int keep_event(const char *name, const char *data, size_t len, void *arg)
{
	struct events *e = arg;

	HOLDS(len > 0 && data[len] == '\0');
	buf_addf(&e->log, "%zu %zu ", strlen(name), len);
	buf_addstr(&e->log, name);
	buf_add(&e->log, data, len);
	e->longest = len > e->longest ? len : e->longest;
	return len >= 4 && memcmp(data, "STOP", 4) == 0 ? -1 : 0;
}

/* Feeds pieces of the given size; 0 or -1. */
static int feed(const char *text, size_t len, size_t piece, size_t max_event, struct events *events)
{
	struct sse s;
	int rc = 0;

	sse_init(&s, keep_event, events);
	s.max_event = max_event;
	for (size_t at = 0; at < len && rc == 0; at += piece)
		rc = sse_feed(&s, text + at, len - at < piece ? len - at : piece, NULL);
	if (rc == 0)
		rc = sse_end(&s, NULL);
	if (rc != 0) {
		size_t before = events->log.len;

		HOLDS(sse_feed(&s, "data: x\n\n", 9, NULL) < 0 && events->log.len == before);
	}
	sse_clear(&s);
	return rc;
}

/* The standard's reader. The name is cut at a NUL, as a string of C ends there. */
struct reader {
	struct buf name, data;
	bool any;
	struct events *events;
};

static int end_event(struct reader *r)
{
	int rc = r->data.len > 0 ? keep_event(r->name.data, r->data.data, r->data.len, r->events) : 0;

	buf_reset(&r->name);
	buf_reset(&r->data);
	r->any = false;
	return rc;
}

static int read_line(struct reader *r, const char *line, size_t len)
{
	const char *colon = memchr(line, ':', len);
	size_t field = colon != NULL ? (size_t)(colon - line) : len, skip = field + (colon != NULL);

	if (len == 0)
		return end_event(r);
	skip += skip < len && line[skip] == ' ';
	if (field == 5 && memcmp(line, "event", 5) == 0) {
		buf_reset(&r->name);
		buf_add(&r->name, line + skip, len - skip);
	} else if (field == 4 && memcmp(line, "data", 4) == 0) {
		if (r->any)
			buf_addch(&r->data, '\n');
		r->any = true;
		buf_add(&r->data, line + skip, len - skip);
	}
	return 0;
}

static int read_all(const char *text, size_t len, struct events *events)
{
	struct reader r = {.name = BUF_INIT, .data = BUF_INIT, .events = events};
	size_t at = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	int rc = 0;

	while (at < len && rc == 0) {
		size_t n = 0;

		while (at + n < len && text[at + n] != '\r' && text[at + n] != '\n')
			n++;
		rc = read_line(&r, text + at, n);
		at += n;
		at += at < len && text[at] == '\r' && at + 1 < len && text[at + 1] == '\n' ? 2 : 1;
	}
	/* Ours: what no blank line closed is handed over all the same. */
	if (rc == 0)
		rc = end_event(&r);
	buf_clear(&r.name);
	buf_clear(&r.data);
	return rc;
}

static void check_same(const struct events *a, const struct events *b)
{
	HOLDS(a->log.len == b->log.len && memcmp(a->log.data, b->log.data, a->log.len) == 0);
}

void fuzz_sse(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	struct events whole = {BUF_INIT, 0}, bytes = {BUF_INIT, 0}, pieces = {BUF_INIT, 0},
		      wanted = {BUF_INIT, 0};
	size_t piece = 2 + fuzz_below(&in, 30), limit = fuzz_byte(&in), len;
	char *text = fuzz_rest(&in, &len);
	/* Zero lifts the limit; else it is small, so that it is met. */
	size_t max_event = limit == 0 ? size + 8 : limit;
	int rc = feed(text, len, len + 1, max_event, &whole);

	HOLDS(feed(text, len, 1, max_event, &bytes) == rc);
	HOLDS(feed(text, len, piece, max_event, &pieces) == rc);
	check_same(&whole, &bytes);
	check_same(&whole, &pieces);
	HOLDS(whole.longest <= max_event);
	if (limit == 0) {
		HOLDS(read_all(text, len, &wanted) == rc);
		check_same(&whole, &wanted);
	}
	buf_clear(&whole.log);
	buf_clear(&bytes.log);
	buf_clear(&pieces.log);
	buf_clear(&wanted.log);
	free(text);
}

FUZZ_PROGRAM(fuzz_sse)
