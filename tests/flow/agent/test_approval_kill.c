/*
 * The gateway is killed at points of its system calls while a call waits for a yes and runs: nothing is sent
 * before the yes is there, what was allowed is sent at most once, and the chat gets its answer.
 * MYNA_KILL_POINTS (of the crash tests) / 100 points.
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

#define POINTS 5
/* Of one that does not die by itself. */
#define PATIENCE_MS 4000

static struct flow f;
static size_t deaths;

/* Messages of the bot in the chat with this text; *id: of the last of them with buttons, malloc'd, NULL:
 * none. */
static size_t count_of(const char *chat, const char *text, char **id)
{
	struct json_object *said = flow_said(&f, "telegram", chat, text);
	size_t n = json_object_array_length(said);

	for (size_t i = 0; id && i < n; i++) {
		struct json_object *m = json_object_array_get_idx(said, i);
		if (json_object_array_length(json_get_array(m, "buttons")) != 2)
			continue;
		free(*id);
		*id = xstrdup(json_get_str(m, "id"));
	}
	json_object_put(said);
	return n;
}

static void ask(const char *word)
{
	char *text = xasprintf("tell ops that %s", word);

	flow_say(&f, "78", "78", text, "private");
	free(text);
}

static bool is_dead(void)
{
	return kill_has_died(&f, &deaths) || f.gateway == 0;
}

/* Presses Allow of the question about word as soon as it is there; false: not before the time was over, or
 * the gateway died. */
static bool allow(const char *word, uint64_t until)
{
	char *id = NULL;

	while (count_of("78", word, &id) + 1 > 0 && !id && flow_now_ms() < until && !is_dead())
		usleep(5000);
	if (id)
		flow_press(&f, "telegram", "78", "78", id, "Allow");
	bool pressed = id;
	free(id);
	return pressed;
}

static bool is_answered(size_t before)
{
	return count_of("78", "To ops", NULL) + count_of("78", "outcome is unknown", NULL) > before;
}

static void await_answer(size_t before, uint64_t at)
{
	for (uint64_t due = flow_deadline(); !is_answered(before);)
		flow_look(&f, due, "no answer after point %llu", (unsigned long long)at);
}

/* How many points a conversation has, from the start of the gateway to the answer. */
static uint64_t count_points(void)
{
	uint64_t last;

	/* The first start makes a database, which no later one does. */
	flow_gateway(&f, true);
	flow_say(&f, "5", "5", "hello", "private");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	kill_run(&f, 0, SHIM_BEFORE);
	flow_gateway_await(&f, true);
	ask("first");
	assert_true(allow("first", flow_deadline()));
	await_answer(0, 0);
	last = kill_last_point(&f);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(count_of("5", "first", NULL), 1);
	return last;
}

static void die_at(uint64_t at, enum shim_mode mode, size_t n)
{
	char *word = xasprintf("word%zu", n);
	size_t before = count_of("78", "To ops", NULL) + count_of("78", "outcome is unknown", NULL);

	kill_run(&f, at, mode);
	ask(word);
	bool pressed = allow(word, flow_now_ms() + PATIENCE_MS);
	for (uint64_t until = flow_now_ms() + PATIENCE_MS;
	     pressed && flow_now_ms() < until && !is_answered(before) && !is_dead();)
		usleep(5000);
	if (!pressed)
		assert_int_equal(count_of("5", word, NULL), 0);
	flow_gateway_end(&f, SIGKILL);
	flow_gateway(&f, true);
	if (!pressed) {
		assert_int_equal(count_of("5", word, NULL), 0);
		assert_true(allow(word, flow_deadline()));
	}
	await_answer(before, at);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	size_t sent = count_of("5", word, NULL);
	if (sent > 1 || (sent == 0 && count_of("78", "outcome is unknown", NULL) == 0))
		fail_msg("sent %zu times, killed %s point %llu", sent, (const char *[])SHIM_MODE_NAMES[mode],
		    (unsigned long long)at);
	free(word);
}

static void killed_anywhere_what_is_allowed_is_done_once_and_nothing_else(void **state)
{
	size_t points = kill_count(POINTS);
	uint64_t seed = 11;

	(void)state;
	flow_config(&f, "targets: { ops = [\"telegram:5\"]; }; approvals: { ask = [\"message\"]; };",
	    "admins = [\"78\"]; preview_after = \"0 s\";");
	uint64_t last = count_points();
	assert_true(last > 20);
	for (size_t n = 0; n < points; n++)
		/* Spread over all of the conversation. */
		die_at(1 + (n * last + random_below(&seed, last)) / points, (enum shim_mode)(n % 3), n);
	printf("# %zu calls, %zu deaths at points 1 to %llu\n", points, deaths, (unsigned long long)last);
	assert_true(deaths > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(killed_anywhere_what_is_allowed_is_done_once_and_nothing_else, flow_begin, &f),
	};

	return cmocka_run_group_tests_name("approval_kill", tests, NULL, NULL);
}
