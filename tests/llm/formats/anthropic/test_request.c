#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/anthropic/request.h"
#include "llm/sample.h"

#define SYSTEM                                                           \
	",\"system\":[{\"type\":\"text\",\"text\":\"Be \\\"kind\\\".\"," \
	"\"cache_control\":{\"type\":\"ephemeral\"}}]"
#define BODY(messages) \
	"{\"model\":\"m-1\",\"max_tokens\":16000" SYSTEM ",\"messages\":[" messages "],\"stream\":true}"
#define MARKER     ",\"cache_control\":{\"type\":\"ephemeral\"}"
#define USER(text) "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"" text "\"" MARKER "}]}"
#define RAW                                                                                              \
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":" \
	"\"s\"},"                                                                                        \
	"{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"now\",\"input\":{}}]}"

/* The body, which always is JSON. */
static const char *build(struct sample *f, bool plain)
{
	struct error err = {0};

	buf_reset(&f->body);
	anthropic_request(&f->body, &f->provider, &f->req, plain);
	struct json_object *o = json_parse_object(f->body.data, f->body.len, &err);
	if (!o)
		fail_msg("%s: %s", err.text, f->body.data);
	json_object_put(o);
	return f->body.data;
}

static void results_of_one_message_stand_in_one_message_before_anything_else(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Zeig \"das\"");
	struct llm_message *m = sample_say(f, LLM_ASSISTANT, "Ich sehe nach.");
	llm_message_add_call(m, "c1", "read_file", "{\"path\":\"a\"}");
	llm_message_add_call(m, "c2", "now", "{}");
	sample_result(f, "c1", "text");
	sample_result(f, "c2", "x")->is_error = true;
	sample_say(f, LLM_USER, "and?");
	assert_string_equal(build(f, false),
	    BODY(USER("Zeig \\\"das\\\"") ",{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":"
					  "\"Ich sehe "
					  "nach.\"},{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"read_"
					  "file\",\"input\":{\"path\":\"a\"}},{\"type\":\"tool_use\",\"id\":"
					  "\"c2\",\"name\":\"now\",\"input\":{}}]},{\"role\":\"user\","
					  "\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"c1\","
					  "\"content\":\"text\"},{\"type\":\"tool_result\",\"tool_use_id\":"
					  "\"c2\",\"content\":\"x\",\"is_error\":true}]}," USER("and?")));
}

static void blank_texts_are_no_blocks(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	llm_message_add_call(sample_say(f, LLM_ASSISTANT, " \n"), "c1", "now", "{}");
	sample_result(f, "c1", "12:00");
	f->req.system = " ";
	assert_string_equal(build(f, false),
	    "{\"model\":\"m-1\",\"max_tokens\":16000,\"messages\":[" USER(
		"Hi") ",{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":"
		      "\"now\",\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
		      "\"tool_use_id\":\"c1\",\"content\":\"12:00\"" MARKER "}]}],\"stream\":true}");
}

static void ids_of_other_providers_are_made_fit_with_their_results(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	llm_message_add_call(sample_say(f, LLM_ASSISTANT, ""), "functions.now:0/\xc3\xa9", "now", "{}");
	sample_result(f, "functions.now:0/\xc3\xa9", "x");
	const char *body = build(f, false);
	assert_non_null(strstr(body, "\"id\":\"functions_now_0___\""));
	assert_non_null(strstr(body, "\"tool_use_id\":\"functions_now_0___\""));
}

static struct llm_message *thought(struct sample *f, const char *provider, const char *model, const char *raw)
{
	sample_say(f, LLM_USER, "Hi");
	struct llm_message *m = sample_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "toolu_1", "now", "{}");
	sample_own(m, provider, model, raw);
	sample_result(f, "toolu_1", "x");
	return m;
}

static void thinking_goes_back_as_it_came_to_the_same_model_only(void **state)
{
	struct sample *f = *state;
	struct llm_message *m = thought(f, "main", "m-1", RAW);

	assert_non_null(strstr(build(f, false), RAW));
	assert_null(strstr(build(f, true), "thinking"));
	free(m->model);
	m->model = xstrdup("m-2");
	assert_null(strstr(build(f, false), "thinking"));
	free(m->model);
	free(m->provider);
	m->model = xstrdup("m-1");
	m->provider = xstrdup("other");
	assert_null(strstr(build(f, false), "thinking"));
}

static void what_no_longer_is_what_the_history_says_is_built_anew(void **state)
{
	static const char *const raws[] = {
	    "{\"role\":\"assistant\",\"content\":\"now\"}",
	    "{\"role\":\"assistant\",\"content\":[]}",
	    "{\"role\":\"user\",\"content\":[{\"type\":\"tool_use\",\"id\":\"toolu_1\"}]}",
	    ("{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":"
	     "\"now\",\"input\":{}}]}"),
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"raw\"}]}",
	    "{\"role\":\"assistant\",\"content\":[7]}",
	    "{\"role\":\"assistant\",\"content\":[8",
	};

	for (size_t i = 0; i < ARRAY_LEN(raws); i++) {
		struct sample *f = *state;
		thought(f, "main", "m-1", raws[i]);
		assert_non_null(strstr(build(f, false),
		    "[{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"now\",\"input\":{}}]"));
		assert_null(strstr(f->body.data, raws[i]));
		llm_history_clear(&f->history);
		llm_history_init(&f->history);
	}
}

static void tools_are_listed_even_where_they_are_forbidden(void **state)
{
	static const struct llm_tool tools[] = {
	    {.name = "now", .summary = "The time.", .schema = "{\"type\":\"object\",\"properties\":{}}"}};
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	f->req.tools = tools;
	f->req.tool_count = 1;
	assert_non_null(strstr(build(f, false),
	    ",\"tools\":[{\"name\":\"now\",\"description\":\"The "
	    "time.\",\"input_schema\":{\"type\":\"object\",\"properties\":{}}" MARKER "}],\"system\""));
	assert_null(strstr(f->body.data, "tool_choice"));
	f->req.forbid_tools = true;
	assert_non_null(strstr(build(f, false), "}],\"tool_choice\":{\"type\":\"none\"},"));
}

/* The body without what moves. */
static char *without_markers(const char *body)
{
	char *text = xstrdup(body), *at;

	while ((at = strstr(text, MARKER)))
		memmove(at, at + strlen(MARKER), strlen(at + strlen(MARKER)) + 1);
	return text;
}

static size_t count(const char *body)
{
	size_t n = 0;

	for (; (body = strstr(body, MARKER)); body++)
		n++;
	return n;
}

static void say_round(struct sample *f, size_t i)
{
	char *id = xasprintf("c%zu", i);

	llm_message_add_call(sample_say(f, LLM_ASSISTANT, "I look."), id, "now", "{}");
	sample_result(f, id, "12:00");
	free(id);
}

/* A request begins with all bytes of the one before, up to what closes its messages; and the end of that one
 * is marked, where the cache has it. */
static void each_request_goes_on_the_one_before_and_marks_its_end(void **state)
{
	static const struct llm_tool tools[] = {
	    {.name = "now", .summary = "The time.", .schema = "{\"type\":\"object\",\"properties\":{}}"},
	    {.name = "then", .summary = "Another.", .schema = "{\"type\":\"object\",\"properties\":{}}"}};
	struct sample *f = *state;

	f->req.tools = tools;
	f->req.tool_count = ARRAY_LEN(tools);
	sample_say(f, LLM_USER, "Hi");
	char *before = without_markers(build(f, false));
	assert_int_equal(count(f->body.data), 3);
	for (size_t i = 0; i < 30; i++) {
		size_t len = strlen(before) - strlen("],\"stream\":true}");
		if (i % 5 == 4) {
			sample_say(f, LLM_ASSISTANT, "There.");
			sample_say(f, LLM_USER, "More \"words\"");
		} else {
			say_round(f, i);
		}
		char *after = without_markers(build(f, false));
		assert_memory_equal(after, before, len);
		assert_int_equal(after[len], ',');
		assert_int_equal(count(f->body.data), 4);
		/* Where the one before ended: behind the last assistant's message but the markers. */
		const char *end = strstr(f->body.data, MARKER "}]},{\"role\":\"assistant\"");
		assert_non_null(end);
		assert_null(strstr(end + 1, MARKER "}]},{\"role\":\"assistant\""));
		free(before);
		before = after;
	}
	free(before);
}

static void other_settings_stand_behind_the_messages(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	f->req.session_key = "k";
	f->provider.settings.max_tokens = 7;
	assert_non_null(strstr(build(f, false), "\"max_tokens\":7,"));
	assert_non_null(strstr(f->body.data, "],\"metadata\":{\"user_id\":\"k\"},\"stream\":true}"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, sample_set_up, sample_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(results_of_one_message_stand_in_one_message_before_anything_else),
	    TEST(blank_texts_are_no_blocks),
	    TEST(ids_of_other_providers_are_made_fit_with_their_results),
	    TEST(thinking_goes_back_as_it_came_to_the_same_model_only),
	    TEST(what_no_longer_is_what_the_history_says_is_built_anew),
	    TEST(tools_are_listed_even_where_they_are_forbidden),
	    TEST(each_request_goes_on_the_one_before_and_marks_its_end),
	    TEST(other_settings_stand_behind_the_messages),
	};

	return cmocka_run_group_tests_name("anthropic_request", tests, NULL, NULL);
}
