#include <stdint.h>
#include <string.h>

#include "base/task.h"
#include "base/text/utf8.h"
#include "playground/model/api.h"
#include "playground/server/fault.h"

#define KEEP_ALIVE_MS 100

/* Sends text with the answer's line ends, in one piece unless it is sent byte by byte. */
static void send_text(struct model_stream *s, const char *text, size_t len)
{
	unsigned quirks = s->ex->fault.quirks;
	struct buf out = BUF_INIT;

	s->sent += len;
	if (quirks == 0) {
		s->over = server_stream_write(s->t, s->ex->req, text, len, NULL) != 0;
		return;
	}
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '\n')
			buf_addch(&out, text[i]);
		else
			buf_addstr(&out, quirks & QUIRK_CRLF ? "\r\n" : quirks & QUIRK_CR ? "\r" : "\n");
	}
	for (size_t i = 0, n = quirks & QUIRK_BYTES ? 1 : out.len; i < out.len && !s->over; i += n)
		s->over = server_stream_write(s->t, s->ex->req, out.data + i, n, NULL) != 0;
	buf_clear(&out);
}

static void send_keep_alives(struct model_stream *s)
{
	const char *text = s->ex->fault.kind == FAULT_PINGS ? "event: ping\ndata: {\"type\":\"ping\"}\n\n" :
							      ": keep-alive\n\n";

	for (unsigned left = s->ex->fault.seconds * 1000 / KEEP_ALIVE_MS; left > 0 && !s->over; left--) {
		send_text(s, text, strlen(text));
		if (!s->over)
			s->over = task_sleep(s->t, KEEP_ALIVE_MS, NULL) != 0;
	}
	if (!s->over)
		server_stream_end(s->ex->req);
	s->over = true;
}

void model_stream_begin(
    struct model_stream *s, struct task *t, struct exchange *ex, const struct model_answer *a)
{
	*s = (struct model_stream){.t = t, .ex = ex, .a = a, .out = BUF_INIT};
	ex->status = 200;
	server_stream_begin(ex->req, 200, "text/event-stream; charset=utf-8", "Cache-Control: no-cache\r\n");
	if (ex->fault.kind == FAULT_KEEP_ALIVE || ex->fault.kind == FAULT_PINGS)
		send_keep_alives(s);
	if (ex->fault.quirks & QUIRK_BOM)
		buf_addstr(&s->out, "\xef\xbb\xbf");
}

static void strike(struct model_stream *s)
{
	struct buf event = BUF_INIT;

	if (s->ex->fault.kind == FAULT_ERROR) {
		failure_event(s->ex->fault.failure, s->ex->method, &event);
		send_text(s, event.data, event.len);
		server_stream_end(s->ex->req);
		buf_clear(&event);
	} else {
		/* Let the written bytes leave before the connection is reset. */
		task_sleep(s->t, s->ex->fault.kind == FAULT_HANG ? s->ex->fault.seconds * 1000 : 20, NULL);
		server_abort(s->ex->req);
	}
	s->over = true;
}

/* Returns how many pending bytes are sent before the fault takes effect: a cut takes effect at its byte,
 * others after the event that contains it. SIZE_MAX: all of them, and no fault. */
static size_t strikes_at(const struct model_stream *s)
{
	const struct fault *f = &s->ex->fault;
	size_t at = f->at_byte > s->sent ? f->at_byte - s->sent : 0;
	const char *end;

	if (at >= s->out.len || (f->kind != FAULT_CUT && f->kind != FAULT_ERROR && f->kind != FAULT_HANG))
		return SIZE_MAX;
	if (f->kind == FAULT_CUT)
		return at;
	end = memmem(s->out.data + at, s->out.len - at, "\n\n", 2);
	return end ? (size_t)(end + 2 - s->out.data) : SIZE_MAX;
}

static void flush(struct model_stream *s)
{
	size_t at;

	if (s->over || s->out.len == 0)
		return;
	at = strikes_at(s);
	send_text(s, s->out.data, at != SIZE_MAX ? at : s->out.len);
	if (!s->over && at != SIZE_MAX)
		strike(s);
	buf_reset(&s->out);
}

void model_stream_pause(struct model_stream *s)
{
	uint64_t ms = s->a->instant ? 0 : s->a->script->chunk_ms;

	if (s->ex->fault.kind == FAULT_SLOW)
		ms = s->ex->fault.token_ms;
	if (ms == 0 || s->over)
		return;
	flush(s);
	if (!s->over)
		s->over = task_sleep(s->t, ms, NULL) != 0;
}

bool model_stream_is_garbage(struct model_stream *s)
{
	if (s->ex->fault.kind != FAULT_GARBAGE)
		return false;
	buf_addstr(&s->out, "data: {\"id\":\"chatcmpl-\xff\xfe,\"choices\":[{\n\ndata: <html>\n\n");
	return true;
}

bool model_stream_is_unfinished(struct model_stream *s)
{
	enum fault_kind kind = s->ex->fault.kind;

	if (kind == FAULT_ERROR || kind == FAULT_HANG) {
		flush(s);
		if (!s->over)
			strike(s);
	}
	return kind == FAULT_NO_FINISH || s->over;
}

void model_stream_end(struct model_stream *s)
{
	flush(s);
	if (!s->over)
		server_stream_end(s->ex->req);
	buf_clear(&s->out);
}

void model_stream_quote(struct buf *out, const char *text, size_t len)
{
	const unsigned char *u = (const unsigned char *)text;

	if (len == 3 && u[0] == 0xed && u[1] >= 0xa0)
		buf_addf(out, "\"\\u%04x\"", 0xd000u | (u[1] & 0x3fu) << 6 | (u[2] & 0x3fu));
	else
		json_quote(out, text, len);
}

/* Sends the two halves of the surrogate pair that begins the text as separate deltas, without a pause
 * between them. */
static void hand_over_halves(struct model_stream *s, const char *text,
    void (*piece)(struct model_stream *s, const char *text, size_t len, void *arg), void *arg)
{
	const unsigned char *u = (const unsigned char *)text;
	uint32_t c = (u[0] & 7u) << 18 | (u[1] & 0x3fu) << 12 | (u[2] & 0x3fu) << 6 | (u[3] & 0x3fu);
	uint32_t halves[2] = {0xd800 + ((c - 0x10000) >> 10), 0xdc00 + ((c - 0x10000) & 0x3ff)};

	for (size_t i = 0; i < 2; i++) {
		char half[3] = {
		    (char)0xed, (char)(0x80 | (halves[i] >> 6 & 0x3f)), (char)(0x80 | (halves[i] & 0x3f))};

		piece(s, half, sizeof(half), arg);
	}
}

static bool is_beyond_bmp(char c)
{
	return (unsigned char)c >= 0xf0;
}

void model_stream_text(struct model_stream *s, const char *text, size_t len, size_t chunk, bool paced,
    void (*piece)(struct model_stream *s, const char *text, size_t len, void *arg), void *arg)
{
	bool halve = (s->ex->fault.quirks & QUIRK_SURROGATES) != 0;

	while (len > 0 && !s->over) {
		size_t n = utf8_cut(text, len, chunk, UTF8_CHARS);

		if (halve && is_beyond_bmp(*text)) {
			n = 4;
			hand_over_halves(s, text, piece, arg);
		} else {
			for (size_t i = 1; halve && i < n; i++)
				if (is_beyond_bmp(text[i]))
					n = i;
			piece(s, text, n, arg);
		}
		text += n;
		len -= n;
		if (len > 0 && paced)
			model_stream_pause(s);
	}
}
