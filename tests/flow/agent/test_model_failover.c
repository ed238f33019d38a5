/*
 * Providers that fail in every way, each with a chat of its own, all at the same time: another provider
 * answers, once, and the person reads nothing of the failure.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"

static const char *const formats[][2] = {
    {"openai-chat", "/v1"}, {"anthropic", ""}, {"openai-responses", "/v1"}};

/* What happens in each format. */
static const char *const of_streams[] = {
    "\"kind\":\"error\",\"failure\":\"overloaded\",\"at_byte\":1500",
    "\"kind\":\"hang\",\"seconds\":30,\"at_byte\":1500",
    "\"kind\":\"keep_alive\",\"seconds\":30",
    "\"kind\":\"cut\",\"at_byte\":1500",
    "\"kind\":\"no_finish\"",
    "\"kind\":\"page\",\"status\":200",
    "\"kind\":\"failure\",\"failure\":\"rate_limit\",\"retry_after\":600",
};

/* What is the same in all, and happens in the format that the number of the case gives it. */
static const char *const of_requests[] = {
    "\"kind\":\"failure\",\"failure\":\"overloaded\"",
    "\"kind\":\"failure\",\"failure\":\"overloaded_429\"",
    "\"kind\":\"failure\",\"failure\":\"internal\"",
    "\"kind\":\"failure\",\"failure\":\"insufficient_quota\"",
    "\"kind\":\"failure\",\"failure\":\"no_balance\"",
    "\"kind\":\"failure\",\"failure\":\"wrong_key\"",
    "\"kind\":\"failure\",\"failure\":\"no_access\"",
    "\"kind\":\"failure\",\"failure\":\"no_model\"",
    "\"kind\":\"failure\",\"failure\":\"bad_request\"",
    "\"kind\":\"failure\",\"failure\":\"rate_limit\",\"retry_after_ms\":90000",
    "\"kind\":\"page\",\"status\":502",
    "\"kind\":\"stall\",\"seconds\":30",
    "\"kind\":\"close\"",
};

#define STREAM_CASES (ARRAY_LEN(of_streams) * ARRAY_LEN(formats))
#define CHAT         ((size_t)1000) /* that of case 0, and who writes there */
#define CASES        (STREAM_CASES + ARRAY_LEN(of_requests))

static const char *fault_of(size_t i)
{
	return i < STREAM_CASES ? of_streams[i / ARRAY_LEN(formats)] : of_requests[i - STREAM_CASES];
}

static struct flow f;

static int begin(void **state)
{
	struct buf script = BUF_INIT;

	(void)state;
	buf_addstr(&script,
	    "{\"skip\":\"^\\\\[[^]\\n]*\\\\]\\n\",\"delay_ms\":0,\"chunk\":40,\"chunk_ms\":20,\"rules\":[");
	for (size_t i = 0; i < CASES; i++)
		buf_addf(&script,
		    "%s{\"when\":\"^question %zu!\",\"steps\":[{\"text\":\"{{story 1200}} This was answer "
		    "%zu!\",\"fault\":{\"model\":\"bad-%zu\",%s}}]}",
		    i ? "," : "", i, i, i, fault_of(i));
	buf_addstr(&script, "],\"else\":{\"steps\":[{\"text\":\"I see.\"}]}}");
	flow_start_script(&f, script.data);
	buf_clear(&script);
	return 0;
}

/* Each has a key of its own: those who share one are left alone together. */
static void add_provider(
    struct buf *top, const char *name, size_t format, const char *model, const char *idle)
{
	buf_addf(top,
	    "%s: { api = \"%s\"; base_url = \"%s%s\"; key = \"a-key-for-%s\"; model = \"%s\"; idle = \"%s\"; "
	    "};\n",
	    name, formats[format][0], f.url, formats[format][1], name, model, idle);
}

static void write_config(void)
{
	struct buf top = BUF_INIT, channel = BUF_INIT;
	char name[32], model[32];

	buf_addstr(&channel, "preview_after = \"0 ms\"; allow = [\"*\"]; admins = [");
	for (size_t i = 0; i < CASES; i++)
		buf_addf(&channel, "%s\"%zu\"", i ? ", " : "", CHAT + i);
	buf_addstr(&channel, "];");
	buf_addstr(&top, "reports = \"\";\nllm: { default = \"good\"; providers: {\n");
	add_provider(&top, "good", 0, "scripted", "60 s");
	for (size_t i = 0; i < CASES; i++) {
		snprintf(name, sizeof(name), "bad%zu", i);
		snprintf(model, sizeof(model), "bad-%zu", i);
		add_provider(&top, name, i % ARRAY_LEN(formats), model, "1 s");
	}
	buf_addstr(&top, "}; };");
	flow_config(&f, top.data, channel.data);
	buf_clear(&top);
	buf_clear(&channel);
}

static const char *chat_of(size_t i)
{
	static char name[16];

	snprintf(name, sizeof(name), "%zu", CHAT + i);
	return name;
}

static void say(size_t i, const char *fmt)
{
	char number[16], *text;
	const char *at = strchr(fmt, '#');

	snprintf(number, sizeof(number), "%zu", i);
	text = xasprintf("%.*s%s%s", (int)(at - fmt), fmt, number, at + 1);
	flow_say(&f, chat_of(i), chat_of(i), text, "private");
	free(text);
}

/* How often the text stands in it. */
static size_t count(const char *in, const char *text)
{
	size_t n = 0;

	for (const char *at = in; (at = strstr(at, text)); at++)
		n++;
	return n;
}

/* The one answer: all of it, once, and nothing else. */
static void judge(size_t i)
{
	char *text = flow_bot_text(&f, chat_of(i), 1), ending[48];

	snprintf(ending, sizeof(ending), " This was answer %zu!", i);
	size_t len = strlen(text);
	if (len < strlen(ending) || strcmp(text + len - strlen(ending), ending) != 0 || len > 1600 ||
	    count(text, "1. ") != 1)
		fail_msg("case %zu (%s): the answer is \"%s\"", i, fault_of(i), text);
	if (flow_bot_messages(&f, chat_of(i)) != 2)
		fail_msg("case %zu (%s): %zu messages", i, fault_of(i), flow_bot_messages(&f, chat_of(i)));
	free(text);
}

/* Each bad one was asked, or the case has shown nothing. */
static void judge_requests(void)
{
	struct json_object *o = flow_get(&f, "/control/model"), *requests = json_get_array(o, "requests");
	bool asked[CASES] = {false};

	for (size_t i = 0; i < json_object_array_length(requests); i++) {
		const char *model =
		    json_get_str(json_get_object(json_object_array_get_idx(requests, i), "body"), "model");
		if (model && strncmp(model, "bad-", 4) == 0)
			asked[strtoul(model + 4, NULL, 10)] = true;
	}
	for (size_t i = 0; i < CASES; i++)
		if (!asked[i])
			fail_msg("case %zu (%s) was never asked", i, fault_of(i));
	json_object_put(o);
}

static void another_provider_answers_once_whatever_fails(void **state)
{
	(void)state;
	write_config();
	flow_gateway(&f, true);
	for (size_t i = 0; i < CASES; i++)
		say(i, "/model bad#");
	for (size_t i = 0; i < CASES; i++) {
		flow_await(&f, chat_of(i), 1);
		say(i, "question #!");
	}
	for (size_t i = 0; i < CASES; i++)
		flow_await(&f, chat_of(i), 2);
	for (size_t i = 0; i < CASES; i++)
		judge(i);
	judge_requests();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(another_provider_answers_once_whatever_fails, begin, &f),
	};

	return cmocka_run_group_tests_name("model failover", tests, NULL, NULL);
}
