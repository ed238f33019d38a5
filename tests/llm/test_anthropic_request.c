#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "llm/anthropic_request.h"
#include "llm/story.h"

#define SYSTEM                                                          \
	",\"system\":[{\"type\":\"text\",\"text\":\"Be \\\"kind\\\".\"," \
	"\"cache_control\":{\"type\":\"ephemeral\"}}]"
#define BODY(messages) "{\"model\":\"m-1\",\"max_tokens\":16000" SYSTEM ",\"messages\":[" messages "],\"stream\":true}"
#define USER(text)     "{\"role\":\"user\",\"content\":\"" text "\"}"
#define RAW            "{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\",\"signature\":\"s\"}," \
	    "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"now\",\"input\":{}}]}"

/* The body, which always is JSON. */
static const char *build(struct story *f, bool plain)
{
	struct error err = { 0 };

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
	struct story *f = *state;

	story_say(f, LLM_USER, "Zeig \"das\"");
	struct llm_message *m = story_say(f, LLM_ASSISTANT, "Ich sehe nach.");
	llm_message_add_call(m, "c1", "read_file", "{\"path\":\"a\"}");
	llm_message_add_call(m, "c2", "now", "{}");
	story_result(f, "c1", "text");
	story_result(f, "c2", "x")->is_error = true;
	story_say(f, LLM_USER, "and?");
	assert_string_equal(build(f, false),
	    BODY(USER("Zeig \\\"das\\\"") ",{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Ich sehe nach.\"},"
		"{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"read_file\",\"input\":{\"path\":\"a\"}},"
		"{\"type\":\"tool_use\",\"id\":\"c2\",\"name\":\"now\",\"input\":{}}]},"
		"{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":\"c1\",\"content\":\"text\"},"
		"{\"type\":\"tool_result\",\"tool_use_id\":\"c2\",\"content\":\"x\",\"is_error\":true}]}," USER("and?")));
}

static void blank_texts_are_no_blocks(void **state)
{
	struct story *f = *state;

	story_say(f, LLM_USER, "Hi");
	llm_message_add_call(story_say(f, LLM_ASSISTANT, " \n"), "c1", "now", "{}");
	story_result(f, "c1", "12:00");
	f->req.system = " ";
	assert_string_equal(build(f, false),
	    "{\"model\":\"m-1\",\"max_tokens\":16000,\"messages\":[" USER("Hi") ",{\"role\":\"assistant\",\"content\":["
	    "{\"type\":\"tool_use\",\"id\":\"c1\",\"name\":\"now\",\"input\":{}}]},{\"role\":\"user\",\"content\":["
	    "{\"type\":\"tool_result\",\"tool_use_id\":\"c1\",\"content\":\"12:00\"}]}],\"stream\":true}");
}

static void ids_of_other_providers_are_made_fit_with_their_results(void **state)
{
	struct story *f = *state;

	story_say(f, LLM_USER, "Hi");
	llm_message_add_call(story_say(f, LLM_ASSISTANT, ""), "functions.now:0/\xc3\xa9", "now", "{}");
	story_result(f, "functions.now:0/\xc3\xa9", "x");
	const char *body = build(f, false);
	assert_non_null(strstr(body, "\"id\":\"functions_now_0___\""));
	assert_non_null(strstr(body, "\"tool_use_id\":\"functions_now_0___\""));
}

static struct llm_message *thought(struct story *f, const char *provider, const char *model, const char *raw)
{
	story_say(f, LLM_USER, "Hi");
	struct llm_message *m = story_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "toolu_1", "now", "{}");
	story_own(m, provider, model, raw);
	story_result(f, "toolu_1", "x");
	return m;
}

static void thinking_goes_back_as_it_came_to_the_same_model_only(void **state)
{
	struct story *f = *state;
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
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"toolu_2\",\"name\":\"now\",\"input\":{}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"raw\"}]}",
		"{\"role\":\"assistant\",\"content\":[7]}",
		"{\"role\":\"assistant\",\"content\":[8",
	};

	for (size_t i = 0; i < ARRAY_LEN(raws); i++) {
		struct story *f = *state;
		thought(f, "main", "m-1", raws[i]);
		assert_non_null(strstr(build(f, false), "[{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"now\",\"input\":{}}]"));
		assert_null(strstr(f->body.data, raws[i]));
		llm_history_clear(&f->history);
		llm_history_init(&f->history);
	}
}

static void tools_are_listed_even_where_they_are_forbidden(void **state)
{
	static const struct llm_tool tools[] = { { "now", "The time.", "{\"type\":\"object\",\"properties\":{}}" } };
	struct story *f = *state;

	story_say(f, LLM_USER, "Hi");
	f->req.tools = tools;
	f->req.tool_count = 1;
	assert_non_null(strstr(build(f, false),
	    ",\"tools\":[{\"name\":\"now\",\"description\":\"The time.\",\"input_schema\":{\"type\":\"object\",\"properties\":{}}}],"
	    "\"system\""));
	assert_null(strstr(f->body.data, "tool_choice"));
	f->req.forbid_tools = true;
	assert_non_null(strstr(build(f, false), "}}],\"tool_choice\":{\"type\":\"none\"},"));
}

static void only_anthropic_is_asked_to_cache_by_itself(void **state)
{
	struct story *f = *state;

	story_say(f, LLM_USER, "Hi");
	f->req.session_key = "k";
	f->provider.settings.max_tokens = 7;
	assert_non_null(strstr(build(f, false), "\"max_tokens\":7,"));
	assert_non_null(strstr(f->body.data, "],\"metadata\":{\"user_id\":\"k\"},\"stream\":true}"));
	story_url(f, "https://api.anthropic.com");
	assert_non_null(strstr(build(f, false), "],\"cache_control\":{\"type\":\"ephemeral\"},\"metadata\""));
	story_url(f, "https://api.anthropic.com.example.org");
	assert_null(strstr(build(f, false), "],\"cache_control\""));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, story_set_up, story_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(results_of_one_message_stand_in_one_message_before_anything_else),
		TEST(blank_texts_are_no_blocks),
		TEST(ids_of_other_providers_are_made_fit_with_their_results),
		TEST(thinking_goes_back_as_it_came_to_the_same_model_only),
		TEST(what_no_longer_is_what_the_history_says_is_built_anew),
		TEST(tools_are_listed_even_where_they_are_forbidden),
		TEST(only_anthropic_is_asked_to_cache_by_itself),
	};

	return cmocka_run_group_tests_name("anthropic_request", tests, NULL, NULL);
}
