#include "llm/formats/formats.h"
#include "tests/lib/stage.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json/json.h"
#include "net/http/http.h"
#include "net/loop.h"
#include "tests/fault/proxy.h"
#include "tests/lib/sample.h"
#include "tests/lib/client.h"

/*
 * The real agent and the real wire format, and the playground's model as a process of its own behind the
 * fault proxy. Each point is a chat of its own, so that many wait out their retries at the same time.
 */

#define METHOD     "completions"
#define AT_ONCE    60
#define POINTS_MAX 8000

/* The model calls a tool that writes, and answers when it has seen the result. */
static const char script[] =
    "{\"delay_ms\":0,\"chunk\":14,\"chunk_ms\":0,\"skip\":\"^\\\\[[^]\\n]*\\\\]\\n\",\"rules\":[{\"when\":"
    "\"touch (i[0-9]+e)\",\"steps\":[{\"calls\":[{\"name\":\"touch\",\"arguments\":{\"what\":\"{{1}}\"}}]},"
    "{\"text\":\"It is done: {{1}}.\"}]}],\"else\":{\"steps\":[{\"text\":\"I did not expect that.\"}]}}";

static struct client_program playground;
static struct proxy *proxy;
static size_t points;
static char names[AT_ONCE][16];

static void start_playground(void)
{
	static char path[512], file[] = "/tmp/myna-fault-script-XXXXXX";
	const char *build = getenv("MYNA_BUILD"), *journal = getenv("MYNA_MODEL_JOURNAL");
	int fd = mkstemp(file);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, script, sizeof(script) - 1), sizeof(script) - 1);
	close(fd);
	snprintf(path, sizeof(path), "%s/myna-playground", build ? build : ".");
	client_start(&playground,
	    (const char *const[]){path, "--listen", "127.0.0.1:0", "--script", file,
		journal ? "--journal" : NULL, journal, NULL});
	unlink(file);
}

static void count(const char *text, const char *what, const char *where)
{
	const char *first = strstr(text, what);

	if (!first)
		fail_msg("%s is missing in what was %s: %.300s", what, where, text);
	if (strstr(first + 1, what))
		fail_msg("%s was %s twice", what, where);
}

/* Each was answered once and whole, and its tool has run once. */
static void judge(struct stage *st, size_t chats)
{
	for (size_t i = 0; i < chats; i++) {
		char shown[64], ran[32];

		snprintf(shown, sizeof(shown), ": It is done: %.15s.\n", names[i]);
		snprintf(ran, sizeof(ran), "+%.15s ", names[i]);
		count(st->shown.data, shown, "shown");
		count(st->ran.data, ran, "done");
	}
	assert_int_equal(stage_lines(&st->shown), chats);
	buf_reset(&st->shown);
	buf_reset(&st->ran);
	buf_reset(&st->log);
}

/* Cuts the request that gets the tool called and the one that brings its result, when each is sent first. */
static void add_cuts(const char *name, enum proxy_side side, size_t at, bool reset)
{
	struct proxy_fault cut = {.method = METHOD, .holds = name, .side = side, .at = at, .reset = reset};

	proxy_add(proxy, &cut);
	cut.skip = 1;
	proxy_add(proxy, &cut);
}

/* Points from *at on; false when that was behind the end of all. FIN and RST in turn. */
static bool batch(struct task *t, struct stage *st, enum proxy_side side, size_t step, size_t *at)
{
	size_t struck = proxy_struck(proxy);

	for (size_t i = 0; i < AT_ONCE; i++, *at += step) {
		snprintf(names[i], sizeof(names[i]), "i%05zue", points++);
		add_cuts(names[i], side, *at, *at / step % 2 != 0);
	}
	for (size_t i = 0; i < AT_ONCE; i++) {
		char *text = xasprintf("touch %s", names[i]);

		stage_say(t, st, names[i], text);
		free(text);
	}
	stage_await(t, st, AT_ONCE);
	stage_settle(t, st);
	judge(st, AT_ONCE);
	proxy_forget_faults(proxy);
	return proxy_struck(proxy) > struck;
}

/* Every request that came whole was one that a provider takes. */
static void judge_requests(void)
{
	char *url = xasprintf("%s/control/model", playground.url);
	struct json_object *o = client_get(url, 200), *list = json_get_array(o, "requests");

	assert_true(json_object_array_length(list) > 0);
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		struct json_object *request = json_object_array_get_idx(list, i);

		if (json_get_int(request, "status", 0) == 200)
			assert_string_equal(json_get_str(request, "verdict"), "ok");
	}
	json_object_put(o);
	free(url);
}

static void turns(struct task *t, struct stage *st)
{
	const size_t answer_step = sample_step(1, PROXY_SAMPLE), request_step = sample_step(47, PROXY_SAMPLE);
	size_t in_answer = 0, in_request = 0;
	char *base;

	proxy = proxy_new(playground.url);
	base = xasprintf("%s/v1", proxy_url(proxy));
	st->providers[0].ops = llm_format_find("openai-chat");
	st->providers[0].settings.base_url = base;
	st->providers[0].settings.key = "sk-of-the-test";
	st->providers[0].settings.model = (char *)(uintptr_t) "scripted";
	st->providers[0].settings.idle_ms = 20000;
	while (batch(t, st, PROXY_ANSWER, answer_step, &in_answer))
		assert_true(points < POINTS_MAX);
	while (batch(t, st, PROXY_REQUEST, request_step, &in_request))
		assert_true(points < POINTS_MAX);
	/* The last batch of each was behind the end. */
	assert_true(in_answer > 500 + AT_ONCE * answer_step && in_request > 2000 + AT_ONCE * request_step);
	judge_requests();
	printf("# turns: %zu, faults %zu, each answered once, each call run once\n", points,
	    proxy_struck(proxy));
	stage_close(t, st);
	proxy_free(t, proxy);
	stage_open(t, st);
	free(base);
}

static void a_turn_is_answered_once_whatever_byte_of_the_model_is_cut(void **state)
{
	(void)state;
	loop_init();
	start_playground();
	stage_run(turns);
	http_finish();
	loop_finish();
	assert_int_equal(client_stop(&playground, SIGTERM), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_turn_is_answered_once_whatever_byte_of_the_model_is_cut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
