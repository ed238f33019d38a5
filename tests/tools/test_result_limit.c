#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/text/utf8.h"
#include "tools/sanitize.h"
#include "tools/result_limit.h"
#include "tools/tools_fixture.h"

/* Fits o, which it takes, and reads what came out. */
static struct json_object *fit(struct json_object *o, size_t max)
{
	struct error err = {0};
	char *text = result_limit_apply(o, max);

	assert_true(strlen(text) <= max);
	struct json_object *out = json_parse_object(text, strlen(text), &err);
	if (!out)
		fail_msg("%s: %s", err.text, text);
	free(text);
	json_object_put(o);
	return out;
}

static struct json_object *object_with(const char *name, const char *value)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, name, value);
	return o;
}

/* count lines "line N" of text. */
static char *lines(int count)
{
	struct buf text = BUF_INIT;

	for (int i = 1; i <= count; i++)
		buf_addf(&text, "line %d\n", i);
	return buf_take(&text);
}

static void what_fits_stays_as_it_is(void **state)
{
	char *text = lines(20);
	struct json_object *o = object_with("content", text);
	char *before = json_text(o), *after = result_limit_apply(o, strlen(before));

	(void)state;
	assert_string_equal(after, before);
	free(text);
	free(before);
	free(after);
	json_object_put(o);
}

static void content_is_cut_at_a_line_end(void **state)
{
	char *text = lines(200);
	struct json_object *o = fit(object_with("content", text), 512);
	const char *kept = json_get_str(o, "content");

	(void)state;
	assert_true(json_get_bool(o, "truncated", false));
	assert_int_equal(kept[strlen(kept) - 1], '\n');
	assert_int_equal(strncmp(kept, text, strlen(kept)), 0);
	assert_true(strlen(kept) > 200);
	free(text);
	json_object_put(o);
}

static void output_keeps_head_and_tail(void **state)
{
	char *text = lines(2000);
	struct json_object *o = object_with("stdout", text);

	(void)state;
	json_set_int(o, "exit_code", 0);
	o = fit(o, 1000);
	const char *kept = json_get_str(o, "stdout");
	assert_int_equal(strncmp(kept, "line 1\nline 2\n", 14), 0);
	assert_string_equal(kept + strlen(kept) - 20, "line 1999\nline 2000\n");
	const char *gap = strstr(kept, "\n[... ");
	assert_non_null(gap);
	size_t left_out = strtoull(gap + 6, NULL, 10);
	const char *tail = strstr(gap, " bytes left out ...]\n") + strlen(" bytes left out ...]\n");
	assert_int_equal((size_t)(gap - kept) + left_out + strlen(tail), strlen(text));
	assert_true(json_get_bool(o, "truncated", false));
	assert_int(o, "exit_code", 0);
	free(text);
	json_object_put(o);
}

/* 64 KiB of each, as a command may print, in one result of 64 KiB. */
static void two_large_texts_share_the_room(void **state)
{
	char *text = lines(6000);
	struct json_object *o = object_with("stdout", text);

	(void)state;
	json_set_str(o, "stderr", text);
	o = fit(o, 65536);
	size_t out = strlen(json_get_str(o, "stdout")), err = strlen(json_get_str(o, "stderr"));
	assert_true(out > 28000 && err > 28000);
	free(text);
	json_object_put(o);
}

static void a_small_text_stays_whole_beside_a_large_one(void **state)
{
	char *large = lines(6000), *small = lines(100);
	struct json_object *o = object_with("stdout", large);

	(void)state;
	json_set_str(o, "stderr", small);
	o = fit(o, 4096);
	assert_str(o, "stderr", small);
	assert_true(strlen(json_get_str(o, "stdout")) > 2500);
	free(large);
	free(small);
	json_object_put(o);
}

static void other_text_keeps_its_head(void **state)
{
	char *text = lines(200);
	struct json_object *o = fit(object_with("answer", text), 512);
	const char *kept = json_get_str(o, "answer");

	(void)state;
	assert_int_equal(strncmp(kept, text, strlen(kept)), 0);
	assert_true(strlen(kept) > 400);
	assert_true(json_get_bool(o, "truncated", false));
	free(text);
	json_object_put(o);
}

static void lists_lose_entries_from_the_end_and_count_follows(void **state)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();

	(void)state;
	for (int i = 0; i < 100; i++)
		json_object_array_add(list, object_with("name", "something"));
	json_set(o, "entries", list);
	json_set_int(o, "count", 100);
	json_set_int(o, "total_found", 100);
	o = fit(o, 512);
	int64_t kept = (int64_t)json_object_array_length(json_get_array(o, "entries"));
	assert_true(kept > 10 && kept < 30);
	assert_int(o, "count", kept);
	assert_int(o, "total_found", 100);
	assert_true(json_get_bool(o, "truncated", false));
	json_object_put(o);
}

static void a_foreign_result_becomes_its_beginning(void **state)
{
	struct json_object *o = json_object_new_object(), *inner = json_object_new_object();

	(void)state;
	for (int i = 0; i < 300; i++) {
		char name[16];
		snprintf(name, sizeof(name), "member%d", i);
		json_set_int(inner, name, i);
	}
	json_set(o, "result", inner);
	char *whole = json_text(o);
	o = fit(o, 512);
	assert_true(json_get_bool(o, "truncated", false));
	assert_int(o, "bytes", (int64_t)strlen(whole));
	const char *text = json_get_str(o, "text");
	assert_true(strlen(text) > 300);
	assert_int_equal(strncmp(whole, text, strlen(text)), 0);
	free(whole);
	json_object_put(o);
}

static void a_failure_stays_one(void **state)
{
	struct json_object *o = object_with("error", "Nothing works. Try again."),
			   *context = json_object_new_object();
	char *text = lines(1000);

	(void)state;
	json_set_str(o, "error_code", "TOOL_FAILED");
	json_set_str(context, "tool", "probe");
	json_set_str(context, "output", text);
	json_set(o, "context", context);
	o = fit(o, 600);
	assert_str(o, "error_code", "TOOL_FAILED");
	assert_str(json_get_object(o, "context"), "tool", "probe");
	assert_str(o, "error", "Nothing works. Try again.");
	json_object_put(o);

	o = object_with("error", text);
	json_set_str(o, "error_code", "IO_ERROR");
	o = fit(o, 512);
	assert_str(o, "error_code", "IO_ERROR");
	json_object_put(o);

	/* Less room for each member than the code needs. */
	o = object_with("error_code", "TOOL_FAILED");
	for (char name[] = "a"; name[0] <= 'z'; name[0]++)
		json_set_str(o, name, text);
	o = fit(o, 512);
	assert_str(o, "error_code", "TOOL_FAILED");
	assert_non_null(json_get_str(o, "z"));
	free(text);
	json_object_put(o);
}

static void a_cut_falls_between_characters(void **state)
{
	static const char *const texts[] = {
	    "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80", "a\xcc\x81\"\\\n\t"};
	static const char *const names[] = {"content", "stdout", "answer"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(texts) * ARRAY_LEN(names); i++) {
		struct buf text = BUF_INIT;
		for (int n = 0; n < 400; n++)
			buf_addstr(&text, texts[i / ARRAY_LEN(names)]);
		for (size_t max = RESULT_LIMIT_MIN; max < RESULT_LIMIT_MIN + 12; max++) {
			struct json_object *o = fit(object_with(names[i % ARRAY_LEN(names)], text.data), max);
			const char *kept = json_get_str(o, names[i % ARRAY_LEN(names)]);
			assert_true(utf8_valid(kept, strlen(kept)));
			assert_null(strstr(kept, "\xef\xbf\xbd"));
			json_object_put(o);
		}
		buf_clear(&text);
	}
}

static void cutting_counts_escapes_as_they_are_written(void **state)
{
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 500; round++) {
		struct buf text = BUF_INIT, quoted = BUF_INIT;
		for (uint32_t n = any(&seed, 60); n > 0; n--)
			utf8_encode(&text, any(&seed, 4) ? 1 + any(&seed, 127) : 1 + any(&seed, 0x2000));
		struct json_object *o = json_object_new_string_len(text.data, (int)text.len);
		json_write(&quoted, o);
		assert_int_equal(result_limit_escaped_size(text.data, text.len) + 2, quoted.len);
		for (size_t room = 0; room < 80; room += 7) {
			size_t cut = result_limit_cut(text.data, text.len, room);
			assert_true(result_limit_escaped_size(text.data, cut) <= room);
			assert_true(utf8_valid(text.data, cut));
			/* The next character would not fit. */
			uint32_t cp;
			size_t next = utf8_decode(text.data + cut, text.len - cut, &cp);
			assert_true(
			    cut == text.len || result_limit_escaped_size(text.data, cut + next) > room);
		}
		json_object_put(o);
		buf_clear(&text);
		buf_clear(&quoted);
	}
}

static struct json_object *random_value(uint64_t *seed, int depth);

static struct json_object *random_text(uint64_t *seed)
{
	struct buf text = BUF_INIT;
	uint32_t kind = any(seed, 4);

	for (uint32_t n = any(seed, kind == 0 ? 1500 : 60); n > 0; n--)
		utf8_encode(&text,
		    any(seed, 5) == 0 ? '\n' :
			any(seed, 3)  ? 1 + any(seed, 127) :
					1 + any(seed, 0xd000));
	struct json_object *o = json_object_new_string_len(text.data, (int)text.len);
	buf_clear(&text);
	return o;
}

static struct json_object *random_object(uint64_t *seed, int depth)
{
	static const char *const names[] = {"content", "stdout", "stderr", "count", "matches", "error",
	    "error_code", "truncated", "context", "a", "b", "c", "d\"\n", "e\xc3\xa9"};
	struct json_object *o = json_object_new_object();

	for (uint32_t n = any(seed, 9); n > 0; n--)
		json_set(o, names[any(seed, ARRAY_LEN(names))], random_value(seed, depth + 1));
	return o;
}

static struct json_object *random_value(uint64_t *seed, int depth)
{
	struct json_object *list;

	switch (any(seed, depth > 2 ? 5 : 8)) {
	case 0:
		return json_object_new_int64((int64_t)any(seed, 1000000) * 1000000 - 7);
	case 1:
		return any(seed, 2) ? NULL : json_object_new_boolean(1);
	case 2:
		return json_object_new_double(any(seed, 1000) / 7.0);
	case 3:
	case 4:
		return random_text(seed);
	case 5:
	case 6:
		list = json_object_new_array();
		for (uint32_t n = any(seed, 12); n > 0; n--)
			json_object_array_add(list, random_value(seed, depth + 1));
		return list;
	default:
		return random_object(seed, depth);
	}
}

static void whatever_comes_is_valid_and_fits(void **state)
{
	uint64_t seed = 7;
	int cut = 0;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct json_object *o = random_object(&seed, 0);
		size_t max = RESULT_LIMIT_MIN + any(&seed, 6000);
		char *whole = json_text(o), *code = xstrdup(json_get_str(o, "error_code"));
		bool fits = strlen(whole) <= max;
		struct json_object *out = fit(o, max);
		char *text = json_text(out);
		if (fits)
			assert_string_equal(text, whole);
		else
			assert_true(json_get_bool(out, "truncated", false));
		assert_int_equal(code != NULL, json_get_str(out, "error_code") != NULL);
		cut += !fits;
		free(text);
		free(code);
		free(whole);
		json_object_put(out);
	}
	assert_true(cut > 500);
}

static char *cleaned(const char *json)
{
	struct error err = {0};
	struct json_object *o = json_parse(json, strlen(json), &err), *out = sanitize_json(o);
	char *text = json_text(out);

	json_object_put(o);
	json_object_put(out);
	return text;
}

static void control_codes_go_and_secrets_are_hidden_wherever_they_stand(void **state)
{
	static const char *const cases[][2] = {
	    {"{\"a\":\"x\\u001b[1my\\u0000z\\u007f\\t\\n\\r\"}", "{\"a\":\"x[1myz\\t\\n\\r\"}"},
	    {"{\"a\":[\"hunter2hunter2\",{\"b\":\"a hunter2hunter2!\"}]}",
		"{\"a\":[\"[redacted]\",{\"b\":\"a [redacted]!\"}]}"},
	    {"{\"hunter2hunter2\":1}", "{\"[redacted]\":1}"},
	    {"{\"a\":\"hunter2\\u0001hunter2\"}", "{\"a\":\"[redacted]\"}"},
	    {"[null,1,true,1.5,\"\"]", "[null,1,true,1.5,\"\"]"},
	};

	(void)state;
	secret_register("hunter2hunter2");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *text = cleaned(cases[i][0]);
		assert_string_equal(text, cases[i][1]);
		free(text);
	}
	secret_forget_all();
}

static void bad_bytes_are_replaced_and_counted(void **state)
{
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(sanitize_text(&out, "a\xff\xc3(\xe2\x82\xac\x80", 8), 3);
	assert_string_equal(out.data, "a\xef\xbf\xbd\xef\xbf\xbd(\xe2\x82\xac\xef\xbf\xbd");
	buf_clear(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_fits_stays_as_it_is),
	    cmocka_unit_test(content_is_cut_at_a_line_end),
	    cmocka_unit_test(output_keeps_head_and_tail),
	    cmocka_unit_test(two_large_texts_share_the_room),
	    cmocka_unit_test(a_small_text_stays_whole_beside_a_large_one),
	    cmocka_unit_test(other_text_keeps_its_head),
	    cmocka_unit_test(lists_lose_entries_from_the_end_and_count_follows),
	    cmocka_unit_test(a_foreign_result_becomes_its_beginning),
	    cmocka_unit_test(a_failure_stays_one),
	    cmocka_unit_test(a_cut_falls_between_characters),
	    cmocka_unit_test(cutting_counts_escapes_as_they_are_written),
	    cmocka_unit_test(whatever_comes_is_valid_and_fits),
	    cmocka_unit_test(control_codes_go_and_secrets_are_hidden_wherever_they_stand),
	    cmocka_unit_test(bad_bytes_are_replaced_and_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
