#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "playground/server/strict.h"
#include "playground/spec/spec.h"

static const struct spec_type *returns(const char *method)
{
	return spec_method(spec_of("telegram"), method)->returns;
}

static void judge(struct strict *s, const char *json)
{
	strict_judge_text(s, "telegram", "getMe", returns("getMe"), json, strlen(json));
}

static size_t count(const struct strict *s)
{
	return s->violations ? json_object_array_length(s->violations) : 0;
}

static void an_answer_of_another_type_is_a_violation_once(void **state)
{
	struct strict s = {.on = true};

	(void)state;
	judge(&s, "{\"id\":1,\"is_bot\":true,\"first_name\":\"Myna\"}");
	assert_int_equal(count(&s), 0);
	judge(&s, "{\"id\":\"1\",\"is_bot\":true,\"nick\":\"Myna\"}");
	assert_int_equal(count(&s), 3);
	judge(&s, "{\"id\":\"1\",\"is_bot\":true,\"nick\":\"Myna\"}");
	assert_int_equal(count(&s), 3);
	assert_string_equal(
	    json_get_str(json_object_array_get_idx(s.violations, 0), "problem"), "/first_name: is missing");
	assert_string_equal(json_get_str(json_object_array_get_idx(s.violations, 1), "problem"),
	    "/id: must be an integer, and is 1");
	assert_string_equal(json_get_str(json_object_array_get_idx(s.violations, 2), "problem"),
	    "/nick: there is no such member");
	strict_clear(&s);
}

static void elements_of_a_list_are_judged_as_one(void **state)
{
	static const char json[] = "[{\"update_id\":1,\"poll\":1},{\"update_id\":2,\"poll\":1}]";
	struct strict s = {.on = true};

	(void)state;
	strict_judge_text(&s, "telegram", "getUpdates", returns("getUpdates"), json, strlen(json));
	assert_int_equal(count(&s), 1);
	strict_clear(&s);
}

static void events_are_judged_by_their_names(void **state)
{
	struct json_object *o = json_object_new_object();
	struct strict s = {.on = true};

	(void)state;
	strict_judge_object(&s, "discord", "RESUMED", o);
	assert_int_equal(count(&s), 0);
	strict_judge_object(&s, "discord", "TYPING_START", o);
	assert_int_equal(count(&s), 3);
	strict_judge_object(&s, "discord", "NOTHING", o);
	assert_int_equal(count(&s), 4);
	strict_clear(&s);
	json_object_put(o);
}

/* With them, a type that is wrong or missing in a failure or a frame shows, too. */
static void failures_and_frames_are_judged(void **state)
{
	static const struct {
		const char *platform, *type, *json;
		size_t violations;
	} rows[] = {
	    {"discord", "ErrorResponse", "{\"code\":10003,\"message\":\"Unknown Channel\"}", 0},
	    {"discord", "ErrorResponse", "{\"code\":\"10003\"}", 2},
	    {"discord", "RatelimitedResponse", "{\"message\":\"\",\"retry_after\":0.5,\"global\":false}", 0},
	    {"discord", "RatelimitedResponse", "{\"message\":\"\",\"retry_after\":\"0.5\"}", 2},
	    {"slack", "failure", "{\"ok\":false,\"error\":\"ratelimited\"}", 0},
	    {"slack", "failure", "{\"ok\":false}", 1},
	    {"slack", "disconnect", "{\"type\":\"disconnect\",\"reason\":\"because\"}", 2},
	    {"telegram", "Failure",
		"{\"ok\":false,\"error_code\":429,\"description\":\"\",\"parameters\":{\"retry_after\":3}}",
		0},
	    {"telegram", "Failure",
		"{\"ok\":false,\"error_code\":429,\"parameters\":{\"retry_after\":\"3\"}}", 2},
	    {"telegram", "Update", "{\"update_id\":1,\"message\":{}}", 3},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct strict s = {.on = true};

		strict_judge_message(&s, rows[i].platform, rows[i].type, rows[i].json, strlen(rows[i].json));
		if (count(&s) != rows[i].violations)
			fail_msg("%s: %zu violations", rows[i].json, count(&s));
		strict_clear(&s);
	}
}

static void nothing_is_judged_without_the_option(void **state)
{
	struct strict s = {.on = false};

	(void)state;
	judge(&s, "[]");
	assert_int_equal(count(&s), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_answer_of_another_type_is_a_violation_once),
	    cmocka_unit_test(elements_of_a_list_are_judged_as_one),
	    cmocka_unit_test(events_are_judged_by_their_names),
	    cmocka_unit_test(failures_and_frames_are_judged),
	    cmocka_unit_test(nothing_is_judged_without_the_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
