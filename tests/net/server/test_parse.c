#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "net/server/server.h"
#include "net/server/body.h"
#include "net/server/head.h"

#define HEAD "POST /a?b HTTP/1.1\r\nHost: x\r\nAccept: one\r\nAccept: two\r\nEmpty:\r\nX: \t y z\t \r\n\r\n"

static void a_head_is_found_however_it_arrives(void **state)
{
	const char text[] = HEAD "rest";
	size_t end = strlen(HEAD), scanned = 0;

	(void)state;
	for (size_t len = 0; len < end; len++)
		assert_int_equal(server_head_find(text, len, &scanned), 0);
	assert_int_equal(server_head_find(text, strlen(text), &scanned), end);
	scanned = 0;
	assert_int_equal(server_head_find(text, strlen(text), &scanned), end);
}

static void line_ends_and_controls_are_checked_as_they_arrive(void **state)
{
	static const char *const bad[] = {"GET\n", "GET\r ", "GET \001", "GET \177", "\033[", "A: b\r\r\n"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		size_t scanned = 0;

		assert_int_equal(server_head_find(bad[i], strlen(bad[i]), &scanned), -1);
	}
}

static void the_parts_of_a_head_are_told_apart(void **state)
{
	struct server_head head;
	struct error err;

	(void)state;
	assert_int_equal(server_head_parse(&head, HEAD, strlen(HEAD), &err), 0);
	assert_string_equal(head.method, "POST");
	assert_string_equal(head.path, "/a");
	assert_string_equal(head.query, "b");
	assert_string_equal(server_head_get(&head, "accept"), "one");
	assert_string_equal(server_head_get(&head, "empty"), "");
	assert_string_equal(server_head_get(&head, "x"), "y z");
	assert_null(server_head_get(&head, "y"));
	assert_int_equal(head.header_count, 5);
	assert_true(head.keep_alive);
	assert_false(head.chunked);
	server_head_clear(&head);
}

static bool keeps_alive(const char *version, const char *connection)
{
	struct buf text = BUF_INIT;
	struct server_head head;
	bool keep;

	buf_addf(&text, "GET / HTTP/%s\r\nConnection: %s\r\n\r\n", version, connection);
	assert_int_equal(server_head_parse(&head, text.data, text.len, NULL), 0);
	keep = head.keep_alive;
	server_head_clear(&head);
	buf_clear(&text);
	return keep;
}

static void the_connection_header_is_a_list_of_words(void **state)
{
	(void)state;
	assert_true(keeps_alive("1.1", ""));
	assert_true(keeps_alive("1.1", "closed, not-close"));
	assert_false(keeps_alive("1.1", "upgrade , Close"));
	assert_false(keeps_alive("1.0", "upgrade"));
	assert_true(keeps_alive("1.0", "Keep-Alive"));
	assert_false(keeps_alive("1.0", "keep-alive,close"));
}

static int body_start(struct server_body *body, const char *framing, size_t max, struct error *err)
{
	struct buf text = BUF_INIT;
	struct server_head head;
	int rc;

	buf_addf(&text, "POST / HTTP/1.1\r\n%s\r\n\r\n", framing);
	assert_int_equal(server_head_parse(&head, text.data, text.len, err), 0);
	rc = server_body_start(body, &head, max, err);
	server_head_clear(&head);
	buf_clear(&text);
	return rc;
}

/* Gives the body in pieces; what is left over must be rest. */
static void assert_body(const char *framing, const char *sent, const char *want, const char *rest)
{
	for (size_t piece = 1; piece <= strlen(sent); piece++) {
		struct server_body body;
		struct buf in = BUF_INIT;
		int rc;

		assert_int_equal(body_start(&body, framing, 100, NULL), 0);
		for (size_t i = 0; i < strlen(sent); i += piece) {
			buf_add(&in, sent + i, strnlen(sent + i, piece));
			rc = server_body_take(&body, &in, NULL);
		}
		assert_int_equal(rc, 1);
		assert_string_equal(body.data.data, want);
		assert_string_equal(in.data, rest);
		server_body_clear(&body);
		buf_clear(&in);
	}
}

static void bodies_are_put_together_however_they_arrive(void **state)
{
	(void)state;
	assert_body("Content-Length: 5", "hello", "hello", "");
	assert_body("Content-Length: 5", "helloGET", "hello", "GET");
	assert_body("Transfer-Encoding: Chunked", "1\r\na\r\n0B;x=\"y\"\r\nbcdefghijkl\r\n000\r\n\r\nGET",
	    "abcdefghijkl", "GET");
	assert_body("Transfer-Encoding: chunked", "0\r\nX: 1\r\nY: 2\r\n\r\n", "", "");
}

static void bad_chunks_are_refused(void **state)
{
	static const struct {
		const char *sent;
		int status;
	} cases[] = {
	    {"\r\n", 400},
	    {"x\r\n", 400},
	    {"1\n", 400},
	    {"-1\r\n", 400},
	    {"0x1\r\n", 400},
	    {"123456789\r\n", 400},
	    {"5 garbage", 0},
	    {"2\r\nabc\r\n", 400},
	    {"65\r\n", 413},
	    {"ffffffff\r\n", 413},
	    {"60\r\n", 0},
	};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct server_body body;
		struct buf in = BUF_INIT;
		int rc;

		assert_int_equal(body_start(&body, "Transfer-Encoding: chunked", 100, &err), 0);
		buf_addstr(&in, cases[i].sent);
		rc = server_body_take(&body, &in, &err);
		assert_int_equal(rc, cases[i].status ? -1 : 0);
		if (rc < 0)
			assert_int_equal(err.code, cases[i].status);
		server_body_clear(&body);
		buf_clear(&in);
	}
}

static void a_nul_does_not_end_the_size_of_a_chunk(void **state)
{
	static const char sent[] = "1\0\r\na\r\n0\r\n\r\n";
	struct server_body body;
	struct buf in = BUF_INIT;
	struct error err;

	(void)state;
	assert_int_equal(body_start(&body, "Transfer-Encoding: chunked", 100, &err), 0);
	buf_add(&in, sent, sizeof(sent) - 1);
	assert_int_equal(server_body_take(&body, &in, &err), -1);
	assert_int_equal(err.code, 400);
	server_body_clear(&body);
	buf_clear(&in);
}

static void endless_lines_in_a_chunked_body_are_refused(void **state)
{
	static const char *const starts[] = {"1;", "0\r\nX: "};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		struct server_body body;
		struct buf in = BUF_INIT;
		size_t sent = 0;

		assert_int_equal(body_start(&body, "Transfer-Encoding: chunked", 100, &err), 0);
		buf_addstr(&in, starts[i]);
		while (server_body_take(&body, &in, &err) == 0 && sent < 10000) {
			buf_addstr(&in, "0123456789");
			sent += 10;
		}
		assert_int_equal(err.code, 400);
		assert_in_range(sent, 200, 5000);
		server_body_clear(&body);
		buf_clear(&in);
	}
}

static void a_long_line_is_refused_however_it_arrives(void **state)
{
	(void)state;
	for (size_t blanks = 254; blanks < 257; blanks++) {
		struct server_body body;
		struct buf in = BUF_INIT;

		assert_int_equal(body_start(&body, "Transfer-Encoding: chunked", 100, NULL), 0);
		buf_addf(&in, "1%*s\r\nx\r\n0\r\n\r\n", (int)blanks, "");
		assert_int_equal(server_body_take(&body, &in, NULL), blanks < 255 ? 1 : -1);
		server_body_clear(&body);
		buf_clear(&in);
	}
}

/* Whatever arrives is accepted or refused, within bounds; the sanitizers watch. */
static void mutated_requests_do_no_harm(void **state)
{
	static const char sample[] = "POST /a?b=%41 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
				     "Connection: keep-alive, close\r\n\r\n3\r\nabc\r\n0\r\nT: r\r\n\r\n";
	size_t parsed = 0;

	(void)state;
	/* The same mutations every time. */
	clock_fake(0, 1);
	for (int round = 0; round < 50000; round++) {
		char *text = xmemdup(sample, sizeof(sample) - 1);
		size_t scanned = 0;
		struct server_head head;
		struct error err;
		ssize_t n;

		for (uint64_t i = clock_random_below(4); i > 0; i--)
			text[clock_random_below(sizeof(sample) - 1)] =
			    "\r\n :;,?%0fA\tz\377"[clock_random_below(15)];
		n = server_head_find(text, sizeof(sample) - 1, &scanned);
		if (n > 0 && server_head_parse(&head, text, (size_t)n, &err) == 0) {
			struct server_body body;
			struct buf in = BUF_INIT;

			buf_add(&in, text + n, sizeof(sample) - 1 - (size_t)n);
			if (server_body_start(&body, &head, 10, &err) == 0)
				server_body_take(&body, &in, &err);
			assert_true(body.data.len <= 10);
			server_body_clear(&body);
			buf_clear(&in);
			parsed++;
		}
		if (n > 0)
			server_head_clear(&head);
		free(text);
	}
	assert_true(parsed > 1000);
}

static void assert_param(const char *form, const char *name, const char *want)
{
	struct buf out = BUF_INIT;
	bool found = server_param(form, name, &out);

	if (found != (want != NULL) || (want && strcmp(out.data, want) != 0))
		fail_msg("%s of \"%s\" is %s", name, form, found ? out.data : "absent");
	buf_clear(&out);
}

static void parameters_are_decoded(void **state)
{
	(void)state;
	assert_param("a=1&b=two+words&c=%C3%a4%26", "a", "1");
	assert_param("a=1&b=two+words&c=%C3%a4%26", "b", "two words");
	assert_param("a=1&b=two+words&c=%C3%a4%26", "c", "\303\244&");
	assert_param("a=1&a=2", "a", "1");
	assert_param("=x&a==&%62=y&flag", "a", "=");
	assert_param("=x&a==&%62=y&flag", "b", "y");
	assert_param("=x&a==&%62=y&flag", "flag", "");
	assert_param("=x&a==&%62=y&flag", "", "x");
	assert_param("", "a", NULL);
	assert_param("ab=1", "a", NULL);
	assert_param("a=%4", "a", NULL);
	assert_param("a=%", "a", NULL);
	assert_param("a=%zz", "a", NULL);
	assert_param("a=x%00y", "a", NULL);
	assert_param("a=%4&b=1", "b", "1");
}

static void pieces_of_a_path_are_decoded(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	assert_true(server_decode("a+b%2Fc/rest", 7, &out));
	assert_string_equal(out.data, "a+b/c");
	assert_false(server_decode("a%2Fb", 3, &out));
	assert_false(server_decode("a\0b", 3, &out));
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_head_is_found_however_it_arrives),
	    cmocka_unit_test(line_ends_and_controls_are_checked_as_they_arrive),
	    cmocka_unit_test(the_parts_of_a_head_are_told_apart),
	    cmocka_unit_test(the_connection_header_is_a_list_of_words),
	    cmocka_unit_test(bodies_are_put_together_however_they_arrive),
	    cmocka_unit_test(bad_chunks_are_refused),
	    cmocka_unit_test(a_nul_does_not_end_the_size_of_a_chunk),
	    cmocka_unit_test(endless_lines_in_a_chunked_body_are_refused),
	    cmocka_unit_test(a_long_line_is_refused_however_it_arrives),
	    cmocka_unit_test(mutated_requests_do_no_harm),
	    cmocka_unit_test(parameters_are_decoded),
	    cmocka_unit_test(pieces_of_a_path_are_decoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
