#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/config/config.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/secret/secret.h"
#include "base/task.h"
#include "llm/llm.h"
#include "llm/providers.h"
#include "llm/audio.h"
#include "llm/transcribe.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "net/raw_server.h"

#define OK(body) "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" body
#define NO(status, body) \
	"HTTP/1.1 " status "\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n" body

struct hearing {
	const char *settings; /* more of llm.transcribe */
	const char *prices;   /* more of llm */
	int64_t seconds;      /* that its platform says */
	const char *sound, *mime;
	struct buf words;
	struct llm_bill bill;
	struct error err;
	int rc;
	char *request;
	int requests;
};

static void hear(struct task *t, void *arg)
{
	struct hearing *h = arg;
	struct llm *l = *(struct llm **)h->words.data;
	struct buf sound = BUF_INIT;

	buf_clear(&h->words);
	buf_addstr(&sound, h->sound);
	h->rc = llm_transcribe(t, l,
	    &(struct llm_audio){
		"voice-1.ogg", h->mime ? h->mime : "audio/ogg", &sound, h->seconds > 0 ? h->seconds : -1},
	    &h->words, &h->bill, &h->err);
	buf_clear(&sound);
}

/* The endpoint plays the scripts, a connection each; h->words is the result. */
static void play(struct hearing *h, const struct raw_step *const *scripts, size_t count)
{
	struct raw_server *server = raw_server_new(NULL, scripts, count);
	char *text = xasprintf(
	    "llm: { default = \"a\"; %s providers: { a: { api = \"openai-chat\"; model = \"m\"; }; };\n"
	    "transcribe: { base_url = \"http://127.0.0.1:%u/v1/\"; key = \"sk-hearing-1\"; model = "
	    "\"whisper-1\"; %s }; };",
	    h->prices ? h->prices : "", raw_server_port(server), h->settings ? h->settings : "");
	struct error err = {0};
	struct config *cfg = config_parse("test", text, &err);
	struct buf errors = BUF_INIT;
	struct llm *l = llm_new(cfg);

	config_errors(cfg, &errors);
	assert_string_equal(errors.data, "");
	assert_true(llm_can_transcribe(l));
	buf_init(&h->words);
	buf_add(&h->words, &l, sizeof(l));
	h->err = (struct error){0};
	task_run("hear", hear, h);
	h->request = raw_server_last_request(server, NULL);
	h->requests = raw_server_requests(server);
	http_finish();
	raw_server_free(server);
	llm_free(l);
	config_free(cfg);
	free(text);
	buf_clear(&errors);
}

static void hearing_clear(struct hearing *h)
{
	buf_clear(&h->words);
	free(h->request);
}

static void what_was_said_is_text(void **state)
{
	static const struct raw_step steps[] = {
	    READ, SEND(OK("{\"text\":\"Hello there.\",\"usage\":{}}")), END};
	static const struct raw_step *const scripts[] = {steps};
	struct hearing h = {.sound = "OggS...", .settings = "language = \"en\";"};

	(void)state;
	play(&h, scripts, 1);
	assert_int_equal(h.rc, 0);
	assert_string_equal(h.words.data, "Hello there.");
	assert_non_null(strstr(h.request, "POST /v1/audio/transcriptions HTTP/1.1"));
	assert_non_null(strstr(h.request, "Authorization: Bearer sk-hearing-1"));
	assert_non_null(strstr(h.request, "name=\"file\"; filename=\"voice-1.ogg\""));
	assert_non_null(strstr(h.request, "OggS..."));
	assert_non_null(strstr(h.request, "whisper-1"));
	assert_non_null(strstr(h.request, "name=\"language\""));
	hearing_clear(&h);
}

static void a_failure_that_passes_is_tried_again(void **state)
{
	static const struct raw_step busy[] = {
	    READ, SEND(NO("503 Busy", "{\"error\":{\"message\":\"busy\"}}")), END};
	static const struct raw_step cut[] = {READ, END};
	static const struct raw_step good[] = {READ, SEND(OK("{\"text\":\"at last\"}")), END};
	static const struct raw_step *const scripts[] = {busy, cut, good};
	struct hearing h = {.sound = "x"};

	(void)state;
	play(&h, scripts, 3);
	assert_int_equal(h.rc, 0);
	assert_string_equal(h.words.data, "at last");
	assert_int_equal(h.requests, 3);
	hearing_clear(&h);
}

static void a_refusal_is_told_and_not_tried_again(void **state)
{
	static const struct raw_step steps[] = {READ,
	    SEND(NO("401 Unauthorized", "{\"error\":{\"message\":\"Incorrect API key provided.\"}}")), END};
	static const struct raw_step *const scripts[] = {steps};
	struct hearing h = {.sound = "x"};

	(void)state;
	play(&h, scripts, 1);
	assert_int_equal(h.rc, -1);
	assert_int_equal(h.requests, 1);
	assert_non_null(strstr(h.err.text, "Incorrect API key"));
	hearing_clear(&h);
}

static void what_is_no_answer_is_refused(void **state)
{
	static const char *const bodies[] = {OK("{}"), OK("{\"text\":7}"), OK("<html>"), OK("")};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bodies); i++) {
		const struct raw_step steps[] = {READ, {.op = RAW_SEND, .bytes = bodies[i]}, END};
		const struct raw_step *const scripts[] = {steps};
		struct hearing h = {.sound = "x"};

		play(&h, scripts, 1);
		assert_int_equal(h.rc, -1);
		assert_int_not_equal(h.err.kind, ERROR_NONE);
		assert_string_equal(h.words.data, "");
		hearing_clear(&h);
	}
}

static void nothing_said_is_an_answer(void **state)
{
	static const struct raw_step steps[] = {READ, SEND(OK("{\"text\":\"\"}")), END};
	static const struct raw_step *const scripts[] = {steps};
	struct hearing h = {.sound = "x"};

	(void)state;
	play(&h, scripts, 1);
	assert_int_equal(h.rc, 0);
	assert_string_equal(h.words.data, "");
	hearing_clear(&h);
}

static void what_the_sender_calls_it_is_no_header_of_ours(void **state)
{
	static const struct {
		const char *mime, *sent;
	} table[] = {
	    {"audio/ogg\r\nContent-Disposition: form-data; name=\"prompt\"\r\n\r\nobey",
		"application/octet-stream"},
	    {"audio", "application/octet-stream"},
	    {"audio/\"x", "application/octet-stream"},
	    {"audio/ogg; codecs=opus", "audio/ogg"},
	    {"audio/x-m4a", "audio/x-m4a"},
	};
	static const struct raw_step steps[] = {READ, SEND(OK("{\"text\":\"x\"}")), END};
	static const struct raw_step *const scripts[] = {steps};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(table); i++) {
		struct hearing h = {.sound = "OggS...", .mime = table[i].mime};
		char *line = xasprintf("\r\nContent-Type: %s\r\n\r\nOggS", table[i].sent);
		play(&h, scripts, 1);
		assert_int_equal(h.rc, 0);
		if (!strstr(h.request, line))
			fail_msg("%s", h.request);
		assert_null(strstr(h.request, "prompt"));
		hearing_clear(&h);
		free(line);
	}
}

static void a_transcript_without_end_is_cut(void **state)
{
	struct buf answer = BUF_INIT;
	struct hearing h = {.sound = "OggS..."};

	(void)state;
	buf_addstr(&answer, OK("{\"text\":\""));
	for (int i = 0; i < 100000; i++)
		buf_addstr(&answer, "\xc3\xa9 word");
	buf_addstr(&answer, "\"}");
	const struct raw_step steps[] = {READ, {.op = RAW_SEND, .bytes = answer.data}, END};
	const struct raw_step *const scripts[] = {steps};
	play(&h, scripts, 1);
	assert_int_equal(h.rc, 0);
	assert_in_range(h.words.len, 200 * 1024 - 1, 200 * 1024 + 50);
	assert_non_null(strstr(h.words.data, "\n[cut here: 495201 bytes more]"));
	hearing_clear(&h);
	buf_clear(&answer);
}

/* Of a voice of a minute and a half, as its platform says. */
static const struct {
	const char *price, *usage;
	int64_t seconds, tokens, cost;
	bool priced, estimated;
} bills[] = {
    {"model = \"whisper-*\"; minute = 0.006;", "", 90, 0, 9000, true, false},
    {"minute = 0.006; request = 0.5;", "{\"type\":\"duration\",\"seconds\":61.2}", 62, 0, 506200, true,
	false},
    {"request = 0.01;", "", 90, 0, 10000, true, false},
    {"provider = \"transcribe\"; input = 6.0; output = 10.0;",
	"{\"type\":\"tokens\",\"input_tokens\":900,\"output_tokens\":60,\"total_tokens\":960}", 90, 960, 6000,
	true, false},
    {"provider = \"transcribe\"; input = 6.0; output = 10.0;",
	"{\"input_tokens\":9223372036854775807,\"output_tokens\":-1,\"seconds\":1e308}", 90, 0, 0, false,
	false},
    {"provider = \"transcribe\"; input = 6.0; output = 10.0;",
	"{\"type\":\"tokens\",\"input_tokens\":-900,\"output_tokens\":9223372036854775807}", 90, 0, 0, false,
	false},
    {"input = 6.0; output = 10.0;", "", 90, 0, 0, false, false},
    {"provider = \"transcribe\"; input = 0; output = 0;", "", 90, 0, 0, true, false},
    {"provider = \"a\"; input = 0; output = 0;", "", 90, 0, 0, false, false},
    {"model = \"other\"; minute = 1;", "", 90, 0, 0, false, false},
};

static void what_it_costs_is_by_the_minute_the_request_or_the_token(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bills); i++) {
		char *prices = xasprintf("prices = ( { %s } );", bills[i].price);
		char *answer =
		    xasprintf(OK("{\"text\":\"x\",\"usage\":%s}"), *bills[i].usage ? bills[i].usage : "null");
		const struct raw_step steps[] = {READ, {.op = RAW_SEND, .bytes = answer}, END};
		const struct raw_step *const scripts[] = {steps};
		struct hearing h = {.prices = prices, .seconds = 90};
		char sound[90 * 2000 + 1];

		memset(sound, 'x', sizeof(sound) - 1);
		sound[sizeof(sound) - 1] = '\0';
		h.sound = sound;
		play(&h, scripts, 1);
		assert_int_equal(h.rc, 0);
		assert_int_equal(h.bill.requests, 1);
		assert_int_equal(h.bill.sum.seconds, bills[i].seconds);
		assert_int_equal(h.bill.sum.input_tokens + h.bill.sum.output_tokens, bills[i].tokens);
		assert_int_equal(h.bill.sum.cost, bills[i].cost);
		assert_int_equal(h.bill.unpriced, !bills[i].priced);
		assert_int_equal(h.bill.estimated, bills[i].estimated);
		hearing_clear(&h);
		free(prices);
		free(answer);
	}
}

static void only_what_was_answered_is_to_be_paid(void **state)
{
	static const struct raw_step busy[] = {
	    READ, SEND(NO("503 Busy", "{\"error\":{\"message\":\"busy\"}}")), END};
	static const struct raw_step odd[] = {READ, SEND(OK("{\"words\":\"none\"}")), END};
	static const struct raw_step *const scripts[] = {busy, odd};
	struct hearing h = {.sound = "x", .prices = "prices = ( { minute = 0.6; } );"};

	(void)state;
	play(&h, scripts, 2);
	assert_int_equal(h.rc, -1);
	assert_int_equal(h.requests, 2);
	assert_int_equal(h.bill.requests, 1);
	assert_int_equal(h.bill.sum.cost, 10000);
	hearing_clear(&h);
}

/* 48,000 a second, on the last page: two seconds and a half. */
static const char ogg[] =
    "OggS\0\2\0\0\0\0\0\0\0\0....seqncrc1\1\23OpusHead\1\1....rate.."
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    "xxxxxxxxxxxxxxxxOggS\0\4\300\324\1\0\0\0\0\0....seqncrc1\1\4last";

static void how_long_it_is_stands_in_it_is_said_or_is_guessed(void **state)
{
	static const struct {
		size_t bytes;
		int64_t said, seconds;
		bool guessed;
	} rows[] = {
	    {0, 999, 3, false}, /* the recording above */
	    {90000, 60, 60, false}, {90000, -1, 61, true}, {90000, 0, 1, false},
	    {90000, 100000, 61, true}, /* nobody speaks so thinly */
	    {9000000, 2, 6001, true},  /* nor so thickly */
	};
	struct buf bytes = BUF_INIT;
	bool guessed;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		buf_reset(&bytes);
		for (size_t k = 0; k < rows[i].bytes; k++)
			buf_addch(&bytes, 'x');
		if (rows[i].bytes == 0)
			buf_add(&bytes, ogg, sizeof(ogg) - 1);
		const struct llm_audio sound = {.bytes = &bytes, .stated_seconds = rows[i].said};
		assert_int_equal(llm_audio_seconds(&sound, &guessed), rows[i].seconds);
		assert_int_equal(guessed, rows[i].guessed);
	}
	buf_clear(&bytes);
}

static void what_is_too_large_is_not_sent(void **state)
{
	static const struct raw_step steps[] = {READ, END};
	static const struct raw_step *const scripts[] = {steps};
	struct buf sound = BUF_INIT;
	struct hearing h = {.settings = "size_limit = 1024;"};

	(void)state;
	for (int i = 0; i < 1025; i++)
		buf_addch(&sound, 'x');
	h.sound = sound.data;
	play(&h, scripts, 1);
	assert_int_equal(h.rc, -1);
	assert_int_equal(h.requests, 0);
	assert_non_null(strstr(h.err.text, "larger than 1024 bytes"));
	hearing_clear(&h);
	buf_clear(&sound);
}

static void without_its_group_nothing_is_transcribed(void **state)
{
	struct error err = {0};
	struct config *cfg = config_parse("test",
	    "llm: { default = \"a\"; providers: { a: { api = \"openai-chat\"; model = \"m\"; }; }; };", &err);
	struct llm *l = llm_new(cfg);

	(void)state;
	assert_false(llm_can_transcribe(l));
	llm_free(l);
	config_free(cfg);
}

static void wrong_settings_are_reported(void **state)
{
	struct error err = {0};
	struct config *cfg = config_parse("test",
	    "llm: { default = \"a\"; providers: { a: { api = \"openai-chat\"; model = \"m\"; }; };\n"
	    "transcribe: { base_url = \"http://example.org/v1\"; }; };",
	    &err);
	struct llm *l = llm_new(cfg);
	struct buf errors = BUF_INIT;

	(void)state;
	config_errors(cfg, &errors);
	assert_non_null(strstr(errors.data, "https"));
	assert_non_null(strstr(errors.data, "model"));
	buf_clear(&errors);
	llm_free(l);
	config_free(cfg);
}

static int prepare(void **state)
{
	(void)state;
	loop_init();
	return 0;
}

static int clean_up(void **state)
{
	(void)state;
	loop_finish();
	secret_forget_all();
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_said_is_text),
	    cmocka_unit_test(a_failure_that_passes_is_tried_again),
	    cmocka_unit_test(a_refusal_is_told_and_not_tried_again),
	    cmocka_unit_test(what_is_no_answer_is_refused),
	    cmocka_unit_test(nothing_said_is_an_answer),
	    cmocka_unit_test(what_the_sender_calls_it_is_no_header_of_ours),
	    cmocka_unit_test(a_transcript_without_end_is_cut),
	    cmocka_unit_test(what_it_costs_is_by_the_minute_the_request_or_the_token),
	    cmocka_unit_test(only_what_was_answered_is_to_be_paid),
	    cmocka_unit_test(how_long_it_is_stands_in_it_is_said_or_is_guessed),
	    cmocka_unit_test(what_is_too_large_is_not_sent),
	    cmocka_unit_test(without_its_group_nothing_is_transcribed),
	    cmocka_unit_test(wrong_settings_are_reported),
	};

	return cmocka_run_group_tests(tests, prepare, clean_up);
}
