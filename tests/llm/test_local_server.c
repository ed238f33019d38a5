/* What servers on this machine say of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/mem.h"
#include "base/task.h"
#include "llm/local_server.h"
#include "llm/profile.h"
#include "llm/exchange.h"
#include "llm/llm_internal.h"
#include "llm/tokens.h"

#define JSON "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
#define SHOW(rest)                                                                                           \
	SEND(JSON "{\"model_info\":{\"general.architecture\":\"qwen3\",\"qwen3.context_length\":40960}" rest \
		  "}")
#define PS(models)            SEND(JSON "{\"models\":[" models "]}")
#define LOADED(name, context) "{\"name\":\"" name "\",\"model\":\"" name "\",\"context_length\":" context "}"
#define TOOLS                 ",\"capabilities\":[\"completion\",\"tools\"]"

static struct exchange exchange;
static struct llm_local_server_facts facts;
static struct error err;
static struct buf advice;
static int rc;

static void ask_task(struct task *t, void *arg)
{
	(void)arg;
	rc = llm_local_server_ask(t, &exchange.provider, &facts, &err);
}

static void ask(const char *profile)
{
	buf_reset(&advice);
	exchange.provider.profile = llm_profile_find(profile);
	task_run("ask", ask_task, NULL);
	if (rc > 0)
		llm_local_server_advise(&exchange.provider, &facts, &advice);
}

#define SCRIPTS(first, second)                                                                       \
	static const struct raw_step first_[] = {READ, first, END}, second_[] = {READ, second, END}; \
	static const struct raw_step *const scripts[] = {first_, second_};                           \
	exchange_init(&exchange, scripts, 2)

static int tear_down(void **state)
{
	buf_clear(&advice);
	exchange_clear(&exchange);
	return exchange_tear_down(state);
}

static void a_small_context_is_warned_of(void **state)
{
	(void)state;
	SCRIPTS(SHOW(TOOLS), PS(LOADED("other", "9999") "," LOADED("m-1:latest", "4096")));
	ask("ollama");
	assert_int_equal(rc, 1);
	assert_int_equal(facts.context, 4096);
	assert_int_equal(facts.context_max, 40960);
	assert_string_equal(advice.data,
	    "It reads only 4096 tokens, and silently drops the beginning of what is longer. Start it with "
	    "OLLAMA_CONTEXT_LENGTH=40960 in its environment.");
	char *request = raw_server_last_request(exchange.server, NULL);
	assert_int_equal(strncmp(request, "GET /api/ps HTTP/1.1\r\n", 22), 0);
	free(request);
}

static void a_large_one_is_not(void **state)
{
	(void)state;
	SCRIPTS(SHOW(TOOLS), PS(LOADED("m-1", "32768")));
	ask("ollama");
	assert_int_equal(facts.context, 32768);
	assert_string_equal(advice.data, "");
}

static void what_the_configuration_promises_is_compared(void **state)
{
	(void)state;
	SCRIPTS(SHOW(TOOLS), PS(LOADED("m-1", "32768")));
	exchange.provider.settings.context = 40000;
	ask("ollama");
	assert_non_null(strstr(advice.data, "It reads 32768 tokens, and context says 40000"));
}

static void before_it_is_loaded_its_settings_count(void **state)
{
	(void)state;
	SCRIPTS(SHOW(TOOLS ",\"parameters\":\"stop \\\"x\\\"\\nnum_ctx 8192\""), PS(""));
	ask("ollama");
	assert_int_equal(facts.context, 8192);
	assert_non_null(strstr(advice.data, "only 8192 tokens"));
}

static void a_model_without_tools_is_told(void **state)
{
	(void)state;
	SCRIPTS(SHOW(",\"capabilities\":[\"completion\"]"), PS(""));
	ask("ollama");
	assert_int_equal(facts.context, 0);
	assert_string_equal(
	    advice.data, "m-1 cannot call tools, and is offered none: choose a model that can.");
}

static void a_model_that_is_not_there_is_told(void **state)
{
	(void)state;
	SCRIPTS(SEND(REFUSE("404 Not Found", "", "{\"error\":\"model 'm-1' not found\"}")), PS(""));
	ask("ollama");
	assert_int_equal(rc, 1);
	assert_string_equal(advice.data, "It does not have the model m-1: ollama pull m-1.");
}

static void what_is_no_word_among_its_capabilities_is_none(void **state)
{
	(void)state;
	SCRIPTS(SHOW(",\"capabilities\":[null,7,{},\"tools\"]"), PS("null,7"));
	ask("ollama");
	assert_int_equal(rc, 1);
	assert_false(facts.no_tools);
	assert_int_equal(facts.vision, -1);
}

static void llama_cpp_says_it_in_its_props(void **state)
{
	(void)state;
	SCRIPTS(SEND(JSON "{\"default_generation_settings\":{\"n_ctx\":4096},\"total_slots\":1}"), PS(""));
	ask("llama.cpp");
	assert_int_equal(rc, 1);
	assert_string_equal(advice.data, "It reads only 4096 tokens. Start llama-server with -c 65536.");
}

static void who_is_something_else_is_left_in_peace(void **state)
{
	(void)state;
	SCRIPTS(SEND("HTTP/1.1 502 Bad\r\nConnection: close\r\n\r\n<html>"), PS(""));
	ask("groq");
	assert_int_equal(rc, 0);
	assert_int_equal(raw_server_connections(exchange.server), 0);
	ask("ollama");
	assert_int_equal(rc, -1);
	assert_non_null(strstr(err.text, "main: answers /api/show with 502"));
}

static void what_it_can_see_is_what_it_says(void **state)
{
	(void)state;
	{
		SCRIPTS(SHOW(",\"capabilities\":[\"completion\",\"vision\",\"thinking\"]"), PS(""));
		ask("ollama");
		assert_int_equal(facts.vision, 1);
		assert_true(facts.no_tools);
		exchange_clear(&exchange);
	}
	{
		SCRIPTS(SHOW(TOOLS), PS(""));
		ask("ollama");
		assert_int_equal(facts.vision, -1);
		assert_false(facts.no_tools);
		exchange_clear(&exchange);
	}
	{
		/* Before 0.6.4 it did not say. */
		SCRIPTS(SHOW(""), PS(""));
		ask("ollama");
		assert_int_equal(facts.vision, 0);
		assert_false(facts.no_tools);
		exchange_clear(&exchange);
	}
	{
		SCRIPTS(SEND(JSON "{\"default_generation_settings\":{\"n_ctx\":65536},\"modalities\":{"
				  "\"vision\":false,\"audio\":false}}"),
		    PS(""));
		ask("llama.cpp");
		assert_int_equal(facts.vision, -1);
	}
}

static void the_settings_count_before_what_it_says_and_that_before_its_name(void **state)
{
	struct llm_learned learned = {.vision = -1};
	struct llm_provider p = {.learned = &learned, .settings = {.images = true}};

	(void)state;
	assert_false(llm_has_vision(&p));
	p.images_configured = true;
	assert_true(llm_has_vision(&p));
	p.images_configured = p.settings.images = false;
	learned.vision = 1;
	assert_true(llm_has_vision(&p));
	/* It refused one all the same. */
	learned.no_images = true;
	assert_false(llm_has_vision(&p));
	learned = (struct llm_learned){.vision = 0};
	assert_false(llm_has_vision(&p));
}

static void learn_task(struct task *t, void *arg)
{
	(void)arg;
	llm_local_server_learn(t, &exchange.provider);
}

static void what_it_says_is_the_window_unless_another_was_set(void **state)
{
	struct llm_learned learned = {.no_reasoning = false};
	struct llm_candidate order = {.provider = &exchange.provider};
	struct llm l = {.providers = &exchange.provider, .count = 1, .order = &order, .order_count = 1};

	(void)state;
	SCRIPTS(SHOW(TOOLS), PS(LOADED("m-1", "32768")));
	exchange.provider.profile = llm_profile_find("ollama");
	exchange.provider.learned = &learned;
	assert_int_equal(llm_window(&l, NULL), 128000);
	task_run("learn", learn_task, NULL);
	assert_int_equal(llm_window(&l, NULL), 32768);
	/* Not for each request. */
	task_run("learn", learn_task, NULL);
	assert_int_equal(raw_server_connections(exchange.server), 2);
	exchange.provider.settings.context = 16384;
	assert_int_equal(llm_window(&l, NULL), 16384);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(a_small_context_is_warned_of),
	    TEST(a_large_one_is_not),
	    TEST(what_the_configuration_promises_is_compared),
	    TEST(before_it_is_loaded_its_settings_count),
	    TEST(a_model_without_tools_is_told),
	    TEST(a_model_that_is_not_there_is_told),
	    TEST(what_it_can_see_is_what_it_says),
	    cmocka_unit_test(the_settings_count_before_what_it_says_and_that_before_its_name),
	    TEST(what_is_no_word_among_its_capabilities_is_none),
	    TEST(llama_cpp_says_it_in_its_props),
	    TEST(who_is_something_else_is_left_in_peace),
	    TEST(what_it_says_is_the_window_unless_another_was_set),
	};

	return cmocka_run_group_tests_name("local", tests, NULL, NULL);
}
