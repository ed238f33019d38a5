#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/log_tail.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"

/* 2026-01-02T03:04:05.678Z */
#define WALL  1767323045678
#define STAMP "2026-01-02T03:04:05.678Z"

static struct buf captured = BUF_INIT;
static size_t lines;

static void keep(const char *line, void *arg)
{
	assert_ptr_equal(arg, &lines);
	buf_reset(&captured);
	buf_addstr(&captured, line);
	lines++;
}

static int start(void **state)
{
	(void)state;
	clock_fake(WALL, 1);
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	log_capture(keep, &lines);
	lines = 0;
	return 0;
}

static int finish(void **state)
{
	(void)state;
	log_capture(NULL, NULL);
	buf_clear(&captured);
	secret_forget_all();
	return 0;
}

static void the_last_lines_are_kept(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	secret_register("a-very-secret-word");
	log_warn("a", "careful");
	for (int i = 0; i < 300; i++)
		log_info("b", "line %d a-very-secret-word", i);
	log_debug("b", "not wanted, so not kept");
	log_tail(LOG_LEVEL_DEBUG, 2, &out);
	assert_string_equal(
	    out.data, STAMP " info b: line 298 [redacted]\n" STAMP " info b: line 299 [redacted]\n");
	buf_reset(&out);
	log_tail(LOG_LEVEL_WARN, 10, &out);
	assert_string_equal(out.data, STAMP " warn a: careful\n");
	buf_reset(&out);
	log_tail(LOG_LEVEL_DEBUG, 1000, &out);
	assert_null(strstr(out.data, "careful"));
	assert_non_null(strstr(out.data, "line 100 "));
	assert_null(strstr(out.data, "line 99 "));
	buf_clear(&out);
}

static void a_line_says_when_how_grave_and_where(void **state)
{
	(void)state;
	log_info("telegram.main", "polling bot=%d offset=%d", 123, 7);
	assert_string_equal(captured.data, STAMP " info telegram.main: polling bot=123 offset=7");
	log_error("a", "b");
	assert_string_equal(captured.data, STAMP " error a: b");
	log_warn("a", "b");
	assert_string_equal(captured.data, STAMP " warn a: b");
}

static void levels_are_kept_to(void **state)
{
	(void)state;
	log_debug("a", "hidden");
	assert_int_equal(lines, 0);
	log_setup(LOG_LEVEL_DEBUG, LOG_FORMAT_TEXT);
	log_debug("a", "shown");
	assert_string_equal(captured.data, STAMP " debug a: shown");
	log_setup(LOG_LEVEL_ERROR, LOG_FORMAT_TEXT);
	log_warn("a", "hidden");
	assert_int_equal(lines, 1);
	assert_int_equal(log_current_level(), LOG_LEVEL_ERROR);
}

static void a_module_has_a_level_of_its_own(void **state)
{
	enum log_level level;

	(void)state;
	log_setup(LOG_LEVEL_WARN, LOG_FORMAT_TEXT);
	assert_int_equal(log_set_level("chat", LOG_LEVEL_DEBUG), 0);
	assert_int_equal(log_set_level("chat.loud", LOG_LEVEL_ERROR), 0);
	assert_int_equal(log_current_level(), LOG_LEVEL_DEBUG);
	log_debug("chat", "one");
	log_debug("chat.x", "two");
	log_warn("chat.loud", "hidden");
	log_debug("chats", "hidden");
	log_info("llm", "hidden");
	log_warn("llm", "three");
	assert_int_equal(lines, 3);
	assert_string_equal(log_module(0), "chat");
	assert_string_equal(log_module(1), "chat.loud");
	assert_null(log_module(2));
	assert_int_equal(log_level_of("chat.loud.more"), LOG_LEVEL_ERROR);
	assert_int_equal(log_level_of(NULL), LOG_LEVEL_WARN);
	log_unset_level("chat");
	log_unset_level("nobody");
	assert_int_equal(log_current_level(), LOG_LEVEL_WARN);
	log_info("chat", "hidden");
	assert_int_equal(log_set_level(NULL, LOG_LEVEL_INFO), 0);
	log_info("chat", "four");
	assert_int_equal(lines, 4);
	assert_int_equal(log_set_level("a b", LOG_LEVEL_INFO), -1);
	assert_int_equal(log_set_level("", LOG_LEVEL_INFO), -1);
	for (int i = 1; i < LOG_MODULES_MAX; i++) {
		char name[16];
		snprintf(name, sizeof(name), "m%d", i);
		assert_int_equal(log_set_level(name, LOG_LEVEL_INFO), 0);
	}
	assert_int_equal(log_set_level("more", LOG_LEVEL_INFO), -1);
	assert_int_equal(log_level_parse("debug", &level), 0);
	assert_int_equal(level, LOG_LEVEL_DEBUG);
	assert_int_equal(log_level_parse("Debug", &level), -1);
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	assert_null(log_module(0));
}

static void nothing_in_text_can_make_a_line_or_move_the_cursor(void **state)
{
	(void)state;
	log_info("a", "x=\"%s\"",
	    "1\n2\r3\t4\x1b[31m5\x7f"
	    "6\xc2\x85"
	    "7\xe2\x80\xa8"
	    "8\xe2\x80\xae"
	    "9\xe2\x81\xa6\xd8\x9c\xe2\x80\x8f");
	assert_string_equal(captured.data,
	    STAMP
	    " info a: x=\"1\\n2\\r3\\t4\\x1b[31m5\\x7f6\\u00857\\u20288\\u202e9\\u2066\\u061c\\u200f\"");
	log_info("a\nb", "%s", "caf\xc3\xa9 \xff\xe2\x82 C:\\dir \xf0\x9f\x98\x80");
	assert_string_equal(
	    captured.data, STAMP " info a\\nb: caf\xc3\xa9 \\xff\\xe2\\x82 C:\\dir \xf0\x9f\x98\x80");
}

/* Every code point: none that could act gets through, and the line stays valid. */
static void no_control_character_gets_through(void **state)
{
	static const enum log_format formats[] = {LOG_FORMAT_TEXT, LOG_FORMAT_JSON};
	struct buf text = BUF_INIT;

	(void)state;
	for (size_t format = 0; format < 2; format++) {
		log_setup(LOG_LEVEL_INFO, formats[format]);
		for (uint32_t base = 1; base < 0x3000; base += 64) {
			uint32_t cp;

			buf_reset(&text);
			for (uint32_t i = 0; i < 64; i++)
				utf8_encode(&text, base + i);
			log_info("a", "%s", text.data);
			for (size_t i = 0, n; i < captured.len; i += n) {
				n = utf8_decode(captured.data + i, captured.len - i, &cp);
				assert_true(n > 0);
				assert_true(cp >= 0x20 && (cp < 0x7f || cp > 0x9f) && cp != 0x61c);
				assert_true((cp < 0x2028 || cp > 0x202e) && (cp < 0x2066 || cp > 0x2069));
				assert_true(cp != 0x200e && cp != 0x200f);
			}
		}
	}
	buf_clear(&text);
}

static void secrets_do_not_reach_the_log(void **state)
{
	(void)state;
	secret_register("swordfish-9");
	log_info("in.swordfish-9", "key=%s url=%s", "swordfish-9",
	    "https://x/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX/y");
	assert_string_equal(
	    captured.data, STAMP " info in.[redacted]: key=[redacted] url=https://x/bot[redacted]/y");
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_JSON);
	log_info("a", "%s", "swordfish-9");
	assert_null(strstr(captured.data, "swordfish"));
}

static void a_json_line_is_json(void **state)
{
	struct json_object *o;

	(void)state;
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_JSON);
	log_warn("a.b", "%s", "say \"hi\"\\ \n\x1b\xe2\x80\xa8\xff");
	o = json_parse_object(captured.data, captured.len, NULL);
	assert_non_null(o);
	assert_string_equal(json_get_str(o, "time"), STAMP);
	assert_string_equal(json_get_str(o, "level"), "warn");
	assert_string_equal(json_get_str(o, "in"), "a.b");
	assert_string_equal(json_get_str(o, "text"), "say \"hi\"\\ \\n\\x1b\\u2028\\xff");
	json_object_put(o);
}

static void a_line_is_at_most_8_kib_and_says_that_it_was_cut(void **state)
{
	static const char *const fillers[] = {"x", "\"", "\x01", "\xf0\x9f\x98\x80", "\xff"};

	(void)state;
	for (int json = 0; json < 2; json++) {
		log_setup(LOG_LEVEL_INFO, json ? LOG_FORMAT_JSON : LOG_FORMAT_TEXT);
		for (size_t f = 0; f < sizeof(fillers) / sizeof(fillers[0]); f++) {
			struct buf text = BUF_INIT;

			while (text.len < 20000)
				buf_addstr(&text, fillers[f]);
			log_info(text.data, "%s", text.data);
			assert_in_range(captured.len, 8192 - 16, 8191);
			assert_true(utf8_valid(captured.data, captured.len));
			assert_non_null(strstr(captured.data + captured.len - 5, "\xe2\x80\xa6"));
			if (json) {
				struct json_object *o = json_parse_object(captured.data, captured.len, NULL);
				assert_non_null(o);
				json_object_put(o);
			}
			buf_clear(&text);
		}
	}
}

static void errno_is_kept(void **state)
{
	(void)state;
	errno = ENOENT;
	log_info("a", "%m");
	assert_non_null(strstr(captured.data, "No such file"));
	assert_int_equal(errno, ENOENT);
}

/* stderr as the write end of a pipe, until give_back. */
static int saved_stderr, reader;

static void take_stderr(int flags)
{
	int fds[2];

	assert_int_equal(pipe2(fds, flags), 0);
	saved_stderr = dup(STDERR_FILENO);
	dup2(fds[1], STDERR_FILENO);
	close(fds[1]);
	reader = fds[0];
	log_capture(NULL, NULL);
}

static void give_back(void)
{
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(reader);
}

static void lines_go_to_stderr_in_one_piece(void **state)
{
	char got[256];
	ssize_t n;

	(void)state;
	take_stderr(O_DIRECT); /* a packet for each write(2) */
	log_info("a", "one");
	log_info("a", "two");
	n = read(reader, got, sizeof(got) - 1);
	give_back();
	assert_int_equal(n, strlen(STAMP " info a: one\n"));
	assert_memory_equal(got, STAMP " info a: one\n", (size_t)n);
}

static void lines_that_stderr_does_not_take_are_counted(void **state)
{
	static char got[1 << 20];
	char filler[1024] = {0};
	ssize_t n;

	(void)state;
	take_stderr(O_NONBLOCK);
	while (write(STDERR_FILENO, filler, sizeof(filler)) > 0)
		;
	log_info("a", "lost one");
	log_info("a", "lost two");
	n = read(reader, got, sizeof(got));
	assert_true(n > 0);
	log_info("a", "three");
	n = read(reader, got, sizeof(got) - 1);
	give_back();
	assert_true(n > 0);
	got[n] = '\0';
	assert_string_equal(
	    got, STAMP " warn log: stderr did not take some lines lost=2\n" STAMP " info a: three\n");
}

static void a_line_that_was_cut_off_is_ended_first(void **state)
{
	static char got[1 << 20];
	char filler[4096] = {0}, big[7000];
	ssize_t n;

	(void)state;
	memset(big, 'x', sizeof(big));
	take_stderr(O_NONBLOCK);
	while (write(STDERR_FILENO, filler, sizeof(filler)) > 0)
		;
	assert_int_equal(read(reader, got, 4096), 4096);
	log_info("a", "%.*s", (int)sizeof(big), big);
	n = read(reader, got, sizeof(got));
	assert_true(n > 0 && got[n - 1] == 'x');
	log_info("a", "next");
	n = read(reader, got, sizeof(got) - 1);
	give_back();
	assert_true(n > 0);
	got[n] = '\0';
	assert_string_equal(
	    got, "\n" STAMP " warn log: stderr did not take some lines lost=1\n" STAMP " info a: next\n");
}

static void the_journal_is_told_the_priority(void **state)
{
	char got[256], stream[64];
	struct stat st;
	ssize_t n;

	(void)state;
	take_stderr(0);
	assert_int_equal(fstat(STDERR_FILENO, &st), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino);
	setenv("JOURNAL_STREAM", stream, 1);
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	log_error("a", "x");
	log_warn("a", "x");
	setenv("JOURNAL_STREAM", "1:2", 1);
	log_setup(LOG_LEVEL_INFO, LOG_FORMAT_TEXT);
	log_info("a", "not the journal");
	unsetenv("JOURNAL_STREAM");
	n = read(reader, got, sizeof(got) - 1);
	give_back();
	assert_true(n > 0);
	got[n] = '\0';
	assert_string_equal(
	    got, "<3>" STAMP " error a: x\n<4>" STAMP " warn a: x\n" STAMP " info a: not the journal\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(the_last_lines_are_kept, start, finish),
	    cmocka_unit_test_setup_teardown(a_line_says_when_how_grave_and_where, start, finish),
	    cmocka_unit_test_setup_teardown(levels_are_kept_to, start, finish),
	    cmocka_unit_test_setup_teardown(a_module_has_a_level_of_its_own, start, finish),
	    cmocka_unit_test_setup_teardown(
		nothing_in_text_can_make_a_line_or_move_the_cursor, start, finish),
	    cmocka_unit_test_setup_teardown(no_control_character_gets_through, start, finish),
	    cmocka_unit_test_setup_teardown(secrets_do_not_reach_the_log, start, finish),
	    cmocka_unit_test_setup_teardown(a_json_line_is_json, start, finish),
	    cmocka_unit_test_setup_teardown(a_line_is_at_most_8_kib_and_says_that_it_was_cut, start, finish),
	    cmocka_unit_test_setup_teardown(errno_is_kept, start, finish),
	    cmocka_unit_test_setup_teardown(lines_go_to_stderr_in_one_piece, start, finish),
	    cmocka_unit_test_setup_teardown(lines_that_stderr_does_not_take_are_counted, start, finish),
	    cmocka_unit_test_setup_teardown(a_line_that_was_cut_off_is_ended_first, start, finish),
	    cmocka_unit_test_setup_teardown(the_journal_is_told_the_priority, start, finish),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
