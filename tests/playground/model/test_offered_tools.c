#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/model/chat/chat.h"
#include "playground/model/messages/messages.h"
#include "playground/model/api.h"

#define TOOL(name)                                              \
	"{\"type\":\"function\",\"function\":{\"name\":\"" name \
	"\",\"description\":\"Says \\\"]\\\" and \\\\\"}}"
#define LIST "[" TOOL("a") "," TOOL("b") "]"
#define REQUEST(list) \
	"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}],\"tools\":" list "}"

static struct json_object *parse(struct offered_tools *o, const char *text)
{
	return offered_tools_parse(o, text, strlen(text), NULL);
}

/* It is what json_parse_object makes of it, also with its error. */
static void expect_the_same(struct offered_tools *o, const char *text)
{
	struct error err = {0}, plain_err = {0};
	struct json_object *is = offered_tools_parse(o, text, strlen(text), &err),
			   *plain = json_parse_object(text, strlen(text), &plain_err);

	if (!is != !plain || (is && !json_object_equal(is, plain)))
		fail_msg("%s\nbecame %s", text, json_object_to_json_string(is));
	assert_string_equal(err.text, plain_err.text);
	json_object_put(is);
	json_object_put(plain);
}

static void every_request_is_read_as_without_it(void **state)
{
	static const char *const texts[] = {
	    REQUEST(LIST),
	    "{\"tools\": " LIST ", \"model\":\"other\"}",
	    REQUEST(LIST) " ",
	    REQUEST(LIST) "}",
	    REQUEST(LIST "]"),
	    REQUEST("[]"),
	    REQUEST("[" LIST "]"),
	    REQUEST("[" TOOL("a") "]"),
	    REQUEST("{}"),
	    REQUEST("\"tools that are known\""),
	    "{\"tools\":" LIST ",\"tools\":[1]}",
	    "{\"tools\":[1],\"tools\":" LIST "}",
	    "{\"tools\":" LIST ",\"tools\":" LIST "}",
	    "{\"in\":{\"tools\":" LIST "}}",
	    "{\"in\":{\"tools\":" LIST "},\"tools\":[2]}",
	    "{\"in\":{\"tools\":" LIST "},\"tools\":" LIST "}",
	    "{\"text\":\"\\\"tools\\\":[\",\"tools\":" LIST "}",
	    "{\"tools\":" LIST ",\"text\":\"\xff\"}",
	    "{\"tools\":" LIST,
	    "{\"tools\":[",
	    "{\"tools\":",
	    "[{\"tools\":" LIST "}]",
	    "",
	};
	struct offered_tools o = {0};

	(void)state;
	for (int again = 0; again < 3; again++)
		for (size_t i = 0; i < ARRAY_LEN(texts); i++)
			expect_the_same(&o, texts[i]);
	offered_tools_clear(&o);
}

static void requests_share_one_list(void **state)
{
	struct offered_tools o = {0};
	struct json_object *first = parse(&o, REQUEST(LIST)), *second = parse(&o, REQUEST(LIST)),
			   *third = parse(&o, "{\"model\":\"n\",\"tools\":" LIST ",\"stream\":true}");

	(void)state;
	assert_ptr_equal(json_get(second, "tools"), json_get(third, "tools"));
	json_object_put(first);
	json_object_put(second);
	offered_tools_clear(&o);
	assert_int_equal(json_object_array_length(json_get(third, "tools")), 2);
	json_object_put(third);
}

static void the_lists_in_use_stay_and_others_go(void **state)
{
	struct offered_tools o = {0};
	struct json_object *list, *request;
	char text[128];

	(void)state;
	json_object_put(parse(&o, REQUEST(LIST)));
	request = parse(&o, REQUEST(LIST));
	list = json_get(request, "tools");
	json_object_put(request);
	for (int i = 0; i < 100; i++) {
		snprintf(text, sizeof(text), "{\"tools\":[%d]}", i);
		expect_the_same(&o, text);
		request = parse(&o, REQUEST(LIST));
		assert_ptr_equal(json_get(request, "tools"), list);
		json_object_put(request);
	}
	offered_tools_clear(&o);
}

static void a_list_that_one_format_accepts_is_checked_by_others(void **state)
{
	static const char text[] = "{\"model\":\"m\",\"max_tokens\":10,\"messages\":[{\"role\":\"user\","
				   "\"content\":\"hi\"}],\"tools\":" LIST "}";
	struct offered_tools o = {0};
	struct refusal r;

	(void)state;
	for (int again = 0; again < 3; again++) {
		struct json_object *request = parse(&o, text);

		assert_int_equal(chat_check(request, &r), 0);
		assert_int_equal(messages_check(request, "2023-06-01", &r), -1);
		assert_string_equal(r.message, "tools.0.custom.name: Field required");
		json_object_put(request);
	}
	offered_tools_clear(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_request_is_read_as_without_it),
	    cmocka_unit_test(requests_share_one_list),
	    cmocka_unit_test(the_lists_in_use_stay_and_others_go),
	    cmocka_unit_test(a_list_that_one_format_accepts_is_checked_by_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
