#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/openai/request.h"
#include "llm/sample.h"

#define OPENAI "https://api.openai.com/v1"
#define END    ",\"stream\":true,\"stream_options\":{\"include_usage\":true}}"
#define SYSTEM "{\"role\":\"system\",\"content\":\"Be \\\"kind\\\".\"}"

/* The body, which always is JSON. */
static const char *build(struct sample *f, enum openai_repair repair)
{
	struct error err = {0};
	struct json_object *o;

	buf_reset(&f->body);
	openai_request(&f->body, &f->provider, &f->req, repair);
	o = json_parse_object(f->body.data, f->body.len, &err);
	if (!o)
		fail_msg("%s: %s", err.text, f->body.data);
	json_object_put(o);
	return f->body.data;
}

#define BODY(messages, rest) "{\"model\":\"m-1\",\"messages\":[" messages "]" rest END

static void each_role_has_its_shape(void **state)
{
	struct sample *f = *state;
	struct llm_message *m;

	sample_say(f, LLM_USER, "Zeig \"das\":\n\xf0\x9f\x8c\xa7 a/b");
	m = sample_say(f, LLM_ASSISTANT, "Ich sehe nach.");
	llm_message_add_call(m, "c1", "read_file", "{\"path\":\"a\"}");
	llm_message_add_call(m, "c2", "now", "{}");
	sample_result(f, "c1", "text");
	sample_result(f, "c2", "{\"t\":1}");
	m = sample_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "c3", "now", "{}");
	sample_result(f, "c3", "x")->is_error = true;
	sample_say(f, LLM_ASSISTANT, "Da.");
	sample_say(f, LLM_USER, "Danke");
	assert_string_equal(build(f, OPENAI_AS_IS),
	    BODY(SYSTEM ","
			"{\"role\":\"user\",\"content\":\"Zeig \\\"das\\\":\\n\xf0\x9f\x8c\xa7 "
			"a/b\"},{\"role\":\"assistant\",\"content\":\"Ich sehe "
			"nach.\",\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":"
			"\"read_file\",\"arguments\":\"{\\\"path\\\":\\\"a\\\"}\"}},"
			"{\"id\":\"c2\",\"type\":\"function\",\"function\":{\"name\":\"now\",\"arguments\":"
			"\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"text\"},{"
			"\"role\":\"tool\",\"tool_call_id\":\"c2\",\"content\":\"{\\\"t\\\":1}\"},{\"role\":"
			"\"assistant\",\"content\":null,\"tool_calls\":["
			"{\"id\":\"c3\",\"type\":\"function\",\"function\":{\"name\":\"now\",\"arguments\":"
			"\"{}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c3\",\"content\":\"x\"},{\"role\":"
			"\"assistant\",\"content\":\"Da.\"},{\"role\":\"user\",\"content\":\"Danke\"}",
		""));
}

static void without_a_system_prompt_there_is_no_system_message(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	f->req.system = "";
	assert_string_equal(build(f, OPENAI_AS_IS), BODY("{\"role\":\"user\",\"content\":\"Hi\"}", ""));
	f->req.system = NULL;
	assert_string_equal(build(f, OPENAI_AS_IS), BODY("{\"role\":\"user\",\"content\":\"Hi\"}", ""));
}

#define RAW "{\"role\":\"assistant\",\"content\":\"Da.\",\"reasoning_content\":\"hm \\u0000\",\"n\":1.50}"

static void a_providers_own_message_goes_back_as_it_came(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Wo?");
	sample_own(sample_say(f, LLM_ASSISTANT, "Da."), "main", "m-1", RAW);
	sample_say(f, LLM_USER, "Danke");
	assert_string_equal(build(f, OPENAI_AS_IS),
	    BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"Wo?\"}," RAW
			",{\"role\":\"user\",\"content\":\"Danke\"}",
		""));
}

static void it_goes_to_no_other_provider_or_model(void **state)
{
	static const char *const others[][2] = {{"other", "m-1"}, {"main", "m-2"}, {"mai", "m-1"}};
	struct sample *f = *state;
	struct llm_message *m;

	sample_say(f, LLM_USER, "Wo?");
	m = sample_say(f, LLM_ASSISTANT, "Da.");
	sample_own(m, "main", "m-1", RAW);
	sample_say(f, LLM_USER, "Danke");
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		free(m->provider);
		free(m->model);
		m->provider = xstrdup(others[i][0]);
		m->model = xstrdup(others[i][1]);
		assert_null(strstr(build(f, OPENAI_AS_IS), "reasoning_content"));
		assert_non_null(strstr(f->body.data, "{\"role\":\"assistant\",\"content\":\"Da.\"}"));
	}
}

static void a_stored_message_that_does_not_fit_is_not_spliced(void **state)
{
	static const char *const raws[] = {
	    "",
	    "{\"role\":\"assistant\",\"content\":\"Da.\"",
	    "{\"role\":\"assistant\",\"content\":\"Da.\"},{\"role\":\"user\",\"content\":\"x\"}",
	    "[]",
	    "{\"role\":\"user\",\"content\":\"Da.\"}",
	    "{\"content\":\"Da.\"}",
	    /* Another format's, after the configuration was changed. */
	    "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Da.\"}]}",
	    /* Calls that the history knows nothing of, or by other ids. */
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[]}",
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c2\"}]}",
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\"},{\"id\":\"c2\"}]}",
	    "{\"role\":\"assistant\",\"content\":null}",
	};
	struct sample *f = *state;
	struct llm_message *m;

	sample_say(f, LLM_USER, "Wo?");
	m = sample_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "c1", "now", "{}");
	sample_own(m, "main", "m-1",
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"mark\":1}]}");
	sample_result(f, "c1", "x");
	assert_non_null(strstr(build(f, OPENAI_AS_IS), "{\"id\":\"c1\",\"mark\":1}"));
	for (size_t i = 0; i < ARRAY_LEN(raws); i++) {
		llm_message_set_raw(m, xstrdup(raws[i]));
		assert_non_null(strstr(build(f, OPENAI_AS_IS),
		    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":"
		    "\"function\",\"function\":{\"name\":\"now\",\"arguments\":\"{}\"}}]},{\"role\":"
		    "\"tool\""));
	}
}

static void a_mended_history_has_what_the_refusal_asked_for(void **state)
{
	struct sample *f = *state;
	struct llm_message *m;

	sample_say(f, LLM_USER, "Wo?");
	m = sample_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "c1", "now", "{}");
	sample_own(m, "main", "m-1",
	    "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"mark\":1}]}");
	sample_result(f, "c1", "x");
	sample_own(sample_say(f, LLM_ASSISTANT, "Da."), "main", "m-1", RAW);
	sample_say(f, LLM_USER, "Danke");
	build(f, OPENAI_PLAIN);
	assert_null(strstr(f->body.data, "mark"));
	assert_null(strstr(f->body.data, "reasoning_content"));
	/* What has its reasoning keeps it; the rest gets an empty one. */
	build(f, OPENAI_REASONING);
	assert_non_null(strstr(f->body.data,
	    "{\"role\":\"assistant\",\"content\":null,\"reasoning_content\":\"\","
	    "\"tool_calls\":["));
	assert_non_null(strstr(f->body.data, RAW));
	build(f, OPENAI_SIGNATURE);
	assert_null(strstr(f->body.data, "reasoning_content"));
	assert_non_null(strstr(f->body.data,
	    "\"arguments\":\"{}\"},\"extra_content\":{\"google\":{\"thought_signature\":\"skip_thought_"
	    "signature_validator\"}}}]}"));
}

static void the_words_of_a_refusal_tell_how_to_mend(void **state)
{
	(void)state;
	assert_int_equal(
	    openai_repair_for(
		"main: answered 400: The `reasoning_content` in the thinking mode must be passed back"),
	    OPENAI_REASONING);
	assert_int_equal(
	    openai_repair_for("Function call is missing a thought_signature in functionCall parts"),
	    OPENAI_SIGNATURE);
	assert_int_equal(openai_repair_for("Thought signature is not valid"), OPENAI_SIGNATURE);
	assert_int_equal(openai_repair_for("anything else"), OPENAI_PLAIN);
}

static const struct llm_tool tools[] = {
    {.name = "now", .summary = "Tells the \"time\".", .schema = "{\"type\":\"object\",\"properties\":{}}"},
    {.name = "read_file",
	.summary = "Reads.",
	.schema =
	    "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]}"},
};

#define TOOLS                                                                                            \
	",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"now\",\"description\":\"Tells the " \
	"\\\"time\\\".\","                                                                               \
	"\"parameters\":{\"type\":\"object\",\"properties\":{}}}},"                                      \
	"{\"type\":\"function\",\"function\":{\"name\":\"read_file\",\"description\":\"Reads.\","        \
	"\"parameters\":"                                                                                \
	"{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]}}}]"

static void tools_are_listed_also_when_they_must_not_be_called(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	f->req.tools = tools;
	f->req.tool_count = ARRAY_LEN(tools);
	assert_string_equal(
	    build(f, OPENAI_AS_IS), BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"Hi\"}", TOOLS));
	f->req.forbid_tools = true;
	assert_string_equal(build(f, OPENAI_AS_IS),
	    BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"Hi\"}", TOOLS ",\"tool_choice\":\"none\""));
	/* Servers refuse a choice where there are no tools. */
	f->req.tool_count = 0;
	assert_string_equal(
	    build(f, OPENAI_AS_IS), BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"Hi\"}", ""));
}

static void only_openai_itself_gets_what_only_it_knows(void **state)
{
	static const struct {
		const char *url;
		bool is_openai;
	} urls[] = {
	    {OPENAI, true},
	    {"https://api.openai.com", true},
	    {"https://API.OpenAI.com:443/v1", true},
	    {STORY_LOCAL, false},
	    {"https://openrouter.ai/api/v1", false},
	    {"https://api.openai.com.example.org/v1", false},
	    {"https://example.org/?to=//api.openai.com", false},
	    {"https://example.org/https://api.openai.com/v1", false},
	};
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	f->req.session_key = "session-7";
	f->provider.settings.max_tokens = 1000;
	for (size_t i = 0; i < ARRAY_LEN(urls); i++) {
		sample_url(f, urls[i].url);
		assert_string_equal(build(f, OPENAI_AS_IS),
		    urls[i].is_openai ?
			BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"Hi\"}",
			    ",\"max_completion_tokens\":1000,\"prompt_cache_key\":\"session-7\"") :
			BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"Hi\"}", ",\"max_tokens\":1000"));
	}
}

static void nothing_is_sent_that_was_not_set(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	sample_url(f, OPENAI);
	assert_string_equal(
	    build(f, OPENAI_AS_IS), BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"Hi\"}", ""));
}

static void the_same_history_gives_the_same_bytes_and_a_longer_one_the_same_beginning(void **state)
{
	struct sample *f = *state;
	char *first, *end;

	sample_say(f, LLM_USER, "Wo?");
	sample_own(sample_say(f, LLM_ASSISTANT, "Da."), "main", "m-1", RAW);
	sample_say(f, LLM_USER, "Danke");
	f->req.tools = tools;
	f->req.tool_count = ARRAY_LEN(tools);
	first = xstrdup(build(f, OPENAI_AS_IS));
	assert_string_equal(build(f, OPENAI_AS_IS), first);
	sample_say(f, LLM_ASSISTANT, "Gern.");
	sample_say(f, LLM_USER, "Und?");
	build(f, OPENAI_AS_IS);
	end = strstr(first, "],\"tools\"");
	assert_non_null(end);
	assert_int_equal(strncmp(f->body.data, first, (size_t)(end - first)), 0);
	free(first);
}

/* Any text that a person, a tool or a model may have written. */
/* Long enough to be kept quoted from the second request on. */
#define TEN(text) text text text text text text text text text text
#define LONG      TEN(TEN("\"Myna\" \n"))

static void a_text_that_changed_is_sent_as_it_is_now(void **state)
{
	struct sample *f = *state;
	struct llm_message *m = sample_say(f, LLM_USER, LONG);

	for (int i = 0; i < 3; i++)
		assert_null(strstr(build(f, OPENAI_AS_IS), "left out"));
	assert_non_null(m->quoted);
	llm_message_set_text(m, xstrdup("[left out]"));
	assert_string_equal(
	    build(f, OPENAI_AS_IS), BODY(SYSTEM ",{\"role\":\"user\",\"content\":\"[left out]\"}", ""));
}

static void a_text_that_was_mended_is_sent_mended(void **state)
{
	struct sample *f = *state;
	struct llm_message *m = sample_say(f, LLM_USER, " ");

	llm_message_set_text(m, xstrdup("\xff" LONG));
	for (int i = 0; i < 3; i++)
		build(f, OPENAI_AS_IS);
	assert_int_equal(llm_history_repair(&f->history), 1);
	assert_null(f->history.messages[0]->quoted);
	assert_non_null(strstr(build(f, OPENAI_AS_IS), "\"\xef\xbf\xbd\\\"Myna"));
}

static void what_was_pruned_is_not_sent(void **state)
{
	struct sample *f = *state;

	sample_say(f, LLM_USER, "old " LONG);
	sample_say(f, LLM_ASSISTANT, "Da.");
	sample_say(f, LLM_USER, "new " LONG);
	for (int i = 0; i < 3; i++)
		assert_non_null(strstr(build(f, OPENAI_AS_IS), "old "));
	assert_int_equal(llm_history_prune(&f->history, strlen(LONG) + 100), 2);
	assert_null(strstr(build(f, OPENAI_AS_IS), "old "));
	assert_non_null(strstr(build(f, OPENAI_AS_IS), "\"new \\\"Myna"));
}

static void a_copy_keeps_nothing_of_what_was_made_for_requests(void **state)
{
	struct sample *f = *state;
	struct llm_message *m = sample_say(f, LLM_USER, LONG), *copy;

	for (int i = 0; i < 2; i++)
		build(f, OPENAI_AS_IS);
	copy = llm_message_copy(m);
	assert_non_null(m->quoted);
	assert_null(copy->quoted);
	assert_string_equal(copy->text, m->text);
	llm_message_free(copy);
}

static void random_text(char *out, size_t len)
{
	clock_random(out, len);
	for (size_t i = 0; i < len; i++)
		if (out[i] == '\0')
			out[i] = '"';
	out[len] = '\0';
}

static void whatever_the_texts_hold_the_body_is_json(void **state)
{
	struct sample *f = *state;
	char text[65];

	clock_fake(0, 7);
	for (int i = 0; i < 300; i++) {
		random_text(text, (size_t)(i % 64) + 1);
		struct llm_message *m = sample_say(f,
		    i % 3 == 0     ? LLM_USER :
			i % 3 == 1 ? LLM_ASSISTANT :
				     LLM_TOOL,
		    text);
		if (m->role == LLM_TOOL)
			m->call_id = xstrdup(text);
		if (m->role == LLM_ASSISTANT)
			llm_message_add_call(m, text, text, text);
		if (m->role == LLM_ASSISTANT)
			sample_own(m, "main", "m-1", text);
		f->req.system = f->req.session_key = text;
		build(f, (enum openai_repair)(i % 4));
	}
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_setup_teardown(fn, sample_set_up, sample_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(each_role_has_its_shape),
	    TEST(without_a_system_prompt_there_is_no_system_message),
	    TEST(a_providers_own_message_goes_back_as_it_came),
	    TEST(it_goes_to_no_other_provider_or_model),
	    TEST(a_stored_message_that_does_not_fit_is_not_spliced),
	    TEST(a_mended_history_has_what_the_refusal_asked_for),
	    TEST(the_words_of_a_refusal_tell_how_to_mend),
	    TEST(tools_are_listed_also_when_they_must_not_be_called),
	    TEST(only_openai_itself_gets_what_only_it_knows),
	    TEST(nothing_is_sent_that_was_not_set),
	    TEST(the_same_history_gives_the_same_bytes_and_a_longer_one_the_same_beginning),
	    TEST(a_text_that_changed_is_sent_as_it_is_now),
	    TEST(a_text_that_was_mended_is_sent_mended),
	    TEST(what_was_pruned_is_not_sent),
	    TEST(a_copy_keeps_nothing_of_what_was_made_for_requests),
	    TEST(whatever_the_texts_hold_the_body_is_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
