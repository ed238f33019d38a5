/* Each metric shows the number that it stands for, and no other one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/ops/exposition.h"
#include "llm/llm.h"
#include "llm/usage_stats.h"
#include "ops/health.h"
#include "ops/metrics.h"

static const char status_text[] =
    "{\"version\":\"9.8\",\"ready\":true,\"safe_mode\":false,\"uptime_ms\":12345,\"turns_running\":2,"
    "\"queue\":{\"inbox_pending\":3,\"outbox_queued\":4,\"outbox_uncertain\":5,\"outbox_failed\":6,"
    "\"turns_open\":7,\"turns_dead\":8,\"sessions\":9,\"db_bytes\":10,\"wal_bytes\":11,\"commits\":12,"
    "\"round_trips\":13},\"model\":{\"down\":true,\"turns_waiting\":14,\"troubles\":[{\"name\":\"main\","
    "\"kind\":\"credit\"}]},\"sandbox\":{\"number\":3},\"spent\":{\"currency\":\"EUR\"},\"channels\":["
    "{\"name\":\"a\",\"type\":\"slack\",\"status\":\"ready\"},"
    "{\"name\":\"b\",\"type\":\"discord\",\"status\":\"degraded\",\"shards\":16,\"shards_ready\":15}]}";

static const struct {
	const char *series;
	double value;
} expected[] = {
    {"myna_build_info{version=\"9.8\"}", 1},
    {"myna_ready", 1},
    {"myna_safe_mode", 0},
    {"myna_uptime_seconds", 12.345},
    {"myna_turns_running", 2},
    {"myna_inbox_pending", 3},
    {"myna_outbox_queued", 4},
    {"myna_outbox_uncertain", 5},
    {"myna_outbox_failed", 6},
    {"myna_turns_open", 7},
    {"myna_turns_dead", 8},
    {"myna_sessions", 9},
    {"myna_database_bytes", 10},
    {"myna_database_log_bytes", 11},
    {"myna_store_commits_total", 12},
    {"myna_store_round_trips_total", 13},
    {"myna_model_down", 1},
    {"myna_turns_waiting", 14},
    {"myna_sandbox_level", 3},
    {"myna_model_alert{model=\"main\",kind=\"credit\"}", 1},
    {"myna_channel_up{channel=\"a\",type=\"slack\"}", 1},
    {"myna_channel_up{channel=\"b\",type=\"discord\"}", 0},
    {"myna_channel_state{channel=\"b\",type=\"discord\",state=\"degraded\"}", 1},
    {"myna_channel_state{channel=\"b\",type=\"discord\",state=\"ready\"}", 0},
    {"myna_channel_shards{channel=\"b\",type=\"discord\"}", 16},
    {"myna_channel_shards_ready{channel=\"b\",type=\"discord\"}", 15},
    {"myna_model_requests_total{model=\"main\"}", 2},
    {"myna_model_tokens_total{model=\"main\",kind=\"input\"}", 400},
    {"myna_model_tokens_total{model=\"main\",kind=\"cached\"}", 110},
    {"myna_model_tokens_total{model=\"main\",kind=\"output\"}", 50},
    {"myna_model_cost_total{model=\"main\",currency=\"EUR\"}", 1.25},
    {"myna_model_unpriced_requests_total{model=\"main\"}", 1},
    {"myna_model_estimated_requests_total{model=\"main\"}", 2},
    {"myna_model_speech_seconds_total{model=\"main\"}", 0},
    {"myna_model_requests_total{model=\"ears\"}", 1},
    {"myna_model_unpriced_requests_total{model=\"ears\"}", 0},
    {"myna_model_estimated_requests_total{model=\"ears\"}", 0},
    {"myna_model_speech_seconds_total{model=\"ears\"}", 61},
    {"myna_disk_free_bytes", 17},
    {"myna_disk_bytes", 18},
    {"myna_store_failing", 0},
};

static const struct llm_usage first = {.input_tokens = 300,
				  .cached_tokens = 100,
				  .output_tokens = 20,
				  .cost = 1250000,
				  .priced = true,
				  .estimated = true},
			      second = {.input_tokens = 100,
				  .cached_tokens = 10,
				  .output_tokens = 30,
				  .estimated = true},
			      speech = {.seconds = 61, .priced = true};

static char *written(const struct health_view *view)
{
	struct json_object *status = json_tokener_parse(status_text);
	struct buf out = BUF_INIT;

	metrics_write(&out, status, view);
	json_object_put(status);
	exposition_check(out.data);
	return buf_take(&out);
}

static void each_metric_has_its_own_number(void **state)
{
	const struct health_view view = {.disk_free = 17, .disk_bytes = 18};
	char *text;

	(void)state;
	llm_usage_stats_add("main", &first);
	llm_usage_stats_add("main", &second);
	llm_usage_stats_add("ears", &speech);
	text = written(&view);
	for (size_t i = 0; i < ARRAY_LEN(expected); i++)
		if (exposition_value(text, expected[i].series) != expected[i].value)
			fail_msg("%s is %g, not %g", expected[i].series,
			    exposition_value(text, expected[i].series), expected[i].value);
	assert_true(exposition_value(text, "process_cpu_seconds_total") > 0);
	assert_true(exposition_value(text, "myna_tasks") == 0);
	free(text);
}

/* What is not known is missing, and the store fails for each reason. */
static void a_store_fails_for_each_reason(void **state)
{
	static char why[] = "why";
	const struct health_view views[] = {{.stale = true}, {.store_error = why},
	    {.counts.is_damaged = true}, {.counts.is_failing = true}, {.counts.is_full = true}},
				 no_disk = {.disk_error = why};
	char *text;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(views); i++) {
		text = written(&views[i]);
		assert_true(exposition_value(text, "myna_store_failing") == 1);
		assert_true((strstr(text, "myna_disk_free_bytes") != NULL) == !views[i].stale);
		free(text);
	}
	text = written(&no_disk);
	assert_true(exposition_value(text, "myna_store_failing") == 0);
	assert_null(strstr(text, "myna_disk_"));
	free(text);
}

static void hear_of(int model)
{
	const struct llm_usage once = {.priced = true};
	char *name = xasprintf(model == 0 ? "%070d" : "model-%d", model);

	llm_usage_stats_add(name, &once);
	free(name);
}

/* Forty, one of them with a name that is cut, beside the two from above. */
static void further_models_are_counted_together(void **state)
{
	size_t rows = 0;
	char *text, *cut;

	(void)state;
	for (int i = 0; i < 80; i++)
		hear_of(i % 40);
	while (llm_usage_stats(rows))
		rows++;
	assert_int_equal(rows, LLM_USAGE_STATS_MAX + 1);
	text = written(&(struct health_view){0});
	cut = xasprintf("myna_model_requests_total{model=\"%063d\"}", 0);
	assert_true(exposition_value(text, cut) == 2);
	assert_true(exposition_value(text, "myna_model_requests_total{model=\"model-29\"}") == 2);
	assert_true(exposition_value(text, "myna_model_requests_total{model=\"others\"}") == 20);
	free(cut);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_metric_has_its_own_number),
	    cmocka_unit_test(a_store_fails_for_each_reason),
	    cmocka_unit_test(further_models_are_counted_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
