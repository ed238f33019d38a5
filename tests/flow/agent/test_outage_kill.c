/*
 * The gateway is killed while no model answers and turns wait, and at points of its system calls while it
 * gets there and while they go on: one careful try at a time asks for all of them, and each message is
 * answered once. MYNA_KILL_POINTS (of the crash tests) / 100 points.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "crash/random.h"
#include "flow/flow.h"
#include "flow/kill.h"

#define POINTS 4
/* Requests of one try: it may be the request's fault, and is made again. On a slow machine the next try is
 * due. */
#define TRY_REQUESTS 3
#define TRIES        2
#define NOTICE       "I keep your message"

static const char script[] =
    "{\"rules\": [{\"when\": \"ask ([a-z0-9]+)\", \"steps\": [{\"text\": \"Answer to {{1}}.\"}]}], "
    "\"else\": {\"steps\": [{\"text\": \"What?\"}]}}";

static const char *const chats[] = {"77", "78", "79", "80", "81"};

static struct flow f;
static size_t deaths;

static size_t count_of(const char *chat, const char *text)
{
	size_t n = 0, count = flow_bot_messages(&f, chat);

	for (size_t i = 0; i < count; i++) {
		char *said = flow_bot_text(&f, chat, i);
		n += said && strstr(said, text);
		free(said);
	}
	return n;
}

static size_t count_in_log(const char *text)
{
	char *log = flow_log(&f);
	size_t n = 0;

	for (const char *at = log; (at = strstr(at, text)); at++)
		n++;
	free(log);
	return n;
}

static void break_model(void)
{
	json_object_put(flow_control(
	    &f, "fault", "{\"platform\":\"model\",\"method\":\"*\",\"count\":-1,\"kind\":\"close\"}"));
}

static void mend_model(void)
{
	json_object_put(flow_control(&f, "faults/clear", "{\"platform\":\"model\"}"));
}

static void ask_all(size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(chats); i++) {
		char *text = xasprintf("ask word%zuof%s", n, chats[i]);
		flow_say(&f, chats[i], chats[i], text, "private");
		free(text);
	}
}

static bool is_dead(void)
{
	return kill_has_died(&f, &deaths) || f.gateway == 0;
}

/* Waits until each chat has been told that it waits; false: the gateway died before. */
static bool all_wait(const size_t *before)
{
	for (size_t i = 0; i < ARRAY_LEN(chats); i++)
		for (uint64_t due = flow_deadline(); count_of(chats[i], NOTICE) <= before[i];) {
			if (is_dead())
				return false;
			flow_look(&f, due, "chat %s was not told that it waits", chats[i]);
		}
	return !is_dead();
}

static void await_answers(size_t n, uint64_t at)
{
	for (size_t i = 0; i < ARRAY_LEN(chats); i++) {
		char *text = xasprintf("Answer to word%zuof%s.", n, chats[i]);
		for (uint64_t due = flow_deadline(); count_of(chats[i], text) == 0;)
			flow_look(&f, due, "%s: no \"%s\", killed at point %llu", chats[i], text,
			    (unsigned long long)at);
		free(text);
	}
}

static bool is_answered(size_t n)
{
	for (size_t i = 0; i < ARRAY_LEN(chats); i++) {
		char *text = xasprintf("Answer to word%zuof%s.", n, chats[i]);
		bool found = count_of(chats[i], text) > 0;
		free(text);
		if (!found)
			return false;
	}
	return true;
}

/* Repeats say so. */
static void check_answers(size_t n, uint64_t at)
{
	for (size_t i = 0; i < ARRAY_LEN(chats); i++) {
		char *text = xasprintf("Answer to word%zuof%s.", n, chats[i]);
		size_t all = count_of(chats[i], text);
		free(text);
		text = xasprintf("Answer to word%zuof%s.\n\n(may be a repeat)", n, chats[i]);
		size_t marked = count_of(chats[i], text);
		free(text);
		if (all - marked > 1 || all > 2)
			fail_msg("chat %s has %zu answers of which %zu are marked, killed at point %llu",
			    chats[i], all, marked, (unsigned long long)at);
	}
}

/* All that waited go on waiting, while one of them asks. */
static void restart_in_outage(void)
{
	size_t resumed = count_in_log("going on with turn"), waits = count_in_log("the turn waits:"),
	       requests = flow_model_requests(&f);

	flow_gateway(&f, true);
	flow_until(&f, count_in_log("going on with turn") >= resumed + ARRAY_LEN(chats));
	flow_until(&f, count_in_log("the turn waits:") >= waits + ARRAY_LEN(chats));
	size_t made = flow_model_requests(&f) - requests;
	if (made > TRIES * TRY_REQUESTS)
		fail_msg("%zu requests while the model rests", made);
	assert_int_equal(flow_gateway_end(&f, SIGKILL), -SIGKILL);
}

/* The last point before all wait, and the last one before all that waited are answered. */
struct points {
	uint64_t wait, answer;
};

/* at: 0: killed when all wait. again: in the start after it, when the model answers; 0: not killed. */
static struct points die_at(struct points at, enum shim_mode mode, size_t n)
{
	size_t before[ARRAY_LEN(chats)];
	struct points last = {0};

	for (size_t i = 0; i < ARRAY_LEN(chats); i++)
		before[i] = count_of(chats[i], NOTICE);
	break_model();
	kill_run(&f, at.wait, mode);
	ask_all(n);
	bool wait = all_wait(before);
	last.wait = kill_last_point(&f);
	flow_gateway_end(&f, SIGKILL);
	if (wait)
		restart_in_outage();
	mend_model();
	kill_run(&f, at.answer, mode);
	if (at.answer == 0)
		await_answers(n, 0);
	last.answer = kill_last_point(&f);
	for (uint64_t due = flow_deadline(); at.answer > 0 && !is_dead() && !is_answered(n);)
		flow_look(&f, due, "neither killed nor done, at point %llu", (unsigned long long)at.answer);
	flow_gateway_end(&f, SIGKILL);
	flow_gateway(&f, true);
	await_answers(n, at.wait);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	check_answers(n, at.wait);
	return last;
}

static void killed_anywhere_each_is_answered_once_by_one_careful_try_at_a_time(void **state)
{
	size_t count = kill_count(POINTS);
	uint64_t seed = 7;

	(void)state;
	/* The first start makes a database, which no later one does. */
	flow_gateway(&f, true);
	ask_all(0);
	await_answers(0, 0);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	const struct points last = die_at((struct points){0}, SHIM_BEFORE, 1);
	assert_true(last.wait > 20 && last.answer > 20);
	for (size_t n = 0; n < count; n++) {
		/* Every other one is killed while it rests. */
		const struct points at = {n % 2 == 0 ? 0 : 1 + random_below(&seed, last.wait),
		    1 + (n * last.answer + random_below(&seed, last.answer)) / count};
		die_at(at, (enum shim_mode)(n % 3), n + 2);
	}
	printf("# points %zu, of %llu and %llu\n", deaths, (unsigned long long)last.wait,
	    (unsigned long long)last.answer);
	assert_true(deaths > 0);
}

static int begin(void **state)
{
	(void)state;
	flow_start_script(&f, script);
	flow_config(&f, "",
	    "allow = [\"*\"]; admins = [\"77\"]; previews = false; rate_global = 0; rate_private = 0;");
	json_object_put(flow_control(&f, "settings", "{\"telegram\":{\"limits\":false}}"));
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(killed_anywhere_each_is_answered_once_by_one_careful_try_at_a_time, begin, &f),
	};

	return cmocka_run_group_tests_name("outage_kill", tests, NULL, NULL);
}
