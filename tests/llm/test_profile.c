/* The providers that are known by name, from the configuration to the body of a request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/formats/formats.h"
#include "llm/formats/openai/request.h"
#include "llm/profile.h"
#include "llm/sample.h"

/* Reads one provider with these settings; the errors are the caller's to free(). */
static char *errors_of(const char *settings, struct llm **llm)
{
	char *text = xasprintf("llm: { default = \"main\";\nproviders: {\nmain: { %s }; }; };", settings);
	struct error err = {0};
	struct config *cfg = config_parse("test.conf", text, &err);
	struct buf errors = BUF_INIT;

	if (!cfg)
		fail_msg("%s: %s", err.text, text);
	*llm = llm_new(cfg);
	config_errors(cfg, &errors);
	config_free(cfg);
	free(text);
	return buf_take(&errors);
}

static void expect(const char *settings, const char *profile, const char *api, const char *url)
{
	struct llm *l;
	char *errors = errors_of(settings, &l);
	const struct llm_provider *p = llm_default(l);

	assert_string_equal(errors, "");
	assert_string_equal(llm_profile_of(p)->name, profile);
	assert_ptr_equal(p->ops, llm_format_find(api));
	assert_string_equal(p->settings.base_url, url);
	llm_free(l);
	free(errors);
}

static void a_name_a_key_and_a_model_are_enough(void **state)
{
	const struct llm_profile *p;

	(void)state;
	for (unsigned i = 0; (p = llm_profile_at(i)); i++) {
		char *settings = xasprintf("profile = \"%s\"; model = \"m\";%s", p->name,
		    p->needs_key ? " key = \"sk-0123456789\";" : "");
		expect(settings, p->name, p->api, p->base_url);
		free(settings);
		assert_ptr_equal(llm_profile_find(p->name), p);
		assert_string_equal(llm_profile_names[i + 1], p->name);
		/* Where the key leaves the machine, it does so encrypted. */
		assert_int_equal(strncmp(p->base_url,
				     p->needs_key ? "https://" : "http://127.0.0.1:", p->needs_key ? 8 : 17),
		    0);
	}
	assert_null(llm_profile_names[p ? 0 : 12]);
	assert_null(llm_profile_find("auto"));
}

static void a_url_says_whose_it_is(void **state)
{
	static const struct {
		const char *url, *profile, *api;
	} table[] = {
	    {"https://api.anthropic.com", "anthropic", "anthropic"},
	    {"https://API.deepseek.com", "deepseek", "openai-chat"},
	    {"https://generativelanguage.googleapis.com/v1beta/openai", "gemini", "openai-chat"},
	    {"https://api.groq.com:443/openai/v1", "groq", "openai-chat"},
	    {"https://api.mistral.ai/v1", "mistral", "openai-chat"},
	    {"https://api.openai.com/v1", "openai", "openai-responses"},
	    {"https://openrouter.ai/api/v1", "openrouter", "openai-chat"},
	    {"http://localhost:11434/v1", "ollama", "openai-chat"},
	    {"http://[::1]:1234/v1", "lmstudio", "openai-chat"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *settings =
		    xasprintf("base_url = \"%s\"; model = \"m\"; key = \"sk-0123456789\";", table[i].url);
		expect(settings, table[i].profile, table[i].api, table[i].url);
		free(settings);
	}
}

static void what_is_said_counts_before_what_is_guessed(void **state)
{
	(void)state;
	expect("api = \"openai-chat\"; model = \"m\"; base_url = \"https://api.openai.com.example/v1\";",
	    "auto", "openai-chat", "https://api.openai.com.example/v1");
	expect("api = \"openai-chat\"; model = \"m\"; base_url = \"http://127.0.0.1:1143/v1\";", "auto",
	    "openai-chat", "http://127.0.0.1:1143/v1");
	expect("api = \"openai-chat\"; model = \"m\";", "openai", "openai-chat", "https://api.openai.com/v1");
	expect("profile = \"openai\"; api = \"openai-chat\"; model = \"m\"; key = \"sk-0123456789\";",
	    "openai", "openai-chat", "https://api.openai.com/v1");
	expect("profile = \"mistral\"; base_url = \"https://eu.example/v1/\"; model = \"m\"; key = "
	       "\"sk-0123456789\";",
	    "mistral", "openai-chat", "https://eu.example/v1");
	expect("profile = \"deepseek\"; api = \"anthropic\"; base_url = "
	       "\"https://api.deepseek.com/anthropic\"; model = \"m\"; key = \"sk-0123456789\";",
	    "deepseek", "anthropic", "https://api.deepseek.com/anthropic");
}

static void what_is_missing_is_said(void **state)
{
	static const struct {
		const char *settings, *words;
	} table[] = {
	    {"model = \"m\";", "test.conf:3: which provider is it?"},
	    {"model = \"m\"; base_url = \"https://models.example/v1\";", "which provider is it?"},
	    {"model = \"m\"; profile = \"groq\";", "key is missing: groq"},
	    {"model = \"m\"; profile = \"grok\";", "groq"},
	    {"profile = \"ollama\";", "model"},
	    {"model = \"m\"; profile = \"groq\"; key = \"sk-0123456789\"; api = \"anthropic\";",
		"speaks \"openai-chat\""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct llm *l;
		char *errors = errors_of(table[i].settings, &l);
		if (!strstr(errors, table[i].words))
			fail_msg("%s: %s lacks %s", table[i].settings, errors, table[i].words);
		llm_free(l);
		free(errors);
	}
}

/* The body for a conversation in which another model and this one have called. */
static struct json_object *body_for(struct sample *f, const char *profile)
{
	static const struct llm_tool tool = {.name = "note",
	    .summary = "Notes.",
	    .schema = "{\"type\":\"object\",\"properties\":{\"x\":{\"type\":[\"string\",\"null\"]}}}"};
	struct error err = {0};

	f->provider.profile = llm_profile_find(profile);
	f->provider.settings.max_tokens = 100;
	f->req.tools = &tool;
	f->req.tool_count = 1;
	f->req.session_key = "session-1";
	buf_reset(&f->body);
	openai_request(&f->body, &f->provider, &f->req, OPENAI_AS_IS);
	struct json_object *o = json_parse_object(f->body.data, f->body.len, &err);
	if (!o)
		fail_msg("%s: %s", err.text, f->body.data);
	return o;
}

static struct json_object *message_of(struct json_object *body, size_t i)
{
	return json_object_array_get_idx(json_get_array(body, "messages"), i);
}

static struct json_object *call_of(struct json_object *body, size_t i)
{
	return json_object_array_get_idx(json_get_array(message_of(body, i), "tool_calls"), 0);
}

#define OWN                                                                                        \
	"{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"AbCdEf123\",\"type\":" \
	"\"function\",\"function\":"                                                               \
	"{\"name\":\"note\",\"arguments\":\"{}\"}}],\"reasoning_content\":\"Hm.\"}"

static void converse(struct sample *f)
{
	struct llm_message *m;

	sample_say(f, LLM_USER, "Hi");
	m = sample_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "toolu_01-others", "note", "{}");
	sample_result(f, "toolu_01-others", "one");
	m = sample_say(f, LLM_ASSISTANT, "");
	llm_message_add_call(m, "AbCdEf123", "note", "{}");
	sample_own(m, "main", "m-1", OWN);
	sample_result(f, "AbCdEf123", "two");
	sample_say(f, LLM_USER, "More");
}

static void ids_of_calls_and_results_are_mapped_together(void **state)
{
	struct sample *f = *state;

	converse(f);
	struct json_object *o = body_for(f, "mistral");
	const char *id = json_get_str(call_of(o, 2), "id");
	assert_int_equal(strlen(id), 9);
	assert_int_equal(strspn(id, "0123456789abcdef"), 9);
	assert_string_equal(json_get_str(message_of(o, 3), "tool_call_id"), id);
	/* Its own stay. */
	assert_string_equal(json_get_str(call_of(o, 4), "id"), "AbCdEf123");
	assert_string_equal(json_get_str(message_of(o, 5), "tool_call_id"), "AbCdEf123");
	json_object_put(o);
	o = body_for(f, "groq");
	assert_string_equal(json_get_str(call_of(o, 2), "id"), "toolu_01-others");
	json_object_put(o);
	/* What this provider gave before it was so strict is not sent back as it came. */
	f->history.messages[3]->calls[0].id[0] = '_';
	f->history.messages[4]->call_id[0] = '_';
	o = body_for(f, "mistral");
	id = json_get_str(call_of(o, 4), "id");
	assert_int_equal(strlen(id), 9);
	assert_string_equal(json_get_str(message_of(o, 5), "tool_call_id"), id);
	json_object_put(o);
}

static void foreign_calls_bring_what_the_provider_misses_in_them(void **state)
{
	struct sample *f = *state;

	converse(f);
	struct json_object *o = body_for(f, "gemini");
	struct json_object *google =
	    json_get_object(json_get_object(call_of(o, 2), "extra_content"), "google");
	assert_string_equal(json_get_str(google, "thought_signature"), "skip_thought_signature_validator");
	assert_null(json_get(call_of(o, 4), "extra_content"));
	assert_null(json_get(message_of(o, 2), "reasoning_content"));
	json_object_put(o);
	o = body_for(f, "deepseek");
	assert_string_equal(json_get_str(message_of(o, 2), "reasoning_content"), "");
	assert_string_equal(json_get_str(message_of(o, 4), "reasoning_content"), "Hm.");
	assert_null(json_get(call_of(o, 2), "extra_content"));
	json_object_put(o);
}

static void only_whom_it_concerns_is_told(void **state)
{
	static const struct {
		const char *profile, *max_tokens;
		bool cache_key, parallel, plain;
	} table[] = {
	    {"openai", "max_completion_tokens", true, false, false},
	    {"groq", "max_tokens", false, false, false},
	    {"llama.cpp", "max_tokens", false, true, false},
	    {"gemini", "max_tokens", false, false, true},
	    {"ollama", "max_tokens", false, false, false},
	};
	struct sample *f = *state;

	sample_say(f, LLM_USER, "Hi");
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct json_object *o = body_for(f, table[i].profile);
		assert_int_equal(json_get_int(o, table[i].max_tokens, 0), 100);
		assert_int_equal(
		    json_get_int(o, "max_tokens", 0) + json_get_int(o, "max_completion_tokens", 0), 100);
		assert_int_equal(json_get(o, "prompt_cache_key") != NULL, table[i].cache_key);
		assert_int_equal(json_get_bool(o, "parallel_tool_calls", false), table[i].parallel);
		assert_int_equal(!strstr(f->body.data, "null"), table[i].plain);
		json_object_put(o);
	}
}

#define STORY(test) cmocka_unit_test_setup_teardown(test, sample_set_up, sample_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_name_a_key_and_a_model_are_enough),
	    cmocka_unit_test(a_url_says_whose_it_is),
	    cmocka_unit_test(what_is_said_counts_before_what_is_guessed),
	    cmocka_unit_test(what_is_missing_is_said),
	    STORY(ids_of_calls_and_results_are_mapped_together),
	    STORY(foreign_calls_bring_what_the_provider_misses_in_them),
	    STORY(only_whom_it_concerns_is_told),
	};

	return cmocka_run_group_tests_name("profile", tests, NULL, NULL);
}
