#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "playground/world/json_format.h"

/* Takes o. */
static void check(struct json_object *o, const char *expected)
{
	char *text = json_text(o);

	assert_string_equal(text, expected);
	free(text);
	json_object_put(o);
}

static void values_of_every_type_stand_where_they_are_named(void **state)
{
	(void)state;
	check(json_newf("{a: %s, b: %d, c: %jd, d: %zu, e: %i, f: %i, g: %p}", "x\"y", -1, INT64_MAX,
		  (size_t)7, 1, 0, json_object_new_array()),
	    "{\"a\":\"x\\\"y\",\"b\":-1,\"c\":9223372036854775807,\"d\":7,\"e\":true,\"f\":false,\"g\":[]}");
	check(json_newf("{a: 'text, with: {all}', b: -12, c: true, d: false, e: null, f: {}, g: []}"),
	    "{\"a\":\"text, with: {all}\",\"b\":-12,\"c\":true,\"d\":false,\"e\":null,\"f\":{},\"g\":[]}");
	check(json_newf("{a: {b: [1, 'c', {d: %s}], e: %d}, f: %d}", "x", 2, 3),
	    "{\"a\":{\"b\":[1,\"c\",{\"d\":\"x\"}],\"e\":2},\"f\":3}");
	check(json_newf("[%s, %d]", "x", 1), "[\"x\",1]");
}

static void a_string_that_is_null_is_left_out_and_a_value_is_null(void **state)
{
	const char *volatile none = NULL; /* the compiler would know that it is NULL */

	(void)state;
	check(json_newf("{a: %s, b: %p, c: [%s, %s]}", none, (void *)NULL, none, "x"),
	    "{\"b\":null,\"c\":[\"x\"]}");
	check(json_newf("{a: %s}", "\xff"), "{\"a\":\"\xef\xbf\xbd\"}");
}

static void members_are_set_in_an_object_that_has_some(void **state)
{
	struct json_object *o = json_newf("{a: 1, b: 2}");

	(void)state;
	json_setf(o, "b: %d, c: {d: %i}", 3, 1);
	json_setf(o, "e: %s", "x");
	check(o, "{\"a\":1,\"b\":3,\"c\":{\"d\":true},\"e\":\"x\"}");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_of_every_type_stand_where_they_are_named),
	    cmocka_unit_test(a_string_that_is_null_is_left_out_and_a_value_is_null),
	    cmocka_unit_test(members_are_set_in_an_object_that_has_some),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
