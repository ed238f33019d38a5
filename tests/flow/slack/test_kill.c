/*
 * The gateway is killed at points of its system calls while it answers in Slack, in a thread and in direct
 * messages: every question is answered, once, and nothing is marked as a repeat, because what was cut off
 * while it was sent is looked for. MYNA_KILL_POINTS (of the crash tests) / 100 points.
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

#define POINTS 6
/* Of one that does not die by itself. */
#define PATIENCE_MS 4000

static struct flow f;
static size_t deaths;

static void configure(void)
{
	flow_config_channels(
	    &f, "", "", "allow = [\"*\"]; preview_after = \"0 ms\"; rate_chat = 0; rate_global = 0;", NULL);
	/* Slack itself tries again after a minute. */
	json_object_put(
	    flow_control(&f, "settings", "{\"slack\":{\"limits\":false,\"retry_ms\":[0,1500,10000]}}"));
}

/* Messages of the bot with this text that are finished. */
static size_t count_of(const char *chat, const char *text)
{
	return flow_count_said_on(&f, "slack", chat, text);
}

/* Nothing of the bot's is unfinished. */
static bool is_finished(const char *chat)
{
	return count_of(chat, "…") == 0;
}

static void ask(const char *chat, const char *text)
{
	bool private = strcmp(chat, "ann") == 0;
	char *words = xasprintf("%s%s", private ? "" : "@bot ", text);

	flow_say_on(&f, "slack", chat, "ann", words, private ? "private" : "group");
	free(words);
}

static void await_answer(const char *chat, const char *text, uint64_t at)
{
	for (uint64_t due = flow_deadline(); count_of(chat, text) == 0 || !is_finished(chat);)
		flow_look(&f, due, "lost at point %llu: \"%s\" in %s", (unsigned long long)at, text, chat);
}

/* How many points a conversation has, from the start of the gateway to the answer. */
static uint64_t count_points(void)
{
	uint64_t last;

	/* The first start makes a database, which no later one does. */
	flow_gateway(&f, true);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	kill_run(&f, 0, SHIM_BEFORE);
	flow_gateway_await(&f, true);
	ask("general", "what is 7*100000");
	await_answer("general", "700000", 0);
	last = kill_last_point(&f);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	return last;
}

static void die_at(uint64_t at, enum shim_mode mode, size_t n)
{
	const char *chat = n % 3 == 2 ? "ann" : "general";
	char question[40], answer[24];

	snprintf(question, sizeof(question), "what is %zu*1000", n + 101);
	snprintf(answer, sizeof(answer), "%zu000", n + 101);
	kill_run(&f, at, mode);
	ask(chat, question);
	for (uint64_t until = flow_now_ms() + PATIENCE_MS;
	     flow_now_ms() < until && count_of(chat, answer) == 0; usleep(5000))
		if (kill_has_died(&f, &deaths))
			break;
	flow_gateway_end(&f, SIGKILL);
	flow_gateway(&f, true);
	await_answer(chat, answer, at);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	if (count_of(chat, answer) != 1)
		fail_msg("said %zu times, killed %s point %llu", count_of(chat, answer),
		    (const char *[])SHIM_MODE_NAMES[mode], (unsigned long long)at);
	assert_int_equal(count_of(chat, "may be a repeat"), 0);
}

static void killed_anywhere_every_question_is_answered_once(void **state)
{
	size_t points = kill_count(POINTS);
	uint64_t seed = 7;

	(void)state;
	configure();
	uint64_t last = count_points();
	assert_true(last > 20);
	for (size_t n = 0; n < points; n++)
		/* Spread over all of the conversation. */
		die_at(1 + (n * last + random_below(&seed, last)) / points, (enum shim_mode)(n % 3), n);
	printf("# %zu questions, %zu deaths at points 1 to %llu\n", points, deaths, (unsigned long long)last);
	assert_true(deaths > 0);
}

/* The gateway is killed before it knows the id of what it has posted. */
static void a_beginning_that_tells_nobody_its_id_becomes_the_answer(void **state)
{
	(void)state;
	configure();
	flow_gateway(&f, true);
	/* After the greeting. */
	ask("ann", "what is 2*21000");
	await_answer("ann", "42000", 0);
	json_object_put(flow_control(
	    &f, "fault", "{\"platform\":\"model\",\"method\":\"*\",\"kind\":\"slow\",\"token_ms\":500}"));
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"slack\",\"method\":\"chat.postMessage\",\"kind\":\"cut\",\"at_byte\":1}"));
	json_object_put(flow_control(&f, "fault",
	    "{\"platform\":\"slack\",\"method\":\"conversations.history\",\"kind\":\"stall\",\"seconds\":"
	    "60}"));
	ask("ann", "what is 7*100000");
	for (uint64_t due = flow_deadline(); is_finished("ann");)
		flow_look(&f, due, "nothing is posted");
	flow_gateway_end(&f, SIGKILL);
	json_object_put(flow_control(&f, "faults/clear", "{}"));
	flow_gateway(&f, true);
	await_answer("ann", "700000", 0);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(count_of("ann", "700000"), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(killed_anywhere_every_question_is_answered_once, flow_begin, &f),
	    FLOW_TEST(a_beginning_that_tells_nobody_its_id_becomes_the_answer, flow_begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
