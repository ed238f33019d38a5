/* What is said of a bad configuration: where, and what to do. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/secret/secret.h"
#include "tests/base/config/config_sample.h"

struct bad {
	const char *text;
	const char *where;
	const char *says;
};

#define S "state = \"/s\";\n"
/* What is given starts on line 3, in channels.main. */
#define IN(text) S "channels: { main: { type = \"slack\";\n" text "\n}; };\n"

static const struct bad syntax[] = {
    {S "control = \"a\n", "t.conf:2:", "the string that starts here does not end on its line"},
    {S "control = \"a;\nlog = \"info\";\n", "t.conf:2:", "Add the closing quote"},
    {S "control = \"a;\nlog = \"info\";\ncolor = true;\n/* ", "t.conf:2:", "Add the closing quote"},
    {S "control = \"a;\nlog = \"info\n", "t.conf:3:", "Or does the string of line 2 lack its closing quote?"},
    {S "/* never\n", "t.conf:2:", "comment that starts here is never closed"},
    {S "channels: {\n a: { type = \"slack\"; };\n", "t.conf:2:", "'{' that opens here is never closed"},
    {S "}\n", "t.conf:2:", "this '}' closes nothing"},
    {IN("allow = [\"1\"\n}; };\n"), "t.conf:4:", "'}' stands where the '[' of line 3 wants its ']'"},
    {IN("allow = [\"1\" \"2\"];"), "t.conf:3:", "a comma is missing between this string"},
    {IN("allow = [\"1\"\n\"2\"];"), "t.conf:4:", "a comma is missing between this string"},
    {S "control = off;\n", "t.conf:2:", "off is not quoted. Write \"off\"."},
    {S "control = \n", "t.conf:2:", "'control' has no value"},
    {S "control =\nlog = \"info\";\n", "t.conf:2:", "'control' has no value"},
    {S "control = ;\n", "t.conf:2:", "'control' has no value"},
    {S "control \"x\";\n", "t.conf:2:", "'=' is missing after 'control'"},
    {S "channels {};\n", "t.conf:2:", "'=' is missing after 'channels'"},
    {S "\"control\" = \"x\";\n", "t.conf:2:", "Names stand without quotes"},
    {S "control = \"x\";;\n", "t.conf:2:", "there is one ';' too many"},
    {S "true = 1;\n", "t.conf:2:", "a name is expected, not true"},
    {S "5 = 1;\n", "t.conf:2:", "a name is expected, not 5"},
    {S "\n\nlog = 5 6;\n", "t.conf:4:", "a name is expected, not 6"},
    {S "log = 1;\n\xc3\xa4 = 2;\n", "t.conf:3:", "a name is expected, not \xc3\xa4"},
    {IN("allow = [\"1\", ];"), "t.conf:3:", "one ',' too many before the ']'"},
    {IN("allow = [\"1\",, \"2\"];"), "t.conf:3:", "one ',' too many"},
    {IN("allow = [\"1\"; \"2\"];"), "t.conf:3:", "parted by ',', not by ';'"},
    {IN("allow = [1 2];"), "t.conf:3:", "a ',' is missing before 2"},
    {IN("allow = [\"1\",\n bob];"), "t.conf:4:", "bob is not quoted"},
    {IN("allow = [{ a = 1; }];"), "t.conf:3:", "[ ] holds strings or numbers only"},
    {IN("allow = [\"1\",\n 2];"), "t.conf:4:", "values of one kind"},
    {IN("typing = true;\nport = 1;\ntyping = false;"), "t.conf:5:", "'typing' stands twice in its group"},
    {S "log = \"info\"; state = \"/t\";\n", "t.conf:2:", "'state' stands twice in its group"},
    {S "channels: { a: { type = \"slack\"; };\n a: { type = \"slack\"; }; };\n",
	"t.conf:3:", "'a' stands twice"},
    {IN("port = 4294967376;"), "t.conf:3:", "4294967376 does not fit into 32 bits"},
    {IN("allow = [\"1\",\n 123456789012];"), "t.conf:4:", "Ids are strings: write \"123456789012\""},
    {IN("allow = [-1001234567890];"), "t.conf:3:", "write \"-1001234567890\""},
    {IN("port = 0x80000000;"), "t.conf:3:", "0x80000000 does not fit into 32 bits"},
    {IN("port = 99999999999999999999L;"), "t.conf:3:", "99999999999999999999 does not fit into 64 bits"},
    {IN("port = 0xFFFFFFFFFFFFFFFFLL;"), "t.conf:3:", "0xFFFFFFFFFFFFFFFF does not fit into 64 bits"},
    {S "log = 1; # 5000000000\n/* 5000000000\n*/ // 5000000000\ncontrol = \"5000000000\\\"\";\nx = "
       "5000000000;\n",
	"t.conf:6:", "5000000000 does not fit"},
    {S "control = \"a\\x00b\";\n", "t.conf:2:", "\\x00 cannot stand in a string"},
    {S "control = @include \"x\";\n", "t.conf:2:", "@include stands at the start of a line"},
    {S "@include x\n", "t.conf:2:", "@include wants a path in quotes"},
    {S "@include \"a\\\\b\"\n", "t.conf:2:", "without backslashes"},
    {S "@include \"/nonexistent/x.conf\"\n", "t.conf:2:", "cannot be included: No such file"},
    {S "@include \"/dev/null\"\n", "t.conf:2:", "it is not a regular file"},
    {S "x = ((((((((((((((((((((((((((((((((()))))))))))))))))))))))))))))))));",
	"t.conf:2:", "nested more than 32"},
    {S "log = \"caf\xe9\";\n", "t.conf:2:", "not UTF-8"},
};

static const struct bad values[] = {
    {S "stat = \"x\";\n", "t.conf:2:", "unknown key 'stat' at the top. Did you mean 'state'?"},
    {S "channel: {};\n", "t.conf:2:", "Did you mean 'channels'?"},
    {S "zzz = 1;\n", "t.conf:2:", "Known here: channels, color, control, llm, log, state, targets."},
    {IN("tokken = \"x\";"), "t.conf:3:", "unknown key 'tokken' in channels.main. Did you mean 'token'?"},
    {IN("Token = \"x\";"), "t.conf:3:", "Did you mean 'token'?"},
    {IN("\nto = 1;"), "t.conf:4:", "unknown key 'to' in channels.main. Known here: admins, allow,"},
    {S "llm: {\n\n provider: {}; };\n",
	"t.conf:4:", "unknown key 'provider' in llm. Did you mean 'providers'?"},
    {"\n\nlog = \"info\";\n", "t.conf:1:", "state is missing. Where it is."},
    {S "channels: {\n a: {\n };\n};\n", "t.conf:3:", "channels.a.type is missing. Which platform."},
    {S "llm: { providers: {\n p: { api = \"anthropic\"; }; }; };\n",
	"t.conf:3:", "llm.providers.p.model is missing"},
    {"state = \"\";\n", "t.conf:1:", "state: this is empty"},
    {"state = 5;\n", "t.conf:1:", "state: 5 is not quoted. Write \"5\"."},
    {"\nstate = true;\n", "t.conf:2:", "state: this is true or false. Write a string: state = \"...\";"},
    {"state = [\"a\"];\n", "t.conf:1:", "state: this is a list. Write a string"},
    {"state = { };\n", "t.conf:1:", "state: this is a group. Write a string"},
    {"state = \"\\xff\";\n", "t.conf:1:", "state: this string is not UTF-8"},
    {S "channels = 5;\n", "t.conf:2:", "channels: this must be a group. Write channels: { ... };"},
    {S "channels = ();\n", "t.conf:2:", "this must be a group"},
    {S "channels: {\n main = \"slack\"; };\n",
	"t.conf:3:", "channels.main: this must be a group. Write main:"},
    {S "llm = 5;\n", "t.conf:2:", "llm: this must be a group"},
    {S "targets: {\n ops = \"slack:C1\"; };\n",
	"t.conf:3:", "targets.ops: this is a string. Write a list of strings: ops ="},
    {S "targets: { ops = [\n\n77]; };\n", "t.conf:4:", "targets.ops[0]: 77 is not quoted"},
    {IN("allow = \"1\";"),
	"t.conf:3:", "channels.main.allow: this is a string. Write a list of strings: allow = [\"...\"];"},
    {IN("allow = [123456];"),
	"t.conf:3:", "channels.main.allow[0]: 123456 is not quoted. Ids are strings: write \"123456\"."},
    {IN("allow = (\"1\"\n,\n2\n);"), "t.conf:5:", "channels.main.allow[1]: 2 is not quoted"},
    {IN("allow = (\"1\",\n5000000000L);"), "t.conf:4:", "5000000000 is not quoted"},
    {IN("allow = (\"1\",\n{ a = 1; });"),
	"t.conf:4:", "allow[1]: this is a group. Write a string in quotes."},
    {IN("allow = [\"\\xc3\"];"), "t.conf:3:", "allow[0]: this string is not UTF-8"},
    {IN("port = \"80\";"),
	"t.conf:3:", "channels.main.port: this is a string. Write a whole number: port = 1;"},
    {IN("port = 8.5;"), "t.conf:3:", "this is a number with a fraction. Write a whole number"},
    {IN("port = 0;"), "t.conf:3:", "port: 0 is out of range. Write a value between 1 and 65535."},
    {IN("port = 65536;"), "t.conf:3:", "65536 is out of range"},
    {IN("port = 5000000000L;"), "t.conf:3:", "5000000000 is out of range"},
    {IN("offset = -2;"), "t.conf:3:", "offset: -2 is out of range. Write a value of at least -1."},
    {IN("typing = 1;"), "t.conf:3:", "typing: this is a number. Write true or false: typing = true;"},
    {IN("typing = \"yes\";"), "t.conf:3:", "typing: this is a string. Write true or false"},
    {IN("group = \"mentoin\";"),
	"t.conf:3:", "\"mentoin\" is not a choice. Write \"mention\", \"all\" or \"off\"."},
    {IN("group = true;"),
	"t.conf:3:", "group: this is true or false. Write \"mention\", \"all\" or \"off\"."},
    {IN("poll = \"30 sec\";"),
	"t.conf:3:", "unknown unit \"sec\" in \"30 sec\". Write a whole number and one of s, ms, min, h, d."},
    {IN("poll = \"30 s x\";"), "t.conf:3:", "unknown unit \"s x\""},
    {IN("poll = \"soon\";"),
	"t.conf:3:", "\"soon\" is not a number. Write a whole number and a unit: \"30 s\"."},
    {IN("poll = \"\";"), "t.conf:3:", "\"\" is not a number"},
    {IN("poll = \"1.5 min\";"), "t.conf:3:", "\"1.5 min\" is not a whole number"},
    {IN("poll = 1.5;"), "t.conf:3:", "this is a number with a fraction. Write a duration: poll = \"30 s\";"},
    {IN("poll = \"1 h\";"), "t.conf:3:", "poll: 1 h is out of range. Write a value between 1 s and 5 min."},
    {IN("poll = 0;"), "t.conf:3:", "0 s is out of range"},
    {IN("poll = \"500 ms\";"), "t.conf:3:", "500 ms is out of range"},
    {IN("idle = -1;"), "t.conf:3:", "-1 s is out of range. Write a value of at least 0."},
    {IN("idle = \"9999999999999 d\";"), "t.conf:3:", "this number is too large"},
    {IN("idle = \"99999999999999999999\";"), "t.conf:3:", "this number is too large"},
    {IN("idle = [\"1\"];"), "t.conf:3:", "this is a list. Write a duration"},
    {IN("file_size = \"20 MB\";"),
	"t.conf:3:", "unknown unit \"MB\" in \"20 MB\". Write a whole number and one of B, KiB, MiB"},
    {IN("file_size = \"2 GiB\";"),
	"t.conf:3:", "2 GiB is out of range. Write a value between 0 B and 1 GiB."},
    {IN("file_size = -1;"), "t.conf:3:", "-1 B is out of range"},
    {IN("file_size = \"big\\nfile\";"),
	"t.conf:3:", "\"big file\" is not a number. Write a whole number and a unit: \"64 KiB\"."},
    {IN("token = 123456;"), "t.conf:3:", "token: this is a number. Write a string: token = \"file:PATH\";"},
    {IN("token = \"\";"), "t.conf:3:", "token: this is empty. Write the secret, file:PATH or cred:NAME."},
    {IN("token = \"file:/nonexistent/token\";"), "t.conf:3:", "channels.main.token: "},
};

static size_t lines_of(const char *text)
{
	size_t n = 0;
	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static bool has_line(const char *text, const char *where, const char *says)
{
	for (const char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		const char *found = strstr(line, says);
		if (strncmp(line, where, strlen(where)) == 0 && found && found < end)
			return true;
	}
	return false;
}

/* 1 when it fails, so that one run shows all. */
static int check(const struct bad *bad, const char *got)
{
	if (has_line(got, bad->where, bad->says) && lines_of(got) == 1)
		return 0;
	print_error(
	    "for\n%s\nexpected one line\n%s ... %s\nbut got\n%s\n", bad->text, bad->where, bad->says, got);
	return 1;
}

static void every_broken_text_is_refused_with_its_line(void **state)
{
	(void)state;
	int failed = 0;
	for (size_t i = 0; i < ARRAY_LEN(syntax); i++) {
		struct error err = {0};
		struct buf got = BUF_INIT;
		struct config *cfg = config_parse("t.conf", syntax[i].text, &err);
		buf_addf(&got, "%s\n", cfg ? "accepted" : err.text);
		failed += check(&syntax[i], got.data);
		buf_clear(&got);
		config_free(cfg);
	}
	assert_int_equal(failed, 0);
}

static void every_wrong_value_is_reported_with_its_line(void **state)
{
	(void)state;
	int failed = 0;
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		struct error err = {0};
		struct buf got = BUF_INIT;
		struct config *cfg = config_parse("t.conf", values[i].text, &err);
		if (!cfg)
			fail_msg("%s\n%s", values[i].text, err.text);
		sample_read(cfg);
		config_errors(cfg, &got);
		failed += check(&values[i], got.data);
		assert_int_equal(config_error_count(cfg), lines_of(got.data));
		buf_clear(&got);
		config_free(cfg);
	}
	assert_int_equal(failed, 0);
}

static void a_text_of_too_many_keys_or_errors_is_cut_short(void **state)
{
	(void)state;
	struct buf text = BUF_INIT, got = BUF_INIT;
	struct error err = {0};
	for (int i = 0; i < 10001; i++)
		buf_addf(&text, "zzz%d = 1;\n", i);
	assert_null(config_parse("t.conf", text.data, &err));
	assert_string_equal(err.text, "t.conf:10001: there are more than 10000 keys. Write fewer.");
	buf_truncate(&text, (size_t)(strstr(text.data, "zzz2000 ") - text.data));
	struct config *cfg = config_parse("t.conf", text.data, &err);
	sample_read(cfg);
	config_errors(cfg, &got);
	assert_int_equal(lines_of(got.data), 1001);
	assert_true(has_line(got.data, "t.conf:1001:", "there is more than this"));
	config_free(cfg);
	buf_clear(&text);
	buf_clear(&got);
}

static void all_errors_come_at_once_sorted_by_line(void **state)
{
	(void)state;
	struct buf got = BUF_INIT;
	const char *text = S "llm = 1;\nchannels: { b: { port = 0;\n type = 5; }; };\nzzz = 1;";
	struct config *cfg = config_parse("t.conf", text, NULL);
	assert_non_null(cfg);
	sample_read(cfg);
	sample_read(cfg);
	config_errors(cfg, &got);
	assert_string_equal(got.data,
	    "t.conf:2: llm: this must be a group. Write llm: { ... };\n"
	    "t.conf:3: channels.b.port: 0 is out of range. Write a value between 1 and 65535.\n"
	    "t.conf:4: channels.b.type: this is a number. Write \"telegram\", \"slack\", \"discord\" or "
	    "\"console\".\n"
	    "t.conf:5: unknown key 'zzz' at the top. Known here: "
	    "channels, color, control, llm, log, state, targets.\n");
	buf_clear(&got);
	config_free(cfg);
}

static void a_report_finds_the_line_of_a_path_or_of_its_nearest_parent(void **state)
{
	(void)state;
	struct buf got = BUF_INIT;
	const char *text = S "targets: {\n ops = [\n  \"slack:C1\",\n  \"telegram:5\"\n\n ];\n};\n";
	struct config *cfg = config_parse("t.conf", text, NULL);
	config_error(cfg, "targets.ops[1]", "e%d", 1);
	config_error(cfg, "targets.ops[0]", "e0");
	config_error(cfg, "targets.ops[9]", "e9");
	config_error(cfg, "targets.ops.x.y", "e8");
	config_error(cfg, "targets.none", "none");
	config_error(cfg, "", "top");
	config_warning(cfg, "targets", "w");
	config_errors(cfg, &got);
	assert_string_equal(got.data,
	    "t.conf:1: top\nt.conf:2: none\nt.conf:3: e9\nt.conf:3: e8\nt.conf:4: e0\nt.conf:5: e1\n");
	assert_int_equal(config_error_count(cfg), 6);
	buf_reset(&got);
	config_warnings(cfg, &got);
	assert_string_equal(got.data, "t.conf:2: w\n");
	buf_clear(&got);
	config_free(cfg);
}

static void a_report_is_one_line_whatever_the_file_holds(void **state)
{
	(void)state;
	struct buf got = BUF_INIT;
	struct config *cfg =
	    config_parse("t.conf", S "channels: { a: { type = \"x\ny\\x1bz\"; }; };\n", NULL);
	assert_non_null(cfg);
	config_error(cfg, "channels.a.type", "there is no \"%s\".", config_string(cfg, "channels.a.type"));
	config_errors(cfg, &got);
	assert_string_equal(got.data, "t.conf:2: there is no \"x y z\".\n");
	buf_clear(&got);
	config_free(cfg);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_broken_text_is_refused_with_its_line),
	    cmocka_unit_test(every_wrong_value_is_reported_with_its_line),
	    cmocka_unit_test(a_text_of_too_many_keys_or_errors_is_cut_short),
	    cmocka_unit_test(all_errors_come_at_once_sorted_by_line),
	    cmocka_unit_test(a_report_finds_the_line_of_a_path_or_of_its_nearest_parent),
	    cmocka_unit_test(a_report_is_one_line_whatever_the_file_holds),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	secret_forget_all();
	return failed;
}
