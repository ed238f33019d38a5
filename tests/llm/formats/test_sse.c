#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "llm/formats/sse.h"

/* Each event is written to the log as "name|data;". */
static int log_event(const char *name, const char *data, size_t len, void *arg)
{
	struct buf *log = arg;

	assert_int_equal(data[len], '\0');
	buf_addf(log, "%s|", name);
	buf_add(log, data, len);
	buf_addch(log, ';');
	return 0;
}

struct stream {
	const char *what, *bytes;
	size_t len;
	const char *events;
};
#define STREAM(what, bytes, events)                    \
	{                                              \
		what, bytes, sizeof(bytes) - 1, events \
	}

static const struct stream streams[] = {
    STREAM("line feeds", "data: one\n\ndata: two\n\n", "|one;|two;"),
    STREAM("carriage returns", "data: one\r\rdata: two\r\r", "|one;|two;"),
    STREAM("both", "data: one\r\n\r\ndata: two\r\n\r\n", "|one;|two;"),
    STREAM("mixed line ends", "data: a\r\ndata: b\ndata: c\r\r\ndata: d\n\r", "|a\nb\nc;|d;"),
    STREAM("CR then LF are one end", "data: a\r\ndata: b\r\n\n", "|a\nb;"),
    STREAM("LF then CR are two ends", "data: a\n\rdata: b\n\r", "|a;|b;"),
    STREAM("byte order mark",
	"\xef\xbb\xbf"
	"data: x\n\n",
	"|x;"),
    STREAM("only one byte order mark",
	"\xef\xbb\xbf\xef\xbb\xbf"
	"data: x\n\ndata: y\n\n",
	"|y;"),
    STREAM("a mark later is not dropped",
	"data: x\n\n\xef\xbb\xbf"
	"data: y\n\n",
	"|x;"),
    STREAM("a mark before a blank line", "\xef\xbb\xbf\n\xef\xbb\xbf\ndata: y\n\n", "|y;"),
    STREAM("half a mark",
	"\xef\xbb"
	"data: x\n\ndata: y\n\n",
	"|y;"),
    STREAM("comments", ": hello\n:\ndata: x\n: in the middle\ndata: y\n\n:\n\n", "|x\ny;"),
    STREAM("several data lines", "data: a\ndata:\ndata: c\n\n", "|a\n\nc;"),
    STREAM("two empty data lines", "data\ndata\n\n", "|\n;"),
    STREAM("empty data is skipped", "data:\n\nevent: e\ndata: \n\ndata: x\n\n", "|x;"),
    STREAM("event without data is skipped", "event: e\n\ndata: x\n\n", "|x;"),
    STREAM("one blank is dropped", "data:a\n\ndata: b\n\ndata:  c\n\ndata:\td\n\n", "|a;|b;| c;|\td;"),
    STREAM("done", "data:[DONE]\n\ndata: [DONE]\n\n", "|[DONE];|[DONE];"),
    STREAM("names", "event: a\ndata: 1\n\ndata: 2\n\nevent:b\nevent:c\ndata: 3\n\n", "a|1;|2;c|3;"),
    STREAM("other fields", "id: 7\nretry: 5\ndata: x\nDATA: y\n data: z\ndatax: q\nda: r\n\n", "|x;"),
    STREAM("colons in data", "data: {\"a\": \"b:c\"}\n\n", "|{\"a\": \"b:c\"};"),
    STREAM("event at the end", "data: x\n\ndata: last", "|x;|last;"),
    STREAM("line closed at the end", "data: x\n\ndata: last\n", "|x;|last;"),
    STREAM("line closed by CR at the end", "data: last\r", "|last;"),
    STREAM("nothing open at the end", "data: x\n\n", "|x;"),
    STREAM("only blank lines", "\n\n\r\r\r\n\n", ""),
    STREAM("no byte at all", "", ""),
    STREAM("invalid UTF-8", "data: \xff\xc3\xe2\x82\xed\xa0\x80\n\n", "|\xff\xc3\xe2\x82\xed\xa0\x80;"),
    STREAM("characters", "event: \xc3\xa9t\xc3\xa9\ndata: \xf0\x9f\x8c\xa7\n\n",
	"\xc3\xa9t\xc3\xa9|\xf0\x9f\x8c\xa7;"),
    STREAM("a real answer",
	"event: message_start\ndata: {\"type\":\"message_start\"}\n\n: ping\n\n"
	"event: content_block_delta\r\ndata: {\"text\":\"hi\"}\r\n\r\nevent: message_stop\ndata: {}\n\n",
	"message_start|{\"type\":\"message_start\"};content_block_delta|{\"text\":\"hi\"};message_stop|{};"),
};

/* Feeds the pieces [0, a), [a, b), [b, len) and ends; step > 0 cuts each piece further. */
static void check_pieces(const struct stream *stream, size_t a, size_t b, size_t step)
{
	struct buf log = BUF_INIT;
	struct sse s;
	size_t ends[] = {a, b, stream->len}, at = 0;

	sse_init(&s, log_event, &log);
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		while (at < ends[i]) {
			size_t n = step > 0 && ends[i] - at > step ? step : ends[i] - at;
			char *piece = xmemdup(stream->bytes + at, n);

			assert_int_equal(sse_feed(&s, piece, n, NULL), 0);
			free(piece);
			at += n;
		}
		assert_int_equal(sse_feed(&s, "", 0, NULL), 0);
	}
	assert_int_equal(sse_end(&s, NULL), 0);
	if (strcmp(log.data, stream->events) != 0)
		print_message("%s, cut at %zu and %zu\n", stream->what, a, b);
	assert_string_equal(log.data, stream->events);
	sse_clear(&s);
	buf_clear(&log);
}

static void every_cut_gives_the_same_events(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
		const struct stream *stream = &streams[i];

		check_pieces(stream, stream->len, stream->len, 0);
		check_pieces(stream, stream->len, stream->len, 1);
		check_pieces(stream, stream->len, stream->len, 2);
		for (size_t a = 0; a <= stream->len; a++)
			for (size_t b = a; b <= stream->len; b += stream->len > 60 ? 7 : 1)
				check_pieces(stream, a, b, 0);
	}
}

static void a_nul_byte_is_data(void **state)
{
	static const struct stream nul = STREAM("nul", "data: a\0b\n\n", "|a");
	struct buf log = BUF_INIT;
	struct sse s;

	(void)state;
	sse_init(&s, log_event, &log);
	assert_int_equal(sse_feed(&s, nul.bytes, nul.len, NULL), 0);
	assert_int_equal(log.len, 5);
	assert_memory_equal(log.data, "|a\0b;", 5);
	sse_clear(&s);
	buf_clear(&log);
}

static int feed_in(struct sse *s, const char *bytes, size_t step, struct error *err)
{
	for (size_t at = 0, len = strlen(bytes); at < len; at += step) {
		if (sse_feed(s, bytes + at, len - at < step ? len - at : step, err) != 0)
			return -1;
	}
	return sse_end(s, err);
}

static void an_event_may_be_as_large_as_the_limit_and_no_larger(void **state)
{
	static const char *const fits[] = {"data: 45\n\ndata: 45\n\n", "event:12\n\n: 345678\n\n"};
	static const char *const large[] = {"data: 456\n\n", "data: 45\ndata: 5\n\n", "event:12\ndata: 3\n\n",
	    ": 3456789", "123456789", "data: 1\n\n123456789\n"};

	(void)state;
	for (size_t step = 1; step < 12; step++) {
		for (size_t i = 0; i < ARRAY_LEN(fits) + ARRAY_LEN(large); i++) {
			bool ok = i < ARRAY_LEN(fits);
			struct buf log = BUF_INIT;
			struct error err = {0};
			struct sse s;

			sse_init(&s, log_event, &log);
			s.max_event = 8;
			assert_int_equal(
			    feed_in(&s, ok ? fits[i] : large[i - ARRAY_LEN(fits)], step, &err), ok ? 0 : -1);
			if (!ok) {
				assert_int_equal(err.kind, ERROR_OURS);
				assert_non_null(strstr(err.text, "larger than 8 bytes"));
			}
			sse_clear(&s);
			buf_clear(&log);
		}
	}
}

static void by_default_an_event_of_8_mib_fails_without_being_kept(void **state)
{
	static char chunk[64 * 1024];
	struct buf log = BUF_INIT;
	struct error err = {0};
	struct sse s;
	size_t fed = 0;

	(void)state;
	memset(chunk, 'x', sizeof(chunk));
	sse_init(&s, log_event, &log);
	while (sse_feed(&s, chunk, sizeof(chunk), &err) == 0)
		fed += sizeof(chunk);
	assert_int_equal(fed, 8 * 1024 * 1024);
	assert_int_equal(err.kind, ERROR_OURS);
	assert_int_equal(sse_feed(&s, "\n\ndata: x\n\n", 11, &err), -1);
	assert_int_equal(sse_end(&s, &err), -1);
	assert_int_equal(log.len, 0);
	sse_clear(&s);
	buf_clear(&log);
}

static int stop_at_b(const char *name, const char *data, size_t len, void *arg)
{
	log_event(name, data, len, arg);
	return strcmp(data, "b") == 0 ? -1 : 0;
}

static void nothing_is_handed_over_after_a_stop(void **state)
{
	struct buf log = BUF_INIT;
	struct error err = {.text = "the reader's own words"};
	struct sse s;

	(void)state;
	sse_init(&s, stop_at_b, &log);
	assert_int_equal(sse_feed(&s, "data: a\n\ndata: b\n\ndata: c\n\n", 27, &err), -1);
	assert_string_equal(err.text, "the reader's own words");
	assert_int_equal(sse_feed(&s, "data: d\n\n", 9, &err), -1);
	assert_int_equal(err.kind, ERROR_OURS);
	assert_int_equal(sse_end(&s, &err), -1);
	assert_string_equal(log.data, "|a;|b;");
	sse_clear(&s);
	buf_clear(&log);
}

static void the_last_id_and_the_wait_are_kept(void **state)
{
	static const char bytes[] =
	    "id: 1\nretry: 5\ndata: a\n\nid: two\ndata:\n\nretry: soon\nid: x\0y\ndata: b\n\n";
	struct buf log = BUF_INIT;
	struct sse s;

	(void)state;
	sse_init(&s, log_event, &log);
	for (size_t i = 0; i < sizeof(bytes) - 1; i++)
		assert_int_equal(sse_feed(&s, bytes + i, 1, NULL), 0);
	assert_string_equal(log.data, "|a;|b;");
	assert_string_equal(s.id.data, "two");
	assert_int_equal(s.retry_ms, 5);
	sse_clear(&s);
	buf_clear(&log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_last_id_and_the_wait_are_kept),
	    cmocka_unit_test(every_cut_gives_the_same_events),
	    cmocka_unit_test(a_nul_byte_is_data),
	    cmocka_unit_test(an_event_may_be_as_large_as_the_limit_and_no_larger),
	    cmocka_unit_test(by_default_an_event_of_8_mib_fails_without_being_kept),
	    cmocka_unit_test(nothing_is_handed_over_after_a_stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
