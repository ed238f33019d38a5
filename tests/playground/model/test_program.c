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
#include "base/text/base64.h"
#include "playground/fixture.h"

#define KEY "Authorization: Bearer some-key"
#define TOOLS                                                                                               \
	",\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"read_file\",\"parameters\":{\"type\":" \
	"\"object\",\"properties\":{\"path\":{\"type\":\"string\"}},\"required\":[\"path\"]}}}]"

/* Asks with one message of a user; rest goes into the request, with its comma. */
static void ask(const char *user, const char *rest, const char *header, struct client_reply *r)
{
	char *body = xasprintf(
	    "{\"model\":\"scripted\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]%s}", user, rest);

	client_send(
	    &(struct client_request){.url = at("/v1/chat/completions"), .body = body, .header = header}, r);
	free(body);
}

/* What a client makes of a stream. */
struct assembled {
	struct buf text, arguments;
	char name[64], id[64], finish[32];
	bool usage, done;
	size_t chunks;
};

static void take_chunk(struct assembled *a, struct json_object *o)
{
	const char *text = client_at(o, "choices.0.delta.content"), *call = "choices.0.delta.tool_calls.0.";
	char path[96];

	a->chunks++;
	buf_addstr(&a->text, text);
	snprintf(path, sizeof(path), "%sfunction.arguments", call);
	buf_addstr(&a->arguments, client_at(o, path));
	snprintf(path, sizeof(path), "%sfunction.name", call);
	if (client_at(o, path)[0] != '\0')
		str_copy(a->name, sizeof(a->name), client_at(o, path));
	snprintf(path, sizeof(path), "%sid", call);
	if (client_at(o, path)[0] != '\0')
		str_copy(a->id, sizeof(a->id), client_at(o, path));
	if (client_at(o, "choices.0.finish_reason")[0] != '\0')
		str_copy(a->finish, sizeof(a->finish), client_at(o, "choices.0.finish_reason"));
	if (client_object_at(o, "usage.total_tokens"))
		a->usage = true;
}

static void assemble(const struct client_reply *r, struct assembled *a)
{
	char *copy = xstrdup(r->body), *save;

	*a = (struct assembled){.text = BUF_INIT, .arguments = BUF_INIT};
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct json_object *o;

		assert_memory_equal(line, "data: ", 6);
		assert_false(a->done);
		if (strcmp(line + 6, "[DONE]") == 0) {
			a->done = true;
			continue;
		}
		o = json_parse_object(line + 6, strlen(line + 6), NULL);
		assert_non_null(o);
		expect_at(o, "object", "chat.completion.chunk");
		take_chunk(a, o);
		json_object_put(o);
	}
	free(copy);
}

static void clear(struct assembled *a)
{
	buf_clear(&a->text);
	buf_clear(&a->arguments);
}

static void a_whole_answer_has_the_form_of_the_api(void **state)
{
	struct client_reply r;

	(void)state;
	ask("what is 17*23", "", KEY, &r);
	assert_int_equal(r.status, 200);
	expect_at(r.json, "object", "chat.completion");
	expect_at(r.json, "model", "scripted");
	expect_at(r.json, "choices.0.message.content", "17 * 23 = 391");
	expect_at(r.json, "choices.0.finish_reason", "stop");
	assert_true(json_get_int(json_get_object(r.json, "usage"), "prompt_tokens", 0) > 0);
	client_reply_clear(&r);
	ask("read notes.txt", TOOLS, KEY, &r);
	expect_at(r.json, "choices.0.message.content", "");
	expect_at(r.json, "choices.0.message.tool_calls.0.function.name", "read_file");
	expect_at(r.json, "choices.0.message.tool_calls.0.function.arguments", "{\"path\":\"notes.txt\"}");
	expect_at(r.json, "choices.0.finish_reason", "tool_calls");
	client_reply_clear(&r);
	expect_verdict("model", "ok");
}

static void a_stream_brings_the_same_in_pieces(void **state)
{
	struct client_reply r;
	struct assembled a;

	(void)state;
	ask("count to 20", ",\"stream\":true,\"stream_options\":{\"include_usage\":true}", KEY, &r);
	assert_int_equal(r.status, 200);
	assemble(&r, &a);
	assert_string_equal(
	    a.text.data, "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20.");
	assert_string_equal(a.finish, "stop");
	assert_true(a.usage && a.done && a.chunks > 10);
	clear(&a);
	client_reply_clear(&r);
	ask("read notes.txt", ",\"stream\":true" TOOLS, KEY, &r);
	assemble(&r, &a);
	assert_string_equal(a.name, "read_file");
	assert_string_equal(a.arguments.data, "{\"path\":\"notes.txt\"}");
	assert_string_equal(a.finish, "tool_calls");
	assert_true(a.id[0] != '\0' && !a.usage && a.done);
	clear(&a);
	client_reply_clear(&r);
}

static void a_long_stream_is_whole(void **state)
{
	struct client_reply r, whole;
	struct assembled a;

	(void)state;
	ask("a long story", ",\"stream\":true", KEY, &r);
	ask("a long story", "", KEY, &whole);
	assemble(&r, &a);
	assert_true(a.text.len >= 9000);
	expect_at(whole.json, "choices.0.message.content", a.text.data);
	clear(&a);
	client_reply_clear(&r);
	client_reply_clear(&whole);
}

static void a_stream_takes_its_time(void **state)
{
	struct client_reply r;

	(void)state;
	json_object_put(control("settings", "{\"model\":{\"instant\":false}}"));
	ask("count to 3", ",\"stream\":true", KEY, &r); /* two pieces, 400 ms apart, after 150 ms */
	assert_in_range(r.ms, 500, 25000);
	client_reply_clear(&r);
}

static void a_limit_of_tokens_cuts_the_answer(void **state)
{
	struct client_reply r;

	(void)state;
	ask("count to 100", ",\"max_completion_tokens\":5", KEY, &r);
	expect_at(r.json, "choices.0.finish_reason", "length");
	expect_at(r.json, "choices.0.message.content", "1, 2, 3, 4, 5, 6, 7,");
	client_reply_clear(&r);
}

static void keys_are_wanted(void **state)
{
	struct client_reply r;

	(void)state;
	ask("hi", "", NULL, &r);
	assert_int_equal(r.status, 401);
	assert_non_null(strstr(client_at(r.json, "error.message"), "You didn't provide an API key"));
	client_reply_clear(&r);
	ask("hi", "", "Authorization: Bearer sk-revoked-1", &r);
	assert_int_equal(r.status, 401);
	expect_at(r.json, "error.code", "invalid_api_key");
	client_reply_clear(&r);
	client_send(&(struct client_request){.url = at("/v1/models"), .header = KEY}, &r);
	expect_at(r.json, "data.0.id", "scripted");
	client_reply_clear(&r);
	client_send(&(struct client_request){.url = at("/v1/nothing"), .header = KEY, .body = "{}"}, &r);
	assert_int_equal(r.status, 404);
	client_reply_clear(&r);
}

static void wrong_requests_are_refused_and_recorded(void **state)
{
	struct client_reply r;

	(void)state;
	ask("hi", ",\"max_token\":7", KEY, &r);
	assert_int_equal(r.status, 400);
	expect_at(r.json, "error.type", "invalid_request_error");
	expect_at(r.json, "error.code", "unknown_parameter");
	expect_at(r.json, "error.param", "max_token");
	client_reply_clear(&r);
	expect_verdict("model", "refused");
	client_send(
	    &(struct client_request){.url = at("/v1/chat/completions"), .header = KEY, .body = "{\"model\":"},
	    &r);
	assert_int_equal(r.status, 400);
	client_reply_clear(&r);
	expect_verdict("model", "refused");
}

static void a_request_may_be_too_long(void **state)
{
	struct client_reply r;

	(void)state;
	json_object_put(control("settings", "{\"model\":{\"context_tokens\":40}}"));
	ask("hi", "", KEY, &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
	ask("this one is quite a bit longer than the other was, and so it does not fit into so small a "
	    "window, does it?",
	    "", KEY, &r);
	assert_int_equal(r.status, 400);
	expect_at(r.json, "error.code", "context_length_exceeded");
	client_reply_clear(&r);
	expect_verdict("model", "ok");
}

/* 4 x 4 pixels, and a text chunk that nobody sees. */
static void an_image_counts_by_its_pixels_not_by_its_base64(void **state)
{
	static const unsigned char head[] = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x04\0\0\0\x04\x08\x02\0\0\0";
	struct buf png = BUF_INIT, more = BUF_INIT;
	struct client_reply r;

	(void)state;
	buf_add(&png, (const char *)head, sizeof(head) - 1);
	while (png.len < 300000)
		buf_addch(&png, 'x');
	struct buf coded = BUF_INIT;
	base64_encode(&coded, png.data, png.len);
	buf_addf(&more,
	    "{\"model\":\"scripted\",\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
	    "\"text\":"
	    "\"hi\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"data:image/png;base64,%s\"}}]}]}",
	    coded.data);
	json_object_put(control("settings", "{\"model\":{\"context_tokens\":200}}"));
	client_send(
	    &(struct client_request){.url = at("/v1/chat/completions"), .header = KEY, .body = more.data},
	    &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
	buf_clear(&coded);
	buf_clear(&png);
	buf_clear(&more);
}

static void the_script_may_order_an_error(void **state)
{
	struct client_reply r;

	(void)state;
	ask("rate limit", ",\"stream\":true", KEY, &r);
	assert_int_equal(r.status, 429);
	expect_at(r.json, "error.code", "rate_limit_exceeded");
	assert_non_null(strcasestr(r.head, "\r\nretry-after: 2\r\n"));
	client_reply_clear(&r);
}

static void a_stream_can_be_cut_and_spoiled(void **state)
{
	struct client_reply r;

	(void)state;
	json_object_put(control("fault", "{\"platform\":\"model\",\"kind\":\"cut\",\"at_byte\":900}"));
	ask("count to 50", ",\"stream\":true", KEY, &r);
	assert_int_equal(r.status, 0);
	assert_int_equal(r.len, 900);
	client_reply_clear(&r);
	json_object_put(control(
	    "fault", "{\"platform\":\"model\",\"method\":\"chat.completions\",\"kind\":\"garbage\"}"));
	ask("count to 50", ",\"stream\":true", KEY, &r);
	assert_int_equal(r.status, 200);
	assert_null(strstr(r.body, "[DONE]"));
	client_reply_clear(&r);
	json_object_put(control("fault", "{\"platform\":\"model\",\"kind\":\"status\",\"status\":503}"));
	ask("hi", "", KEY, &r);
	assert_int_equal(r.status, 503);
	expect_at(r.json, "error.type", "server_error");
	client_reply_clear(&r);
	ask("hi", "", KEY, &r);
	assert_int_equal(r.status, 200);
	client_reply_clear(&r);
}

#define PART(name, more, value) \
	"--x\r\nContent-Disposition: form-data; name=\"" name "\"" more "\r\n\r\n" value "\r\n"
#define SOUND(name, bytes) PART("file", "; filename=\"" name "\"\r\nContent-Type: audio/ogg", bytes)
#define WHISPER            PART("model", "", "whisper-1")

static struct json_object *transcribe(int status, const char *parts)
{
	char *body = xasprintf("%s--x--\r\n", parts);
	struct client_reply r;
	struct json_object *o;

	client_send(&(struct client_request){.url = at("/v1/audio/transcriptions"),
			.body = body,
			.header = KEY,
			.content_type = "multipart/form-data; boundary=x"},
	    &r);
	if (r.status != status)
		fail_msg("answered %d, not %d: %s", r.status, status, r.body);
	o = json_object_get(r.json);
	client_reply_clear(&r);
	free(body);
	return o;
}

static void sound_becomes_text(void **state)
{
	(void)state;
	expect_once(transcribe(200, SOUND("v.ogg", "OggSwhat is 6*7") WHISPER), "text", "what is 6*7");
	expect_once(transcribe(200, SOUND("v.ogg", "OggSwhat is 6*7") WHISPER), "usage.type", "duration");
	expect_once(transcribe(200, SOUND("v.ogg", "OggSwhat is 6*7") PART("model", "", "gpt-4o-transcribe")),
	    "usage.type", "tokens");
	expect_once(transcribe(200, SOUND("v.oga", "hello") WHISPER PART("response_format", "", "json")),
	    "text", "hello");
	expect_once(transcribe(200, SOUND("v.mp3", "\xff\xfe\xfd") WHISPER), "text", "(sound of 3 bytes)");
	expect_verdict("model", "ok");
}

static void forms_without_sound_are_refused(void **state)
{
	struct client_reply r;

	(void)state;
	expect_once(transcribe(400, WHISPER), "error.param", "file");
	expect_once(transcribe(400, SOUND("v.ogg", "x")), "error.param", "model");
	expect_once(transcribe(400, SOUND("v.txt", "x") WHISPER), "error.param", "file");
	expect_once(transcribe(400, SOUND("v.ogg", "") WHISPER), "error.param", "file");
	expect_once(transcribe(400, SOUND("v.ogg", "x") WHISPER PART("speed", "", "2")), "error.code",
	    "unknown_parameter");
	expect_verdict("model", "refused");
	client_send(
	    &(struct client_request){.url = at("/v1/audio/transcriptions"), .body = "{}", .header = KEY}, &r);
	assert_int_equal(r.status, 400);
	client_reply_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(a_whole_answer_has_the_form_of_the_api, fixture_reset),
	    cmocka_unit_test_setup(a_stream_brings_the_same_in_pieces, fixture_reset),
	    cmocka_unit_test_setup(a_long_stream_is_whole, fixture_reset),
	    cmocka_unit_test_setup(a_stream_takes_its_time, fixture_reset),
	    cmocka_unit_test_setup(a_limit_of_tokens_cuts_the_answer, fixture_reset),
	    cmocka_unit_test_setup(keys_are_wanted, fixture_reset),
	    cmocka_unit_test_setup(wrong_requests_are_refused_and_recorded, fixture_reset),
	    cmocka_unit_test_setup(a_request_may_be_too_long, fixture_reset),
	    cmocka_unit_test_setup(an_image_counts_by_its_pixels_not_by_its_base64, fixture_reset),
	    cmocka_unit_test_setup(the_script_may_order_an_error, fixture_reset),
	    cmocka_unit_test_setup(a_stream_can_be_cut_and_spoiled, fixture_reset),
	    cmocka_unit_test_setup(sound_becomes_text, fixture_reset),
	    cmocka_unit_test_setup(forms_without_sound_are_refused, fixture_reset),
	};

	return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
