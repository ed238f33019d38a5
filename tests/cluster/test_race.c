/* Several nodes want the same: names, channels, reminders. Each is one's alone. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "cluster/ledger.h"
#include "cluster/nodes.h"
#include "crash/random.h"

static uint64_t seed;

/* How often the bot has said that in a chat of Telegram, with a mark or without. */
static size_t count_said(const char *chat, const char *text)
{
	size_t count = 0;
	char *said;

	for (size_t i = 0, all = flow_bot_messages(&platforms, chat); i < all; i++) {
		said = flow_bot_text(&platforms, chat, i);
		count += strstr(said, text) != NULL;
		free(said);
	}
	return count;
}

/* Two die at once, and what they served is free for the third; or one, and two race for it. */
static void racing_take_overs_give_each_channel_one_owner(void **state)
{
	(void)state;
	nodes_await_settled();
	for (size_t round = 0; round < 4; round++) {
		struct node *n = nodes_await_owner(round % SIDES), *second = NULL;

		nodes_await_quiet();
		nodes_kill(n);
		if (round % 2 == 1) {
			second = &nodes[(size_t)(n - nodes + 1) % NODES];
			nodes_kill(second);
		}
		ledger_ask_all();
		flow_run(&n->flow);
		if (second)
			flow_run(&second->flow);
		ledger_judge(0);
		nodes_await();
	}
}

/* The one that lives keeps its name, and its channels; when it is dead, the next one may come. */
static void a_name_belongs_to_one_process(void **state)
{
	struct node *n = nodes_await_owner(0), twin = *n;

	(void)state;
	nodes_await_settled();
	nodes_put_twin(&twin.flow, n);
	for (size_t round = 0; round < 3; round++) {
		pid_t pid = n->flow.gateway;
		size_t refused = nodes_log_count(&twin, "another node named");

		flow_run(&twin.flow);
		flow_until(&twin.flow, nodes_log_count(&twin, "another node named") > refused);
		assert_int_equal(flow_gateway_wait(&twin.flow), 1);
		assert_int_equal(n->flow.gateway, pid);
		ledger_ask_all();
		ledger_judge(0);
	}
	nodes_await_quiet();
	nodes_kill(n);
	flow_run(&twin.flow);
	flow_gateway_await(&twin.flow, true);
	ledger_ask_all();
	ledger_judge(0);
	flow_gateway_end(&twin.flow, SIGTERM);
	flow_stop(&twin.flow);
	flow_run(&n->flow);
	nodes_await();
}

/* Due when its owner dies, or just before, or just after. */
static void a_reminder_is_given_once(void **state)
{
	(void)state;
	nodes_await_settled();
	for (size_t round = 0; round < 5; round++) {
		struct node *n = nodes_await_owner(0);
		char chat[16], text[64], said[32];
		size_t pings, repeats;

		snprintf(chat, sizeof(chat), "%zu", 8000 + round);
		snprintf(said, sizeof(said), "It is <%u>.", 1000 + (unsigned)round);
		snprintf(text, sizeof(text), "/remind add in 2 s question %u.", 1000 + (unsigned)round);
		flow_say(&platforms, chat, chat, text, "private");
		flow_await(&platforms, chat, 1);
		nodes_await_quiet();
		usleep((useconds_t)(1500000 + random_below(&seed, 800000)));
		nodes_kill(n);
		flow_run(&n->flow);
		flow_until(&platforms, count_said(chat, said) > 0);
		nodes_await();
		/* Another one would come at once. */
		pings = ledger_ask_anew(0, QUESTION_SHORT);
		ledger_await((unsigned)pings);
		nodes_await_quiet();
		repeats = count_said(chat, "(may be a repeat)");
		if (count_said(chat, said) - repeats > 1 || repeats > 1)
			fail_msg("a reminder was given %zu times, %zu of them with a mark",
			    count_said(chat, said), repeats);
		assert_int_equal(nodes_number("SELECT count(*) FROM schedules"), 0);
	}
	ledger_judge(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    NODES_TEST(racing_take_overs_give_each_channel_one_owner),
	    NODES_TEST(a_name_belongs_to_one_process),
	    NODES_TEST(a_reminder_is_given_once),
	};
	const char *chosen = getenv("MYNA_CLUSTER_SEED");

	seed = chosen ? strtoull(chosen, NULL, 10) : (uint64_t)time(NULL);
	print_message("           seed %llu\n", (unsigned long long)seed);
	return nodes_run(tests);
}
