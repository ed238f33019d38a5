#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/text/base64.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/secret/source.h"

#define ROUNDS   3000
#define PIECES   40000
#define TELEGRAM "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX"
#define DISCORD  "MTE5ODYyMjQ4MzQ3MTkyNTI0OA.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs1abcd"

static char dir[64];
static uint64_t seed = 0x2545f4914f6cdd1du;

static uint32_t random_below(uint32_t bound)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % bound;
}

static int make_dir(void **state)
{
	(void)state;
	str_copy(dir, sizeof(dir), "/tmp/myna-secret-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	return rmdir(dir);
}

static int forget(void **state)
{
	(void)state;
	secret_forget_all();
	return 0;
}

static void assert_redacted(const char *text, const char *want)
{
	struct buf out = BUF_INIT;

	secret_redact(&out, text, strlen(text));
	assert_string_equal(out.data, want);
	assert_int_equal(secret_in(text, strlen(text)), strcmp(text, want) != 0);
	buf_clear(&out);
}

/* What the file holds, read as a secret through "PREFIX:"; errors into err. */
static const char *resolve_file(
    const char *prefix, const void *data, size_t len, mode_t mode, struct error *err)
{
	char *path = xasprintf("%s/token", dir), *setting;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	const char *value;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	assert_int_equal(fchmod(fd, mode), 0);
	close(fd);
	setenv("CREDENTIALS_DIRECTORY", dir, 1);
	setting = xasprintf("%s%s", prefix, strcmp(prefix, "cred:") == 0 ? "token" : path);
	value = secret_resolve(setting, err);
	unsetenv("CREDENTIALS_DIRECTORY");
	unlink(path);
	free(path);
	free(setting);
	return value;
}

static void a_literal_is_itself_and_is_redacted(void **state)
{
	const char *value = secret_resolve("hunter2-hunter2", NULL);

	(void)state;
	assert_string_equal(value, "hunter2-hunter2");
	assert_ptr_equal(secret_resolve("hunter2-hunter2", NULL), value);
	assert_redacted("the password is hunter2-hunter2.", "the password is [redacted].");
}

static void a_private_file_is_read(void **state)
{
	(void)state;
	assert_string_equal(resolve_file("file:", "from-a-file\n", 12, 0600, NULL), "from-a-file");
	assert_string_equal(resolve_file("file:", "no-newline", 10, 0400, NULL), "no-newline");
	assert_redacted("from-a-file", "[redacted]");
}

static void a_file_that_others_can_touch_is_refused(void **state)
{
	static const mode_t modes[] = {0640, 0604, 0620, 0602, 0610, 0601, 0777};
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		assert_null(resolve_file("file:", "from-a-file\n", 12, modes[i], &err));
		assert_non_null(strstr(err.text, "chmod 600"));
	}
}

/* root:OURGROUP 0640 is what an administrator makes by intent; only root can, here too. */
static void a_file_of_root_may_be_readable_for_our_group(void **state)
{
	static const struct {
		uid_t owner;
		gid_t group;
		mode_t mode;
		bool good;
	} table[] = {
	    {0, 4242, 0640, true},
	    {0, 4242, 0440, true},
	    {0, 4243, 0640, false},
	    {4242, 4242, 0640, false},
	    {0, 4242, 0660, false},
	    {0, 4242, 0644, false},
	    {0, 4242, 0650, false},
	    {0, 0, 0640, false},
	};
	gid_t before = getegid();
	struct stat st = {.st_mode = S_IFREG | 0640, .st_gid = 0};

	(void)state;
	assert_int_equal(secret_source_is_private(&st), false);
	if (setegid(4242) != 0)
		return; /* not as root: the group of files cannot be another then, either */
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		st = (struct stat){
		    .st_mode = S_IFREG | table[i].mode, .st_uid = table[i].owner, .st_gid = table[i].group};
		if (secret_source_is_private(&st) != table[i].good)
			fail_msg("row %zu", i);
	}
	assert_int_equal(setegid(before), 0);
}

static void a_file_that_holds_no_secret_is_refused(void **state)
{
	static const struct {
		const char *data;
		size_t len;
		const char *why;
	} bad[] = {
	    {"", 0, "empty"},
	    {"\n", 1, "empty"},
	    {"two\nlines\n", 10, "line end"},
	    {"return\r\n", 8, "line end"},
	    {"nul\0byte", 8, "NUL"},
	};
	char *big = xmalloc(5000);
	struct error err;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_null(resolve_file("file:", bad[i].data, bad[i].len, 0600, &err));
		assert_int_equal(err.kind, ERROR_OURS);
		assert_non_null(strstr(err.text, bad[i].why));
	}
	memset(big, 'x', 5000);
	assert_null(resolve_file("file:", big, 5000, 0600, &err));
	assert_non_null(strstr(err.text, "4096"));
	assert_int_equal(strlen(resolve_file("file:", big, 4096, 0600, &err)), 4096);
	free(big);
}

static void what_is_no_regular_file_is_refused_at_once(void **state)
{
	char *fifo = xasprintf("%s/fifo", dir), *fifo_setting = xasprintf("file:%s", fifo);
	char *dir_setting = xasprintf("file:%s", dir);
	struct error err;

	(void)state;
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_null(secret_resolve(fifo_setting, &err));
	assert_non_null(strstr(err.text, "not a regular file"));
	assert_null(secret_resolve(dir_setting, &err));
	assert_non_null(strstr(err.text, "not a regular file"));
	assert_null(secret_resolve("file:/nonexistent/token", &err));
	assert_non_null(strstr(err.text, "/nonexistent/token"));
	unlink(fifo);
	free(fifo);
	free(fifo_setting);
	free(dir_setting);
}

static void a_file_of_somebody_else_is_refused(void **state)
{
	char *path = xasprintf("%s/other", dir), *setting = xasprintf("file:%s", path);
	struct error err;
	int fd = open(path, O_WRONLY | O_CREAT, 0600);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "stranger", 8), 8);
	if (fchown(fd, 12345, (gid_t)-1) == 0) {
		assert_null(secret_resolve(setting, &err));
		assert_non_null(strstr(err.text, "user 12345 owns"));
	} else {
		/* Only root can give a file away; our own must then be taken. */
		assert_non_null(secret_resolve(setting, &err));
	}
	close(fd);
	unlink(path);
	free(path);
	free(setting);
}

static void a_credential_is_read_by_name(void **state)
{
	static const char *const bad[] = {
	    "cred:../etc/passwd",
	    "cred:sub/passwd",
	    "cred:/etc/passwd",
	    "cred:..",
	    "cred:",
	};
	struct error err;

	(void)state;
	assert_string_equal(resolve_file("cred:", "cr3d3nt1al\n", 11, 0400, NULL), "cr3d3nt1al");
	/* The group's read bit is how an ACL for the service user shows. */
	assert_string_equal(resolve_file("cred:", "cr3d3nt1al\n", 11, 0440, NULL), "cr3d3nt1al");
	assert_null(resolve_file("cred:", "cr3d3nt1al\n", 11, 0444, &err));
	assert_null(resolve_file("cred:", "cr3d3nt1al\n", 11, 0460, &err));
	assert_null(secret_resolve("cred:token", &err));
	assert_non_null(strstr(err.text, "LoadCredential"));
	setenv("CREDENTIALS_DIRECTORY", "/etc", 1);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_null(secret_resolve(bad[i], &err));
		assert_non_null(strstr(err.text, "is not the name of a credential"));
	}
	unsetenv("CREDENTIALS_DIRECTORY");
}

static void settings_that_are_no_secret_are_refused(void **state)
{
	struct error err;

	(void)state;
	assert_null(secret_resolve(NULL, &err));
	assert_null(secret_resolve("", &err));
	assert_null(secret_resolve("env:TOKEN", &err));
	assert_non_null(strstr(err.text, "file:PATH"));
	assert_null(secret_resolve("header\r\nInjected: yes", &err));
	assert_null(strstr(err.text, "Injected"));
}

static void short_values_are_not_redacted(void **state)
{
	(void)state;
	secret_register("12345");
	assert_string_equal(secret_resolve("abcde", NULL), "abcde");
	assert_redacted("12345 abcde", "12345 abcde");
	secret_register("123456");
	assert_redacted("12345 123456", "12345 [redacted]");
}

static void a_secret_is_found_wherever_it_stands(void **state)
{
	(void)state;
	secret_register("s3cr3t!");
	secret_register("another-one");
	assert_redacted("s3cr3t!", "[redacted]");
	assert_redacted("s3cr3t!s3cr3t!", "[redacted][redacted]");
	assert_redacted("xs3cr3t!another-oney", "x[redacted][redacted]y");
	assert_redacted("ss3cr3t!", "s[redacted]");
	assert_redacted("s3cr3", "s3cr3");
	assert_redacted("", "");
	assert_redacted("S3CR3T!", "S3CR3T!");
}

static void secrets_that_overlap_leave_nothing(void **state)
{
	(void)state;
	secret_register("abcdefgh");
	secret_register("abcdefghijkl");
	secret_register("ghijklmnop");
	secret_register("cdefgh");
	assert_redacted("-abcdefghi-", "-[redacted]i-");
	assert_redacted("-abcdefghijkl-", "-[redacted]-");
	assert_redacted("-abcdefghijklmnop-", "-[redacted]-");
}

static void every_url_escape_is_seen_through(void **state)
{
	(void)state;
	secret_register("a b/c+d:e%f\xc3\xa9");
	assert_redacted("?k=a%20b%2Fc%2Bd%3Ae%25f%C3%A9&x=1", "?k=[redacted]&x=1");
	assert_redacted("?k=a%20b%2fc%2bd%3ae%25f%c3%a9&x=1", "?k=[redacted]&x=1");
	assert_redacted("?k=a+b/c%2Bd:e%25f%C3%A9&x=1", "?k=[redacted]&x=1");
	assert_redacted("a b/c+d:e%f\xc3\xa9", "[redacted]");
	secret_register("/+leading");
	assert_redacted("%2F%2Bleading %2f+leading", "[redacted] [redacted]");
	secret_register("\xc3\xa9-first");
	assert_redacted("%C3%A9-first %c3%a9-first", "[redacted] [redacted]");
}

static void every_json_escape_is_seen_through(void **state)
{
	(void)state;
	secret_register("q\"b\\s/\xc3\xa9\xf0\x9f\x98\x80<");
	assert_redacted("{\"k\":\"q\\\"b\\\\s/\xc3\xa9\xf0\x9f\x98\x80<\"}", "{\"k\":\"[redacted]\"}");
	assert_redacted("\"q\\\"b\\\\s\\/\\u00e9\\ud83d\\ude00\\u003c\"", "\"[redacted]\"");
	assert_redacted("\"q\\u0022b\\u005cs\\u002F\\u00E9\\uD83D\\uDE00<\"", "\"[redacted]\"");
	secret_register("\\/first");
	assert_redacted("\"\\\\\\/first\"", "\"[redacted]\"");
	secret_register("<tag12");
	assert_redacted("\"\\u003ctag12\"", "\"[redacted]\"");
	assert_redacted("\\ud83d\\u00e9 \\u12 \\", "\\ud83d\\u00e9 \\u12 \\");
}

static bool is_unreserved(char c)
{
	return strchr("-._~0123456789", c) || ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* value as an encoder of kind would write it. */
static void spell(struct buf *out, int kind, const char *value)
{
	struct buf text = BUF_INIT;

	switch (kind) {
	case 0:
		buf_addstr(out, value);
		break;
	case 1:
		for (; *value != '\0'; value++)
			buf_addf(out, is_unreserved(*value) ? "%c" : "%%%02X", (unsigned char)*value);
		break;
	case 2:
		json_quote(&text, value, strlen(value));
		buf_add(out, text.data + 1, text.len - 2);
		break;
	default:
		/* Text of any length before and after it in the same base64. */
		buf_addf(&text, "%.*s%s%.*s", (int)random_below(7), "user:x", value, (int)random_below(7),
		    " after");
		base64_encode(out, text.data, text.len);
		if (kind == 4)
			for (char *p = out->data; *p != '\0'; p++)
				*p = *p == '+' ? '-' : *p == '/' ? '_' : *p;
		break;
	}
	buf_clear(&text);
}

static void whatever_the_encoding_nothing_is_left(void **state)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	char value[40];

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		size_t len = 6 + random_below(30);

		for (size_t i = 0; i < len; i++)
			value[i] = (char)(0x21 + random_below(0x5e));
		value[len] = '\0';
		secret_register(value);
		for (int kind = 0; kind < 5; kind++) {
			buf_reset(&text);
			buf_reset(&out);
			spell(&text, kind, value);
			assert_true(secret_in(text.data, text.len));
			secret_redact(&out, text.data, text.len);
			assert_non_null(strstr(out.data, "[redacted]"));
			assert_false(secret_in(out.data, out.len));
			/* Of base64 the neighbours may be left, and the characters that also depend on
			 * them. */
			assert_true(
			    kind > 2 ? out.len <= 10 + 2 * 8 + 6 : strcmp(out.data, "[redacted]") == 0);
		}
		if (round % 10 == 9)
			secret_forget_all();
	}
	buf_clear(&text);
	buf_clear(&out);
}

static void tokens_are_known_by_their_shape(void **state)
{
	(void)state;
	assert_redacted("GET /bot" TELEGRAM "/getMe", "GET /bot[redacted]/getMe");
	assert_redacted("bot123456789%3AAAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX!", "bot[redacted]!");
	assert_redacted(TELEGRAM " " TELEGRAM, "[redacted] [redacted]");
	assert_redacted("xoxb-123456789012-ABCdef", "[redacted]");
	assert_redacted("(xapp-1-A0123456-7890-abcdef)", "([redacted])");
	assert_redacted("xoxp-1234567890", "[redacted]");
	assert_redacted("Bot " DISCORD, "Bot [redacted]");
	assert_redacted("\"" DISCORD "\"", "\"[redacted]\"");
}

static void ordinary_text_is_left_alone(void **state)
{
	static const char *const texts[] = {
	    "Meet at 12:30; see https://example.org:8443/a.b.c?x=%3A%3a#y",
	    "put your xoxb-your-token-here into the file",
	    "xoxb-1",
	    "xapp",
	    "xo",
	    "x",
	    ":",
	    "123456789:short",
	    "12345:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX",
	    "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw",
	    "1700000000:",
	    "123456789%3",
	    "123456789%3BAAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawX",
	    "short.abcdef.ZnCjm1XVW7vRze4b7Cq4se7kKWs1abcd",
	    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
	    "www.example.com.",
	    ("eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_"
	     "XgL0n3I9PlFUP0T"),
	    "a.bcdefg.h",
	    "\\",
	    "%",
	    "%4",
	    "\\u",
	    "telegram:-100123/42",
	    "snowflake 1198622483471925248",
	};

	(void)state;
	secret_register("some-secret");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_redacted(texts[i], texts[i]);
}

static void a_token_within_a_token_leaves_nothing(void **state)
{
	(void)state;
	assert_redacted(
	    "xoxb-xoxb-your-token-here xoxb-xoxp-1234567890", "xoxb-xoxb-your-token-here [redacted]");
	assert_redacted("xoxb-12-xoxb-12", "[redacted]");
	assert_redacted("xoxb-1 xoxb-1234567890 xapp-1", "xoxb-1 [redacted] xapp-1");
	assert_redacted(TELEGRAM "-" TELEGRAM, "[redacted]");
	assert_redacted("." DISCORD "." DISCORD, ".[redacted].[redacted]");
	secret_register("234567");
	assert_redacted("/bot" TELEGRAM "/", "/bot[redacted]/");
	assert_redacted("1234567 " TELEGRAM, "1[redacted] [redacted]");
}

/* Appends count times what is repeated. */
static void add_often(struct buf *out, const char *repeated, size_t count)
{
	for (size_t i = 0; i < count; i++)
		buf_addstr(out, repeated);
}

/* Cost in proportion to the text takes some milliseconds here, and to its square half a minute. */
static void no_text_takes_long(void **state)
{
	static const struct {
		const char *begin, *middle, *end;
	} table[] = {
	    {"xoxb-", "", "xapp-"},
	    {"xoxb-", "1", "xapp-"},
	    {"xoxb-", "xoxb-123456789", "aaaaa"},
	    {"11111", ":", "aaaaa"},
	    {"11111", "%3A", "11111"},
	    {"aaaaa", ".abcdef.", "aaaaa"},
	    {"123456:", "", "aaaaa"},
	    {"abcdef.", "", "abcdef."},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct buf text = BUF_INIT, out = BUF_INIT;
		clock_t began = clock();

		add_often(&text, table[i].begin, PIECES);
		buf_addstr(&text, table[i].middle);
		add_often(&text, table[i].end, PIECES);
		secret_redact(&out, text.data, text.len);
		if (clock() - began > 5 * CLOCKS_PER_SEC)
			fail_msg("%s%s%s", table[i].begin, table[i].middle, table[i].end);
		buf_clear(&text);
		buf_clear(&out);
	}
}

static void forgotten_secrets_are_not_redacted(void **state)
{
	(void)state;
	secret_register("some-secret");
	secret_forget_all();
	assert_redacted("some-secret", "some-secret");
	assert_redacted(TELEGRAM, "[redacted]");
}

static void *redact_often(void *arg)
{
	(void)arg;
	for (int i = 0; i < 2000; i++) {
		struct buf out = BUF_INIT;

		secret_redact(&out, "key=worker-secret " TELEGRAM, strlen("key=worker-secret " TELEGRAM));
		assert_non_null(strstr(out.data, " [redacted]"));
		buf_clear(&out);
	}
	return NULL;
}

static void other_threads_may_redact_during_a_reload(void **state)
{
	pthread_t threads[2];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, redact_often, NULL), 0);
	for (int i = 0; i < 200; i++) {
		secret_register("worker-secret");
		secret_forget_all();
	}
	for (size_t i = 0; i < ARRAY_LEN(threads); i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(a_literal_is_itself_and_is_redacted, forget),
	    cmocka_unit_test_teardown(a_private_file_is_read, forget),
	    cmocka_unit_test_teardown(a_file_that_others_can_touch_is_refused, forget),
	    cmocka_unit_test_teardown(a_file_of_root_may_be_readable_for_our_group, forget),
	    cmocka_unit_test_teardown(a_file_that_holds_no_secret_is_refused, forget),
	    cmocka_unit_test_teardown(what_is_no_regular_file_is_refused_at_once, forget),
	    cmocka_unit_test_teardown(a_file_of_somebody_else_is_refused, forget),
	    cmocka_unit_test_teardown(a_credential_is_read_by_name, forget),
	    cmocka_unit_test_teardown(settings_that_are_no_secret_are_refused, forget),
	    cmocka_unit_test_teardown(short_values_are_not_redacted, forget),
	    cmocka_unit_test_teardown(a_secret_is_found_wherever_it_stands, forget),
	    cmocka_unit_test_teardown(secrets_that_overlap_leave_nothing, forget),
	    cmocka_unit_test_teardown(every_url_escape_is_seen_through, forget),
	    cmocka_unit_test_teardown(every_json_escape_is_seen_through, forget),
	    cmocka_unit_test_teardown(whatever_the_encoding_nothing_is_left, forget),
	    cmocka_unit_test_teardown(tokens_are_known_by_their_shape, forget),
	    cmocka_unit_test_teardown(ordinary_text_is_left_alone, forget),
	    cmocka_unit_test_teardown(a_token_within_a_token_leaves_nothing, forget),
	    cmocka_unit_test_teardown(no_text_takes_long, forget),
	    cmocka_unit_test_teardown(forgotten_secrets_are_not_redacted, forget),
	    cmocka_unit_test_teardown(other_threads_may_redact_during_a_reload, forget),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
