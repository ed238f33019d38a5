/* Known traffic, and what the metrics say of it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/mem.h"
#include "flow/flow.h"
#include "flow/ops/exposition.h"
#include "tests/lib/client.h"

#define TOKEN "flow-test-token-0123456789"

static const char script[] =
    "{\"skip\":\"^\\\\[[^]\\n]*\\\\]\\n\",\"delay_ms\":0,\"rules\":["
    "{\"when\":\"^hang\",\"steps\":[{\"text\":\"{{story 3000}}\",\"fault\":{\"kind\":\"hang\","
    "\"seconds\":600,\"at_byte\":1500}}]},"
    "{\"when\":\"^without\",\"steps\":[{\"text\":\"I see.\",\"fault\":{\"kind\":\"quirks\","
    "\"quirks\":[\"no_usage\"]}}]},"
    "{\"when\":\"^key\",\"steps\":[{\"text\":\"I see.\",\"fault\":{\"kind\":\"failure\",\"model\":"
    "\"scripted\",\"failure\":\"wrong_key\"}}]}],"
    "\"else\":{\"steps\":[{\"text\":\"I see.\"}]}}";

static struct flow f;
static char url[64];

static void write_config(void)
{
	char *top = xasprintf(
	    "http: { listen = \"127.0.0.1:0\"; token = \"" TOKEN "\"; };\n"
	    "budgets = ( { scope = \"chat\"; calls = 5; } );\n"
	    "llm: { currency = \"EUR\"; default = \"dear\"; fallbacks = [\"other\"]; prices = (\n"
	    "  { provider = \"dear\"; input = 2.0; output = 8.0; }, { provider = \"transcribe\"; minute = "
	    "60.0; } );\n"
	    "providers: {\n"
	    "  dear: { api = \"openai-chat\"; base_url = \"%s/v1\"; key = \"a-key\"; model = \"scripted\"; "
	    "};\n"
	    "  other: { api = \"openai-chat\"; base_url = \"%s/v1\"; key = \"another-key\"; model = "
	    "\"other\"; }; };\n"
	    "transcribe: { base_url = \"%s/v1\"; key = \"a-key\"; model = \"whisper-1\"; }; };",
	    f.url, f.url, f.url);

	flow_config(&f, top, "rate_private = 0; allow = [\"*\"];");
	free(top);
}

static int begin(void **state)
{
	static const char says[] = "listening on 127.0.0.1:0 port=";

	(void)state;
	flow_start_script(&f, script);
	json_object_put(flow_control(&f, "settings", "{\"telegram\":{\"limits\":false}}"));
	write_config();
	flow_gateway(&f, true);
	flow_await_log(&f, says);
	char *log = flow_log(&f), *at = strstr(log, says);
	snprintf(url, sizeof(url), "http://127.0.0.1:%ld/metrics", strtol(at + strlen(says), NULL, 10));
	free(log);
	return 0;
}

static char *metrics(void)
{
	struct client_request req = {
	    .url = url, .header = "Authorization: Bearer " TOKEN, .timeout_ms = FLOW_WAIT_MS};
	struct client_reply reply;
	char *text;

	client_send(&req, &reply);
	assert_int_equal(reply.status, 200);
	text = xstrdup(reply.body);
	client_reply_clear(&reply);
	exposition_check(text);
	return text;
}

static double value(const char *series)
{
	char *text = metrics();
	double v = exposition_value(text, series);

	free(text);
	return v;
}

/* What is stored is counted once a second at most. */
#define EXPECT(series, number) flow_until(&f, value(series) == (number))

static void say(const char *chat, const char *text)
{
	flow_say(&f, chat, chat, text, "private");
}

static void ask(const char *chat, const char *text, size_t answers)
{
	say(chat, text);
	flow_await(&f, chat, answers);
}

static void requests_are_counted_with_what_they_took_and_cost(void **state)
{
	double cost;

	(void)state;
	ask("77", "one", 1);
	assert_true(value("myna_model_requests_total{model=\"dear\"}") == 1);
	assert_true(value("myna_model_estimated_requests_total{model=\"dear\"}") == 0);
	ask("77", "without", 2);
	assert_true(value("myna_model_requests_total{model=\"dear\"}") == 2);
	assert_true(value("myna_model_estimated_requests_total{model=\"dear\"}") == 1);
	assert_true(value("myna_model_unpriced_requests_total{model=\"dear\"}") == 0);
	cost = value("myna_model_tokens_total{model=\"dear\",kind=\"input\"}") * 2e-6 +
	    value("myna_model_tokens_total{model=\"dear\",kind=\"output\"}") * 8e-6;
	assert_true(cost > 0);
	assert_true(fabs(value("myna_model_cost_total{model=\"dear\",currency=\"EUR\"}") - cost) <= 2e-6);
	/* "OggSone" */
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"telegram\",\"chat\":\"77\",\"user\":\"77\",\"kind\":\"private\",\"files\":[{"
	    "\"name\":\"v.ogg\",\"kind\":\"voice\",\"base64\":\"T2dnU29uZQ==\",\"duration\":5}]}"));
	flow_await(&f, "77", 3);
	assert_true(value("myna_model_speech_seconds_total{model=\"transcribe\"}") >= 1);
	assert_true(value("myna_model_cost_total{model=\"transcribe\",currency=\"EUR\"}") ==
	    value("myna_model_speech_seconds_total{model=\"transcribe\"}"));
}

static void failures_of_models_are_counted_by_their_class(void **state)
{
	(void)state;
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"chat.completions\",\"count\":1,\"kind\":\"cut\",\"at_"
	    "byte\":200}"));
	ask("77", "one", 1);
	assert_true(value("myna_model_retries_total{class=\"transient\"}") == 1);
	assert_true(value("myna_model_failovers_total{class=\"transient\"}") == 0);
	assert_true(value("myna_model_cooldowns_total{class=\"auth\"}") == 0);
	ask("77", "key", 2);
	assert_true(value("myna_model_retries_total{class=\"transient\"}") == 1);
	assert_true(value("myna_model_failovers_total{class=\"auth\"}") == 1);
	assert_true(value("myna_model_cooldowns_total{class=\"auth\"}") == 1);
	assert_true(value("myna_model_alert{model=\"dear\",kind=\"key\"}") == 1);
	assert_true(value("myna_model_unpriced_requests_total{model=\"other\"}") == 1);
	assert_true(value("myna_model_down") == 0);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"model\",\"method\":\"chat.completions\",\"count\":1000,\"kind\":\"close\"}"));
	say("77", "two");
	EXPECT("myna_model_down", 1);
	EXPECT("myna_turns_waiting", 1);
	assert_true(value("myna_turns_open") == 1);
	assert_true(value("myna_turns_total{end=\"answered\"}") == 2);
}

static void what_waits_shows(void **state)
{
	/* Messages after each question, with the notices at 50 %, 80 % and the end of the budget. */
	static const size_t after[] = {1, 2, 4, 6, 8, 9};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(after); i++)
		ask("77", "one", after[i]);
	assert_true(value("myna_budget_refusals_total{budget=\"chat\"}") == 1);
	assert_true(value("myna_model_requests_total{model=\"dear\"}") == 5);
	say("78", "hang");
	EXPECT("myna_turns_running", 1);
	EXPECT("myna_turns_open", 1);
	say("78", "one more");
	say("78", "and another");
	EXPECT("myna_inbox_pending", 2);
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"sendMessage\",\"count\":1000,\"kind\":\"status\","
	    "\"status\":429,\"retry_after\":600}"));
	say("79", "one");
	EXPECT("myna_outbox_queued", 1);
	EXPECT("myna_sessions", 3);
	assert_true(value("myna_outbox_uncertain") == 0);
	assert_true(value("myna_outbox_failed") == 0);
	assert_true(value("myna_turns_dead") == 0);
	assert_true(value("myna_messages_received_total{result=\"new\"}") == 10);
	assert_true(value("myna_ready") == 1);
	assert_true(value("myna_safe_mode") == 0);
	assert_true(value("myna_uptime_seconds") > 0);
	assert_true(value("myna_database_bytes") > 4096);
	assert_true(value("myna_disk_bytes") > value("myna_disk_free_bytes"));
	assert_true(value("myna_tasks") > 1);
	assert_true(value("process_cpu_seconds_total") > 0);
	/* A message that comes, and a turn that begins and ends, are commits of their own at least. */
	assert_true(value("myna_store_commits_total") >= 9);
}

static void a_message_to_nobody_failed(void **state)
{
	(void)state;
	assert_int_equal(flow_myna(&f, NULL, "send", "telegram:404", "Is anybody there?", NULL), 1);
	EXPECT("myna_outbox_failed", 1);
	assert_true(value("myna_deliveries_total{result=\"failed\"}") == 1);
	assert_true(value("myna_deliveries_total{result=\"sent\"}") == 0);
}

#define FLOW(test) FLOW_TEST(test, begin, &f)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(requests_are_counted_with_what_they_took_and_cost),
	    FLOW(failures_of_models_are_counted_by_their_class),
	    FLOW(what_waits_shows),
	    FLOW(a_message_to_nobody_failed),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
