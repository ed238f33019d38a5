/* Providers from the configuration, and whole completions against a scripted server. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <unistd.h>
#include <uv.h>

#include "base/time/clock.h"
#include "base/config/config.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "llm/exchange.h"
#include "llm/formats/formats.h"
#include "llm/providers.h"

/* Reads the configuration and returns its errors, the caller's to free(). */
static char *errors_of(const char *text, struct llm **llm)
{
	struct error err = {0};
	struct config *cfg = config_parse("test.conf", text, &err);
	struct buf errors = BUF_INIT;

	if (!cfg)
		fail_msg("%s", err.text);
	struct llm *l = llm_new(cfg);
	config_errors(cfg, &errors);
	config_free(cfg);
	if (llm)
		*llm = l;
	else
		llm_free(l);
	return buf_take(&errors);
}

static struct llm *read_config(const char *text)
{
	struct llm *l;
	char *errors = errors_of(text, &l);

	assert_string_equal(errors, "");
	free(errors);
	return l;
}

static void a_provider_has_the_makers_url_and_defaults(void **state)
{
	struct llm *l = read_config("llm: { default = \"main\"; providers: { main: { api = \"openai-chat\"; "
				    "model = \"m-1\"; key = \"sk-0123456789\"; }; }; };");
	const struct llm_provider *p = llm_default(l);

	(void)state;
	assert_string_equal(p->name, "main");
	assert_ptr_equal(p->ops, llm_format_find("openai-chat"));
	assert_string_equal(p->settings.base_url, "https://api.openai.com/v1");
	assert_string_equal(p->settings.model, "m-1");
	assert_string_equal(p->settings.key, "sk-0123456789");
	assert_true(secret_in("sk-0123456789", 13));
	assert_int_equal(p->settings.max_tokens, 0);
	assert_int_equal(p->settings.idle_ms, 90000);
	llm_free(l);
}

static void slashes_at_the_end_of_a_url_are_dropped(void **state)
{
	struct llm *l =
	    read_config("llm: { default = \"b\"; fallbacks = [\"a\", \"b\", \"a\", \"b\"]; providers: {\n"
			"a: { api = \"openai-chat\"; model = \"x\"; };\n"
			"b: { api = \"openai-chat\"; model = \"m-1\"; base_url = "
			"\"http://localhost:11434/v1//\"; idle = \"5 min\"; max_tokens = 4096; }; }; };");
	const struct llm_provider *p = llm_default(l);

	(void)state;
	assert_string_equal(p->name, "b");
	assert_string_equal(p->settings.base_url, "http://localhost:11434/v1");
	assert_null(p->settings.key);
	assert_int_equal(p->settings.max_tokens, 4096);
	assert_int_equal(p->settings.idle_ms, 300000);
	llm_free(l);
}

#define PROVIDER(settings) \
	"llm: { default = \"main\";\nproviders: {\nmain: {\napi = \"openai-chat\";\n" settings "}; }; };"

static void what_is_wrong_is_said_with_its_place(void **state)
{
	static const struct {
		const char *text, *place, *words;
	} table[] = {
	    {"llm: {\nproviders: { main: { api = \"openai-chat\"; model = \"m\"; }; }; };",
		"test.conf:1:", "default"},
	    {PROVIDER(""), "test.conf:3:", "model"},
	    {PROVIDER("model = \"m\";\nbase_url = \"http://example.org/v1\";"), "test.conf:6:", "https://"},
	    {PROVIDER("model = \"m\";\nbase_url = \"ftp://example.org\";"), "test.conf:6:", "https://"},
	    {PROVIDER("model = \"m\";\nbase_url = \"\";"), "test.conf:6:", "URL"},
	    {PROVIDER("model = \"m\";\nbase_url = \"https://example.org/v1?key=1\";"),
		"test.conf:6:", "query"},
	    {PROVIDER("model = \"m\";\nbase_url = \"https://example.org/v1/chat/completions/\";"),
		"test.conf:6:", "leave /chat/completions away"},
	    {PROVIDER("model = \"m\";\nidle = \"1 ms\";"), "test.conf:6:", "idle"},
	    {PROVIDER("model = \"m\";\nmodle = \"m\";"), "test.conf:6:", "model"},
	    {"llm: { default = \"main\";\nproviders: {\nmain: {\nmodel = \"m\"; }; }; };",
		"test.conf:3:", "api"},
	    {"llm: { default = \"main\";\nproviders: {\nmain: {\napi = \"telepathy\";\nmodel = \"m\"; }; }; "
	     "};",
		"test.conf:4:", "openai-chat"},
	    {"llm: {\ndefault = \"other\";\nproviders: { main: { api = \"openai-chat\"; model = \"m\"; }; }; "
	     "};",
		"test.conf:2:", "llm.providers has no \"other\""},
	    {"llm: {\ndefault = \"main\"; };", "test.conf:2:", "llm.providers has no \"main\""},
	    {"llm: {\ndefault = \"main\";\nfallbacks = [\"main\",\n\"other\"];\n"
	     "providers: { main: { api = \"openai-chat\"; model = \"m\"; }; }; };",
		"test.conf:4:", "llm.providers has no \"other\""},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		char *errors = errors_of(table[i].text, NULL);
		if (strncmp(errors, table[i].place, strlen(table[i].place)) != 0 ||
		    !strstr(errors, table[i].words))
			print_message("%s\n%s\n", table[i].text, errors);
		assert_int_equal(strncmp(errors, table[i].place, strlen(table[i].place)), 0);
		assert_non_null(strstr(errors, table[i].words));
		free(errors);
	}
}

static void it_can_do_without_a_model(void **state)
{
	struct llm *l = read_config("");
	struct llm_provider_state s;

	(void)state;
	assert_null(llm_default(l));
	assert_null(llm_find(l, "main"));
	assert_false(llm_state(l, 0, &s));
	llm_free(l);
}

static void each_provider_has_its_place(void **state)
{
	struct llm *l = read_config("llm: { default = \"b\"; fallbacks = [\"c\"]; providers: { a: { api = "
				    "\"openai-chat\"; model = \"m-a\"; }; b: { api = \"openai-chat\"; model "
				    "= \"m-b\"; }; c: { api = \"openai-chat\"; model = \"m-c\"; }; }; };");
	static const struct {
		const char *name;
		size_t place;
	} order[] = {{"b", 0}, {"c", 1}, {"a", LLM_POSITION_NONE}};
	struct llm_provider_state s;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		assert_true(llm_state(l, i, &s));
		assert_string_equal(s.provider->name, order[i].name);
		assert_true(s.position == order[i].place);
		assert_int_equal(s.cooldown_ms, 0);
		assert_ptr_equal(llm_find(l, order[i].name), s.provider);
	}
	assert_false(llm_state(l, 3, &s));
	llm_free(l);
}

static struct llm *llm_for(const struct exchange *exchange)
{
	char *text = xasprintf("llm: { default = \"main\"; providers: { main: { api = \"openai-chat\"; model "
			       "= \"m-1\"; base_url = \"http://127.0.0.1:%u/v1\"; }; }; };",
	    raw_server_port(exchange->server));
	struct llm *l = read_config(text);

	free(text);
	return l;
}

struct completion {
	struct exchange *exchange;
	struct llm *llm;
	bool done;
};

static void complete_task(struct task *t, void *arg)
{
	struct completion *c = arg;

	c->exchange->rc = llm_complete(
	    t, c->llm, &c->exchange->req, &c->exchange->sink, &c->exchange->answer, &c->exchange->err);
	c->done = true;
}

/* The clock is a fake one and hurries: a second passes while the loop works for 20 ms. Returns the
 * milliseconds that it took by that clock. */
static uint64_t complete(struct exchange *exchange)
{
	struct completion c = {.exchange = exchange, .llm = llm_for(exchange)};
	uint64_t begun = clock_now();

	task_start(NULL, "complete", complete_task, &c);
	while (!c.done) {
		uv_run(uv_default_loop(), UV_RUN_NOWAIT);
		usleep(1000);
		clock_advance(50);
	}
	llm_free(c.llm);
	return clock_now() - begun;
}

static const struct raw_step answers[] = {READ, SEND(HELLO), END};
static const struct raw_step breaks_off[] = {READ, SEND(STREAM TEXT("Hel")), END};
static const struct raw_step is_busy[] = {READ, SEND(REFUSE("503 Busy", "", "{}")), END};

static void what_breaks_off_is_asked_again_and_the_sink_starts_anew(void **state)
{
	static const struct raw_step *const scripts[] = {breaks_off, is_busy, answers};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, ARRAY_LEN(scripts));
	complete(&exchange);
	assert_said(&exchange, "Hello");
	assert_string_equal(exchange.said.data, "Hel||Hello");
	assert_int_equal(raw_server_requests(exchange.server), 3);
	exchange_clear(&exchange);
}

static void after_three_tries_it_has_failed(void **state)
{
	static const struct raw_step *const scripts[] = {breaks_off, breaks_off, breaks_off, answers};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, ARRAY_LEN(scripts));
	complete(&exchange);
	assert_failed(&exchange, LLM_ERROR_TRANSIENT, "broke off");
	assert_string_equal(exchange.said.data, "Hel|Hel|Hel|");
	assert_int_equal(raw_server_requests(exchange.server), 3);
	exchange_clear(&exchange);
}

#define LIMITED(seconds) \
	REFUSE("429 Too Many Requests", "Retry-After: " seconds "\r\n", "{\"error\":{\"message\":\"slow\"}}")

static void a_short_retry_after_is_waited_for(void **state)
{
	static const struct raw_step limited[] = {READ, SEND(LIMITED("5")), END};
	static const struct raw_step *const scripts[] = {limited, answers};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, ARRAY_LEN(scripts));
	assert_true(complete(&exchange) >= 5000);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
}

static void a_long_retry_after_is_not(void **state)
{
	static const struct raw_step limited[] = {READ, SEND(LIMITED("120")), END};
	static const struct raw_step *const scripts[] = {limited, answers};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, ARRAY_LEN(scripts));
	complete(&exchange);
	assert_failed(&exchange, LLM_ERROR_RATE_LIMIT, "slow");
	assert_int_equal(exchange.err.retry_ms, 120000);
	assert_int_equal(raw_server_requests(exchange.server), 1);
	exchange_clear(&exchange);
}

static void a_wrong_key_is_not_tried_again(void **state)
{
	static const struct raw_step refused[] = {READ, SEND(REFUSE("401 Unauthorized", "", "{}")), END};
	static const struct raw_step *const scripts[] = {refused, answers};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, ARRAY_LEN(scripts));
	complete(&exchange);
	assert_failed(&exchange, LLM_ERROR_AUTH, "401");
	assert_int_equal(raw_server_requests(exchange.server), 1);
	exchange_clear(&exchange);
}

static void a_call_that_the_model_wrote_badly_is_asked_for_once_more(void **state)
{
	static const struct raw_step failed[] = {READ,
	    SEND(REFUSE("400 Bad Request", "",
		"{\"error\":{\"message\":\"Failed to call a function.\",\"code\":\"tool_use_failed\"}}")),
	    END};
	static const struct raw_step *const scripts[] = {failed, answers};
	static const struct raw_step *const always[] = {failed};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, ARRAY_LEN(scripts));
	complete(&exchange);
	assert_said(&exchange, "Hello");
	exchange_clear(&exchange);
	exchange_init(&exchange, always, 1);
	complete(&exchange);
	assert_failed(&exchange, LLM_ERROR_MODEL_OUTPUT, "tool_use_failed");
	assert_int_equal(raw_server_requests(exchange.server), 2);
	exchange_clear(&exchange);
}

static void a_history_that_would_be_refused_never_leaves(void **state)
{
	static const struct raw_step *const scripts[] = {answers};
	struct exchange exchange;

	(void)state;
	exchange_init(&exchange, scripts, 1);
	llm_history_add(&exchange.history, llm_message_new(LLM_ASSISTANT, "last"));
	complete(&exchange);
	assert_failed(&exchange, LLM_ERROR_BAD_HISTORY, "stands last");
	assert_int_equal(raw_server_connections(exchange.server), 0);
	exchange_clear(&exchange);
}

int main(void)
{
#define TEST(fn) cmocka_unit_test_teardown(fn, exchange_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_provider_has_the_makers_url_and_defaults),
	    TEST(slashes_at_the_end_of_a_url_are_dropped),
	    TEST(what_is_wrong_is_said_with_its_place),
	    TEST(it_can_do_without_a_model),
	    TEST(each_provider_has_its_place),
	    TEST(what_breaks_off_is_asked_again_and_the_sink_starts_anew),
	    TEST(after_three_tries_it_has_failed),
	    TEST(a_short_retry_after_is_waited_for),
	    TEST(a_long_retry_after_is_not),
	    TEST(a_wrong_key_is_not_tried_again),
	    TEST(a_call_that_the_model_wrote_badly_is_asked_for_once_more),
	    TEST(a_history_that_would_be_refused_never_leaves),
	};

	clock_fake(1700000000000, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
