/* Every fault of the scripted model, in every format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/fixture.h"

static const struct format {
	const char *method, *path, *header, *body, *error, *end;
} formats[] = {
    {"chat.completions", "/v1/chat/completions", "Authorization: Bearer some-key",
	"{\"model\":\"scripted\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":[{"
	"\"role\":\"user\",\"content\":\"%s\"}],\"tools\":[{\"type\":\"function\",\"function\":{\"name\":"
	"\"read_file\",\"parameters\":{\"type\":\"object\",\"properties\":{}}}}]}",
	"data: {\"error\":{\"message\":", "[DONE]"},
    {"messages", "/v1/messages", "anthropic-version: 2023-06-01\r\nx-api-key: some-key",
	"{\"model\":\"scripted\",\"max_tokens\":4096,\"stream\":true,\"messages\":[{\"role\":\"user\","
	"\"content\":\"%s\"}],\"tools\":[{\"name\":\"read_file\",\"input_schema\":{\"type\":\"object\"}}]}",
	"event: error\ndata: {\"type\":\"error\",\"error\":{", "event: message_stop"},
    {"responses", "/v1/responses", "Authorization: Bearer some-key",
	"{\"model\":\"scripted\",\"stream\":true,\"store\":false,\"input\":[{\"role\":\"user\",\"content\":"
	"\"%s\"}],\"tools\":[{\"type\":\"function\",\"name\":\"read_file\",\"strict\":false,\"parameters\":{"
	"\"type\":\"object\",\"properties\":{}}}]}",
	"event: error\ndata: {\"type\":\"error\",", "event: response.completed"},
};

#define EACH(f) for (const struct format *f = formats; f < formats + ARRAY_LEN(formats); f++)

static void order(const char *fault)
{
	json_object_put(control("fault", "{\"platform\":\"model\",%s}", fault));
}

static void ask(const struct format *f, const char *text, struct client_reply *r)
{
	struct buf body = BUF_INIT;
	const char *at_text = strstr(f->body, "%s");

	buf_add(&body, f->body, (size_t)(at_text - f->body));
	buf_addf(&body, "%s%s", text, at_text + 2);
	client_send(
	    &(struct client_request){.url = at("%s", f->path), .body = body.data, .header = f->header}, r);
	buf_clear(&body);
}

static void expect(
    const struct format *f, const struct client_reply *r, int status, const char *holds, const char *lacks)
{
	if (r->status != status)
		fail_msg("%s: status %d, not %d: %s", f->method, r->status, status, r->body);
	if (holds && !strstr(r->body, holds))
		fail_msg("%s lacks %s: %s", f->method, holds, r->body);
	if (lacks && strstr(r->body, lacks))
		fail_msg("%s holds %s: %s", f->method, lacks, r->body);
}

/* One request with that fault. */
static void expect_fault(const struct format *f, const char *fault, const char *text, int status,
    const char *holds, const char *lacks)
{
	struct client_reply r;

	order(fault);
	ask(f, text, &r);
	expect(f, &r, status, holds, lacks);
	client_reply_clear(&r);
	expect_verdict("model", "ok");
}

static void without_a_fault_an_answer_comes_to_its_end(void **state)
{
	struct client_reply r;

	(void)state;
	EACH(f)
	{
		ask(f, "count to 20", &r);
		expect(f, &r, 200, f->end, NULL);
		client_reply_clear(&r);
	}
}

static void a_stream_that_began_well_fails_in_the_shape_of_its_format(void **state)
{
	(void)state;
	EACH(f)
	{
		expect_fault(
		    f, "\"kind\":\"error\",\"failure\":\"overloaded\"", "count to 50", 200, f->error, f->end);
		expect_fault(f, "\"kind\":\"error\",\"failure\":\"overloaded\",\"at_byte\":9000000",
		    "count to 3", 200, f->error, f->end);
	}
}

static void failures_have_the_status_and_the_words_of_the_vendor(void **state)
{
	static const struct {
		const char *name;
		int status, messages;
		const char *words;
	} rows[] = {
	    {"rate_limit", 429, 429, "limit"},
	    {"insufficient_quota", 429, 429, "spend_limit"},
	    {"overloaded", 503, 529, "verloaded"},
	    {"unavailable", 503, 503, "error"},
	    {"overflow_llamacpp", 400, 400, "exceed_context_size_error"},
	    {"overflow_page", 413, 413, "<html>"},
	    {"unpaired_call", 400, 400, "tool"},
	};

	(void)state;
	EACH(f)
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char fault[96];
		bool messages = strcmp(f->method, "messages") == 0;

		snprintf(fault, sizeof(fault), "\"kind\":\"failure\",\"failure\":\"%s\"", rows[i].name);
		expect_fault(f, fault, "hi", messages ? rows[i].messages : rows[i].status,
		    i == 1 && !messages ? "insufficient_quota" : rows[i].words, NULL);
	}
}

static void a_time_to_wait_is_told_where_it_is_given(void **state)
{
	struct client_reply r;

	(void)state;
	EACH(f)
	{
		order("\"kind\":\"failure\",\"failure\":\"rate_limit\",\"retry_after\":7,\"retry_after_ms\":"
		      "1500");
		ask(f, "hi", &r);
		assert_non_null(strcasestr(r.head, "\r\nretry-after: 7\r\n"));
		assert_non_null(strcasestr(r.head, "\r\nretry-after-ms: 1500\r\n"));
		client_reply_clear(&r);
		order("\"kind\":\"failure\",\"failure\":\"rate_limit\"");
		ask(f, "hi", &r);
		assert_null(strcasestr(r.head, "\r\nretry-after"));
		client_reply_clear(&r);
	}
}

static void a_proxy_may_answer_with_a_page(void **state)
{
	(void)state;
	EACH(f)
	{
		expect_fault(f, "\"kind\":\"page\",\"status\":200", "hi", 200, "<html>", "scripted");
		expect_fault(f, "\"kind\":\"page\",\"status\":502", "hi", 502, "<h1>502</h1>", NULL);
	}
}

static void a_stream_may_go_silent_or_say_nothing(void **state)
{
	struct client_reply r;

	(void)state;
	EACH(f)
	{
		order("\"kind\":\"hang\",\"seconds\":1,\"at_byte\":0");
		ask(f, "count to 50", &r);
		assert_true(r.ms >= 900 && r.len > 0 && !strstr(r.body, f->end));
		client_reply_clear(&r);
		expect_fault(
		    f, "\"kind\":\"keep_alive\",\"seconds\":1", "hi", 200, ": keep-alive\n\n", "scripted");
		expect_fault(f, "\"kind\":\"pings\",\"seconds\":1", "hi", 200, "event: ping\n", "scripted");
		expect_fault(f, "\"kind\":\"no_finish\"", "count to 5", 200, "1, 2", f->end);
	}
}

static void answers_may_have_quirks(void **state)
{
	(void)state;
	EACH(f)
	{
		expect_fault(
		    f, "\"kind\":\"quirks\",\"quirks\":[\"empty\"]", "count to 5", 200, f->end, "1, 2");
		expect_fault(f, "\"kind\":\"quirks\",\"quirks\":[\"text_calls\"]", "read a.txt", 200,
		    "<tool_call>", "tool_calls\\\":[");
		expect_fault(f, "\"kind\":\"quirks\",\"quirks\":[\"bad_arguments\"]", "read a.txt", 200,
		    ", what?}", NULL);
		expect_fault(f, "\"kind\":\"quirks\",\"quirks\":[\"no_id\"]", "read a.txt", 200, "read_file",
		    "\"call_");
		expect_fault(
		    f, "\"kind\":\"quirks\",\"quirks\":[\"no_usage\"]", "hi", 200, f->end, "\"usage\":{");
		expect_fault(f, "\"kind\":\"quirks\",\"quirks\":[\"surrogates\"]", "say \xf0\x9f\x8c\xa7",
		    200, "\"\\ud83c\"", NULL);
		expect_fault(f, "\"kind\":\"quirks\",\"quirks\":[\"crlf\",\"bom\",\"bytes\"]", "hi", 200,
		    "\r\n\r\n", "}\n\n");
		expect_fault(f, "\"kind\":\"quirks\",\"quirks\":[\"cr\"]", "hi", 200, "}\r\r", "\n");
	}
	expect_fault(formats, "\"kind\":\"quirks\",\"quirks\":[\"cut_arguments\"]", "read a.txt", 200,
	    "\"finish_reason\":\"length\"", NULL);
	expect_fault(formats, "\"kind\":\"quirks\",\"quirks\":[\"no_index\"]", "read a.txt", 200,
	    "\"tool_calls\":[{\"id\"", NULL);
	expect_fault(formats, "\"kind\":\"quirks\",\"quirks\":[\"far_index\"]", "read a.txt", 200,
	    "\"tool_calls\":[{\"index\":7", NULL);
	expect_fault(formats, "\"kind\":\"quirks\",\"quirks\":[\"object_arguments\"]", "read a.txt", 200,
	    "\"arguments\":{\"path\"", NULL);
	expect_fault(formats, "\"kind\":\"quirks\",\"quirks\":[\"no_done\"]", "hi", 200,
	    "\"finish_reason\":\"stop\"", "[DONE]");
	expect_fault(formats + 1, "\"kind\":\"quirks\",\"quirks\":[\"cut_arguments\"]", "read a.txt", 200,
	    "\"max_tokens\"", NULL);
}

static void a_fault_that_is_not_there_is_refused(void **state)
{
	static const char *const faults[] = {
	    "\"kind\":\"failure\",\"failure\":\"none\"",
	    "\"kind\":\"error\"",
	    "\"kind\":\"quirks\"",
	    "\"kind\":\"quirks\",\"quirks\":[\"odd\"]",
	    "\"kind\":\"nothing\"",
	    "\"kind\":\"page\",\"status\":99",
	};
	struct client_reply r;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		char *body = xasprintf("{\"platform\":\"model\",%s}", faults[i]);

		client_send(&(struct client_request){.url = at("/control/fault"), .body = body}, &r);
		if (r.status != 400)
			fail_msg("%s is taken", body);
		client_reply_clear(&r);
		free(body);
	}
	client_send(&(struct client_request){.url = at("/control/fault"),
			.body = "{\"platform\":\"telegram\",\"kind\":\"pings\"}"},
	    &r);
	assert_int_equal(r.status, 400);
	client_reply_clear(&r);
}

/* Lines of the file that hold the text. */
static size_t lines_with(const char *path, const char *text)
{
	FILE *in = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0, n = 0;

	assert_non_null(in);
	while (getline(&line, &cap, in) > 0)
		n += strstr(line, text) != NULL;
	free(line);
	fclose(in);
	return n;
}

static void the_journal_tells_what_is_wrong_with_a_request(void **state)
{
	static const char unpaired[] =
	    "{\"model\":\"scripted\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"tool\","
	    "\"tool_call_id\":\"c1\",\"content\":\"x\"},{\"role\":\"user\",\"content\":\"hi\"}]}";
	static const char remarkable[] =
	    "{\"model\":\"scripted\",\"messages\":[{\"role\":\"user\",\"content\":\"some-key\"},{\"role\":"
	    "\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\",\"type\":\"function\","
	    "\"function\":{\"name\":\"a\",\"arguments\":\"{\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"c1\","
	    "\"content\":\"x\"},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"c1\","
	    "\"type\":\"function\",\"function\":{\"name\":\"a\",\"arguments\":\"{}\"}}]},{\"role\":\"tool\","
	    "\"tool_call_id\":\"c1\",\"content\":\"x\"}]}";
	char path[] = "/tmp/myna-journal-XXXXXX";
	struct client_reply r;
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	fixture_end();
	fixture_start((const char *const[]){"--journal", path, NULL});
	ask(formats, "hi", &r);
	client_reply_clear(&r);
	order("\"kind\":\"failure\",\"failure\":\"overloaded\",\"count\":1");
	client_send(
	    &(struct client_request){
		.url = at("%s", formats->path), .body = unpaired, .header = formats->header},
	    &r);
	assert_int_equal(r.status, 503);
	client_reply_clear(&r);
	client_send(
	    &(struct client_request){
		.url = at("%s", formats->path), .body = remarkable, .header = formats->header},
	    &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
	assert_int_equal(lines_with(path, "\"method\":\"chat.completions\""), 3);
	assert_int_equal(lines_with(path, "\"verdict\":\"ok\",\"problems\":[]"), 1);
	assert_int_equal(lines_with(path, "\"status\":503,\"verdict\":\"refused\""), 1);
	assert_int_equal(lines_with(path, "two calls have the id c1"), 1);
	assert_int_equal(lines_with(path, "are no JSON object"), 1);
	assert_int_equal(lines_with(path, "the body holds the key"), 1);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(without_a_fault_an_answer_comes_to_its_end, fixture_reset),
	    cmocka_unit_test_setup(a_stream_that_began_well_fails_in_the_shape_of_its_format, fixture_reset),
	    cmocka_unit_test_setup(failures_have_the_status_and_the_words_of_the_vendor, fixture_reset),
	    cmocka_unit_test_setup(a_time_to_wait_is_told_where_it_is_given, fixture_reset),
	    cmocka_unit_test_setup(a_proxy_may_answer_with_a_page, fixture_reset),
	    cmocka_unit_test_setup(a_stream_may_go_silent_or_say_nothing, fixture_reset),
	    cmocka_unit_test_setup(answers_may_have_quirks, fixture_reset),
	    cmocka_unit_test_setup(a_fault_that_is_not_there_is_refused, fixture_reset),
	    cmocka_unit_test_setup(the_journal_tells_what_is_wrong_with_a_request, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
