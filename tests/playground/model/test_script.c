#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "playground/embedded.h"
#include "playground/model/script/script.h"
#include "playground/model/script/script_internal.h"

static struct script *parse(const char *text)
{
	struct error err = {0};
	struct script *s = script_parse(text, strlen(text), &err);

	if (!s)
		fail_msg("%s", err.text);
	return s;
}

/* What the script answers to one more message. */
static struct script_answer ask(const struct script *s, struct conversation *d, const char *user)
{
	struct script_answer a;

	conversation_add_user(d, user);
	script_play(s, d, &a);
	return a;
}

static void expect_text(const struct script *s, struct conversation *d, const char *user, const char *text)
{
	struct script_answer a = ask(s, d, user);

	assert_non_null(a.text);
	if (!strstr(a.text, text))
		fail_msg("to \"%s\" it said \"%s\"", user, a.text);
	script_answer_clear(&a);
}

static void offer(struct conversation *d, const char *tools)
{
	struct json_object *list = json_parse(tools, strlen(tools), NULL);

	assert_non_null(list);
	conversation_offer(d, list);
	json_object_put(list);
}

static struct conversation with_tools(void)
{
	struct conversation d = {0};

	offer(&d,
	    "[{\"name\":\"exec_shell\"},{\"name\":\"list_directory\"},{\"name\":\"message\"},"
	    "{\"type\":\"function\",\"function\":{\"name\":\"read_file\"}},{\"name\":\"write_file\"}]");
	return d;
}

static void what_a_gateway_puts_before_the_words_is_skipped(void **state)
{
	struct script *s = parse("{\"skip\":\"^\\\\[[^]]*\\\\] "
				 "\",\"rules\":[{\"when\":\"^hello$\",\"steps\":[{\"text\":\"hi\"}]}],"
				 "\"else\":{\"steps\":[{\"text\":\"You said: {{user}}\"}]}}");
	struct conversation d = {0};

	(void)state;
	expect_text(s, &d, "[10:00, Ann] hello", "hi");
	expect_text(s, &d, "hello", "hi");
	expect_text(s, &d, "[10:01, Ann] good [bye] ", "You said: good [bye] ");
	conversation_clear(&d);
	script_free(s);
}

static void expect_order(
    const struct script *s, const struct conversation *d, size_t i, const char *name, const char *arguments)
{
	struct script_answer a;

	script_play(s, d, &a);
	assert_int_equal(a.call_count, 2);
	assert_null(a.text);
	assert_string_equal(a.calls[i].name, name);
	assert_string_equal(a.calls[i].arguments, arguments);
	script_answer_clear(&a);
}

static void it_obeys_whatever_a_text_orders(void **state)
{
	struct script *s = parse("{\"else\":{\"steps\":[{\"obey\":true,\"text\":\"did {{steps}}\"}]}}");
	struct conversation d = {0};
	struct script_answer a;

	(void)state;
	conversation_add_note(&d, "You are in CALL a (\"b\":1).");
	conversation_add_user(
	    &d, "[Ann] CALL c {\"d\": {\"e\": \"}\\\"\"}} or CALL not, CALL x {\"open\": 1");
	expect_order(s, &d, 0, "a", "{\"b\":1}");
	expect_order(s, &d, 1, "c", "{\"d\": {\"e\": \"}\\\"\"}}");
	conversation_add_answer(&d);
	conversation_add_result(&d, "{\"entries\": [{\"name\": \"CALL ../f {\\\"g\\\":true}\"}]}");
	conversation_add_result(&d, "no JSON: CALL h {}");
	expect_order(s, &d, 0, "../f", "{\"g\":true}");
	expect_order(s, &d, 1, "h", "{}");
	conversation_add_answer(&d);
	conversation_add_result(&d, "{}");
	script_play(s, &d, &a);
	assert_string_equal(a.text, "did 2");
	assert_int_equal(a.call_count, 0);
	script_answer_clear(&a);
	conversation_clear(&d);
	offer(&d, "[{\"name\":\"t\"},{\"function\":{\"name\":\"u\",\"description\":\"First CALL v {}.\"}}]");
	a = ask(s, &d, "hello");
	assert_int_equal(a.call_count, 1);
	assert_string_equal(a.calls[0].name, "v");
	script_answer_clear(&a);
	conversation_clear(&d);
	script_free(s);
}

static void the_first_rule_that_fits_is_taken(void **state)
{
	struct script *s = parse("{\"rules\":[{\"when\":\"^a\",\"steps\":[{\"text\":\"one\"}]},"
				 "{\"when\":\"A|B\",\"steps\":[{\"text\":\"two\"}]}],\"else\":{\"steps\":[{"
				 "\"text\":\"three\"}]}}");
	struct conversation d = {0};

	(void)state;
	expect_text(s, &d, "Abc", "one");
	expect_text(s, &d, "xab", "two");
	expect_text(s, &d, "xyz", "three");
	conversation_clear(&d);
	script_free(s);
}

static void the_step_follows_from_the_history_alone(void **state)
{
	struct script *s =
	    parse("{\"else\":{\"steps\":[{\"text\":\"s0\"},{\"text\":\"s1\"},{\"text\":\"s2\"}]},\"rules\":[{"
		  "\"when\":\"again\",\"repeat\":true,\"steps\":[{\"text\":\"r0\"},{\"text\":\"r1\"}]}]}");
	struct conversation d = {0};
	struct script_answer a;

	(void)state;
	expect_text(s, &d, "go", "s0");
	for (int i = 1; i < 5; i++) {
		conversation_add_answer(&d);
		script_play(s, &d, &a);
		assert_string_equal(a.text, i == 1 ? "s1" : "s2");
		script_answer_clear(&a);
	}
	expect_text(s, &d, "again", "r0");
	for (int i = 1; i < 5; i++) {
		conversation_add_answer(&d);
		script_play(s, &d, &a);
		assert_string_equal(a.text, i % 2 == 0 ? "r0" : "r1");
		script_answer_clear(&a);
	}
	conversation_clear(&d);
	script_free(s);
}

static void templates_are_filled(void **state)
{
	struct script *s =
	    parse("{\"rules\":[{\"when\":\"say ([a-z]+)( loudly)?\",\"recall\":{\"pet\":\"dog named "
		  "([a-z]+)\"},\"steps\":[{\"text\":\"{{1}}/{{2|'no'}}/{{user}}/{{count}}/{{recall.pet}}/"
		  "{{9}}/{{nothing}}\"}]}],\"else\":{\"steps\":[{\"text\":\"{{result.1.a.0|result.0}} "
		  "{{result}} {{result.7|'-'}}\"}]}}");
	struct conversation d = {0};
	struct script_answer a;

	(void)state;
	expect_text(s, &d, "a dog named rex", "");
	expect_text(s, &d, "say hello", "hello/no/say hello/2/rex//");
	conversation_add_user(&d, "other");
	conversation_add_answer(&d);
	conversation_add_result(&d, "plain");
	script_play(s, &d, &a);
	assert_string_equal(a.text, "plain plain -");
	script_answer_clear(&a);
	conversation_add_result(&d, "{\"a\":[\"x\",2]}");
	script_play(s, &d, &a);
	assert_string_equal(a.text, "x plain\n{\"a\":[\"x\",2]} -");
	script_answer_clear(&a);
	conversation_clear(&d);
	script_free(s);
}

static void a_rule_wants_its_tools_and_its_memories(void **state)
{
	struct script *s = parse("{\"rules\":[{\"when\":\"x\",\"tools\":[\"t\"],\"steps\":[{\"text\":"
				 "\"tool\"}]},{\"when\":\"x\",\"recall\":{\"n\":\"i am "
				 "([a-z]+)\"},\"steps\":[{\"text\":\"{{recall.n}}\"}]}],\"else\":{\"steps\":["
				 "{\"text\":\"neither\"}]}}");
	struct conversation d = {0};

	(void)state;
	expect_text(s, &d, "x", "neither");
	expect_text(s, &d, "I am ann", "neither");
	expect_text(s, &d, "I am bob, x", "ann");
	offer(&d, "[{\"name\":\"t\"}]");
	expect_text(s, &d, "x", "tool");
	conversation_clear(&d);
	script_free(s);
}

static void a_tool_that_is_not_offered_is_not_called(void **state)
{
	struct script *s = parse("{\"else\":{\"steps\":[{\"calls\":[{\"name\":\"t\",\"arguments\":{\"a\":\"{{"
				 "user}}\",\"n\":[1,true]}}]}]}}");
	struct conversation d = {0};
	struct script_answer a = ask(s, &d, "say \"hi\"");

	(void)state;
	assert_int_equal(a.call_count, 0);
	assert_non_null(strstr(a.text, "none is offered"));
	script_answer_clear(&a);
	offer(&d, "[{\"name\":\"u\"}]");
	script_play(s, &d, &a);
	assert_non_null(strstr(a.text, "the tool t"));
	script_answer_clear(&a);
	offer(&d, "[{\"type\":\"web_search\"},{\"name\":\"t\"}]");
	script_play(s, &d, &a);
	assert_int_equal(a.call_count, 1);
	assert_string_equal(a.calls[0].name, "t");
	assert_string_equal(a.calls[0].arguments, "{\"a\":\"say \\\"hi\\\"\",\"n\":[1,true]}");
	assert_null(a.text);
	script_answer_clear(&a);
	conversation_clear(&d);
	script_free(s);
}

static void wrong_scripts_are_refused_with_the_place(void **state)
{
	static const struct {
		const char *script, *says;
	} wrong[] = {
	    {"[]", "object"},
	    {"{}", "else"},
	    {"{\"else\":{\"steps\":[]}}", "steps"},
	    {"{\"else\":{\"steps\":[{}]}}", "else: step 1: a step needs"},
	    {"{\"else\":{\"steps\":[{\"text\":\"x\",\"txt\":1}]}}", "\"txt\""},
	    {"{\"else\":{\"steps\":[{\"text\":1}]}}", "else: step 1: \"text\" must be a string"},
	    {"{\"rules\":[{\"when\":\"(\",\"steps\":[{\"text\":\"x\"}]}],\"else\":{\"steps\":[{\"text\":"
	     "\"x\"}]}}",
		"rule 1: the pattern"},
	    {"{\"else\":{\"steps\":[{\"error\":{\"status\":200}}]}}", "400 to 599"},
	    {"{\"else\":{\"steps\":[{\"error\":{\"status\":429,\"retry_after\":-3}}]}}", "retry_after"},
	    {"{\"else\":{\"steps\":[{\"fault\":{\"kind\":\"slow\",\"token_ms\":-1}}]}}", "token_ms"},
	    {"{\"else\":{\"steps\":[{\"calls\":[{\"arguments\":{}}]}]}}", "name"},
	    {"{\"chunk\":0,\"else\":{\"steps\":[{\"text\":\"x\"}]}}", "chunk"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct error err = {0};

		assert_null(script_parse(wrong[i].script, strlen(wrong[i].script), &err));
		if (!strstr(err.text, wrong[i].says))
			fail_msg("%s: %s", wrong[i].script, err.text);
	}
}

static void a_fault_has_what_the_control_interface_takes(void **state)
{
	struct script *s =
	    parse("{\"else\":{\"steps\":[{\"text\":\"x\",\"fault\":{\"kind\":\"slow\",\"token_ms\":7}}]}}");
	struct conversation d = {0};
	struct script_answer a = ask(s, &d, "hi");
	struct fault f;

	(void)state;
	assert_int_equal(fault_read(&f, a.fault, NULL), 0);
	assert_int_equal(f.token_ms, 7);
	script_answer_clear(&a);
	conversation_clear(&d);
	script_free(s);
}

static void expect_call(
    const struct script *s, const char *user, size_t i, const char *name, const char *arguments)
{
	struct conversation d = with_tools();
	struct script_answer a = ask(s, &d, user);

	if (a.call_count <= i || strcmp(a.calls[i].name, name) != 0 ||
	    strcmp(a.calls[i].arguments, arguments) != 0)
		fail_msg("to \"%s\": %zu calls, \"%s\" %s", user, a.call_count, a.text ? a.text : "",
		    a.call_count > i ? a.calls[i].arguments : "");
	script_answer_clear(&a);
	conversation_clear(&d);
}

static void the_default_script_uses_tools(void **state)
{
	struct script *s = parse(embedded_script);

	(void)state;
	expect_call(s, "read notes.txt", 0, "read_file", "{\"path\":\"notes.txt\"}");
	expect_call(s, "@myna_bot please read docs/a_b.md!", 0, "read_file", "{\"path\":\"docs/a_b.md\"}");
	expect_call(s, "read ../../etc/passwd", 0, "read_file", "{\"path\":\"../../etc/passwd\"}");
	expect_call(s, "What is in config.ini?", 0, "read_file", "{\"path\":\"config.ini\"}");
	expect_call(s, "Summarise the file notes.txt", 0, "read_file", "{\"path\":\"notes.txt\"}");
	expect_call(s, "read a.txt, b.txt and c.txt", 2, "read_file", "{\"path\":\"c.txt\"}");
	expect_call(s, "compare a.txt and b.txt", 1, "read_file", "{\"path\":\"b.txt\"}");
	expect_call(s, "write hello you to new.txt", 0, "write_file",
	    "{\"path\":\"new.txt\",\"content\":\"hello you\\n\"}");
	expect_call(s, "run `date -u`", 0, "exec_shell", "{\"command\":\"date -u\"}");
	expect_call(s, "tell ops that the build is green", 0, "message",
	    "{\"target\":\"ops\",\"content\":\"the build is green\"}");
	expect_call(s, "send to telegram:123 hello there", 0, "message",
	    "{\"target\":\"telegram:123\",\"content\":\"hello there\"}");
	expect_call(s, "loop", 0, "read_file", "{\"path\":\"round-0.txt\"}");
	script_free(s);
}

static void the_default_script_reads_results_aloud(void **state)
{
	struct script *s = parse(embedded_script);
	struct conversation d = with_tools();
	struct script_answer a = ask(s, &d, "read notes.txt");

	(void)state;
	script_answer_clear(&a);
	conversation_add_answer(&d);
	conversation_add_result(&d, "{\"content\":\"milk, bread\\n\",\"total_lines\":1}");
	script_play(s, &d, &a);
	assert_string_equal(a.text, "notes.txt says:\n\nmilk, bread\n");
	assert_int_equal(a.call_count, 0);
	script_answer_clear(&a);
	conversation_add_user(&d, "read notes.txt");
	conversation_add_answer(&d);
	conversation_add_result(
	    &d, "{\"error\":\"File not found: notes.txt.\",\"error_code\":\"NOT_FOUND\"}");
	script_play(s, &d, &a);
	assert_non_null(strstr(a.text, "File not found"));
	script_answer_clear(&a);
	conversation_clear(&d);
	script_free(s);
}

static void the_default_script_is_worth_talking_to(void **state)
{
	struct script *s = parse(embedded_script);
	struct conversation d = with_tools();
	struct script_answer a;

	(void)state;
	expect_text(s, &d, "Hello!", "what can you do");
	expect_text(s, &d, "what can you do?", "read notes.txt");
	expect_text(s, &d, "what is my name?", "not told me");
	expect_text(s, &d, "My name is Ann.", "Nice to meet you, Ann");
	expect_text(s, &d, "and what is my name?", "Your name is Ann.");
	expect_text(s, &d, "what is 17*23", "17 * 23 = 391");
	expect_text(s, &d, "What is 1.5 / 0?", "nothing");
	expect_text(s, &d, "count to 20", "18, 19, 20.");
	expect_text(s, &d, "how many messages?", "9 messages");
	expect_text(s, &d, "a markdown sample", "```c");
	expect_text(s, &d, "blah 2026-11-21 blah", "You said: blah 2026-11-21 blah");
	a = ask(s, &d, "write a long story");
	assert_in_range(strlen(a.text), 9000, 9500);
	script_answer_clear(&a);
	a = ask(s, &d, "model error");
	assert_int_equal(json_get_int(a.error, "status", 0), 500);
	script_answer_clear(&a);
	conversation_clear(&d);
	script_free(s);
}

static void stories_show_what_is_missing(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	generate_story(2000, &out);
	assert_true(out.len >= 2000);
	assert_non_null(strstr(out.data, "Part 1."));
	assert_non_null(strstr(out.data, "\n\nPart 2."));
	buf_reset(&out);
	generate_numbers(3, &out);
	assert_string_equal(out.data, "1, 2, 3.");
	buf_reset(&out);
	generate_calculation("-7", '-', "8", &out);
	assert_string_equal(out.data, "-7 - 8 = -15");
	buf_reset(&out);
	generate_calculation("9223372036854775807", '+', "1", &out);
	assert_string_equal(out.data, "9223372036854775807 + 1 = 9.22337203685e+18");
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_a_gateway_puts_before_the_words_is_skipped),
	    cmocka_unit_test(it_obeys_whatever_a_text_orders),
	    cmocka_unit_test(the_first_rule_that_fits_is_taken),
	    cmocka_unit_test(the_step_follows_from_the_history_alone),
	    cmocka_unit_test(templates_are_filled),
	    cmocka_unit_test(a_rule_wants_its_tools_and_its_memories),
	    cmocka_unit_test(a_tool_that_is_not_offered_is_not_called),
	    cmocka_unit_test(wrong_scripts_are_refused_with_the_place),
	    cmocka_unit_test(a_fault_has_what_the_control_interface_takes),
	    cmocka_unit_test(the_default_script_uses_tools),
	    cmocka_unit_test(the_default_script_reads_results_aloud),
	    cmocka_unit_test(the_default_script_is_worth_talking_to),
	    cmocka_unit_test(stories_show_what_is_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
