/* What tells an operator how the gateway is, over HTTP, under good and bad circumstances. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/ops/exposition.h"
#include "flow/flow.h"
#include "flow/weather.h"
#include "tests/lib/client.h"

#define TOKEN  "flow-test-token-0123456789"
#define BEARER "Authorization: Bearer " TOKEN

static struct flow f;
static struct weather *weather;
static char base[64];

static void read_port(void)
{
	static const char says[] = "listening on 127.0.0.1:0 port=";

	flow_await_log(&f, says);
	char *log = flow_log(&f), *at = strstr(log, says);
	snprintf(base, sizeof(base), "http://127.0.0.1:%ld", strtol(at + strlen(says), NULL, 10));
	free(log);
}

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	weather = weather_new(&f);
	flow_config(&f, "http: { listen = \"127.0.0.1:0\"; token = \"" TOKEN "\"; };", "allow = [\"77\"];");
	weather_gateway(&f, true);
	read_port();
	return 0;
}

static int end(void **state)
{
	(void)state;
	weather->sync_hangs = 0;
	flow_stop(&f);
	weather_free(weather);
	return 0;
}

static void get(const char *path, const char *header, struct client_reply *reply)
{
	char *url = xasprintf("%s%s", base, path);
	struct client_request req = {.url = url, .header = header, .timeout_ms = FLOW_WAIT_MS};

	client_send(&req, reply);
	free(url);
}

/* Waits until /readyz says so; the answer to one with the token. */
static struct json_object *await_ready(int status, const char *kinds)
{
	uint64_t due = flow_deadline();
	struct client_reply reply;
	bool found = false;

	while (!found) {
		get("/readyz", NULL, &reply);
		char *got = json_text(json_get_array(reply.json, "reasons"));
		found = reply.status == status && strcmp(got, kinds) == 0;
		free(got);
		if (!found)
			flow_look(&f, due, "/readyz does not become %d %s: %d %s", status, kinds,
			    reply.status, reply.body);
		client_reply_clear(&reply);
	}
	get("/readyz", BEARER, &reply);
	struct json_object *o = json_object_get(reply.json);
	client_reply_clear(&reply);
	return o;
}

static void a_deaf_channel_is_not_ready(void **state)
{
	struct client_reply reply;

	(void)state;
	json_object_put(await_ready(200, "[]"));
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"telegram\",\"method\":\"getUpdates\",\"count\":1000,\"kind\":\"status\","
	    "\"status\":502}"));
	flow_say(&f, "77", "77", "wakes the poll that waits", "private");
	struct json_object *o = await_ready(503, "[\"channel\"]");
	assert_string_equal(client_at(o, "reasons.0.name"), "telegram");
	assert_string_equal(client_at(o, "reasons.0.state"), "degraded");
	assert_true(strlen(client_at(o, "reasons.0.text")) > 0);
	json_object_put(o);
	/* The process itself is fine. */
	get("/healthz", NULL, &reply);
	assert_int_equal(reply.status, 200);
	client_reply_clear(&reply);
	get("/metrics", BEARER, &reply);
	exposition_check(reply.body);
	assert_true(
	    exposition_value(reply.body, "myna_channel_up{channel=\"telegram\",type=\"telegram\"}") == 0);
	assert_true(
	    exposition_value(reply.body,
		"myna_channel_state{channel=\"telegram\",type=\"telegram\",state=\"degraded\"}") == 1);
	client_reply_clear(&reply);
}

static void a_disk_that_is_nearly_full_is_not_ready(void **state)
{
	struct client_reply reply;

	(void)state;
	weather->disk_free_mib = 63;
	struct json_object *o = await_ready(503, "[\"disk\"]");
	assert_non_null(strstr(client_at(o, "reasons.0.text"), "63 MiB"));
	json_object_put(o);
	get("/metrics", BEARER, &reply);
	exposition_check(reply.body);
	assert_true(exposition_value(reply.body, "myna_disk_free_bytes") == 63.0 * 1048576);
	client_reply_clear(&reply);
	weather->disk_free_mib = 64;
	json_object_put(await_ready(200, "[]"));
}

static void a_store_that_fails_is_not_ready_until_it_works(void **state)
{
	struct client_reply reply;

	(void)state;
	weather->sync_errno = EIO;
	flow_say(&f, "77", "77", "what is 6*7", "private");
	/* What cannot be stored is not taken, so that the channel says so, too. */
	json_object_put(await_ready(503, "[\"channel\",\"store\"]"));
	get("/metrics", BEARER, &reply);
	exposition_check(reply.body);
	assert_true(exposition_value(reply.body, "myna_store_failing") == 1);
	client_reply_clear(&reply);
	weather->sync_errno = 0;
	flow_await(&f, "77", 1);
	json_object_put(await_ready(200, "[]"));
}

static void a_store_that_hangs_is_not_waited_for(void **state)
{
	struct client_reply reply;

	(void)state;
	weather->sync_hangs = 1;
	flow_say(&f, "77", "77", "what is 6*7", "private");
	json_object_put(await_ready(503, "[\"store\"]"));
	get("/healthz", NULL, &reply);
	assert_int_equal(reply.status, 200);
	client_reply_clear(&reply);
	weather->sync_hangs = 0;
	flow_await(&f, "77", 1);
	json_object_put(await_ready(200, "[]"));
}

static void metrics_are_complete_and_strictly_in_their_format(void **state)
{
	struct client_reply reply;
	char *text;

	(void)state;
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	flow_await_log(&f, "turn ended: answered");
	/* The end of the row is committed after the platform has it. */
	uint64_t due = flow_deadline();
	do {
		get("/metrics", BEARER, &reply);
		assert_int_equal(reply.status, 200);
		assert_non_null(strstr(reply.head, "text/plain; version=0.0.4"));
		text = xstrdup(reply.body);
		client_reply_clear(&reply);
		if (exposition_value(text, "myna_deliveries_total{result=\"sent\"}") == 1)
			break;
		free(text);
	} while (flow_now_ms() < due);
	exposition_check(text);
	assert_true(exposition_value(text, "myna_messages_received_total{result=\"new\"}") == 1);
	assert_true(exposition_value(text, "myna_turns_total{end=\"answered\"}") == 1);
	assert_true(exposition_value(text, "myna_first_request_delay_seconds_count") == 1);
	assert_true(exposition_value(text, "myna_model_seconds_count") == 1);
	assert_true(exposition_value(text, "myna_delivery_seconds_count") == 1);
	assert_true(exposition_value(text, "myna_store_commit_seconds_count") >= 3);
	assert_true(exposition_value(text, "myna_loop_busy_seconds_count") >= 1);
	assert_true(exposition_value(text, "myna_model_requests_total{model=\"script\"}") == 1);
	assert_true(exposition_value(text, "myna_model_tokens_total{model=\"script\",kind=\"output\"}") > 0);
	assert_true(exposition_value(text, "process_open_fds") > 3);
	assert_true(exposition_value(text, "process_resident_memory_bytes") > 1e6);
	assert_true(exposition_value(text, "myna_disk_free_bytes") > 0);
	free(text);
}

#define FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW(a_deaf_channel_is_not_ready),
	    FLOW(a_disk_that_is_nearly_full_is_not_ready),
	    FLOW(a_store_that_fails_is_not_ready_until_it_works),
	    FLOW(a_store_that_hangs_is_not_waited_for),
	    FLOW(metrics_are_complete_and_strictly_in_their_format),
	};

	cmocka_set_test_filter(getenv("FLOW_ONLY"));
	return cmocka_run_group_tests(tests, NULL, NULL);
}
