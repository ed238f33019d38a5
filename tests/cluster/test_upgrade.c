/* People write all the time while the nodes are stopped and started, one after the other. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "cluster/ledger.h"
#include "cluster/nodes.h"

/* On each platform somebody writes so often. */
#define ASK_MS 150
#define CHATS  5
/* With MYNA_CLUSTER_QUICK nobody waits longer for an answer. */
#define QUICK_MS 2000

static uint64_t asked_at_ms;
static unsigned count;

/* People write, and read. */
static void live(void)
{
	if (flow_now_ms() - asked_at_ms >= ASK_MS) {
		asked_at_ms = flow_now_ms();
		for (size_t i = 0; i < SIDES; i++)
			ledger_ask(i, count % CHATS, QUESTION_SHORT);
		count++;
	}
	ledger_look();
}

static void live_for(uint64_t ms)
{
	for (uint64_t began = flow_now_ms(); flow_now_ms() - began < ms;)
		live();
}

static bool has_ended(struct node *n)
{
	int status;

	if (waitpid(n->flow.gateway, &status, WNOHANG) != n->flow.gateway)
		return false;
	n->flow.gateway = 0;
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	return true;
}

static bool is_ready(struct node *n)
{
	struct json_object *status = flow_status(&n->flow);
	bool ready = json_get_bool(status, "ready", false);

	json_object_put(status);
	return ready;
}

static void a_rolling_upgrade_loses_nothing_and_doubles_nothing(void **state)
{
	uint64_t most = 0;

	(void)state;
	live_for(1000);
	for (size_t i = 0; i < NODES; i++) {
		struct node *n = &nodes[i];
		uint64_t due = flow_deadline();

		kill(n->flow.gateway, SIGTERM);
		for (live(); !has_ended(n); live())
			flow_look(&n->flow, due, "the node %s does not stop", n->name);
		live_for(500);
		flow_run(&n->flow);
		for (live(); !is_ready(n); live())
			flow_look(&n->flow, due, "the node %s does not start", n->name);
		live_for(500);
	}
	ledger_judge(0);
	for (size_t side = 0; side < SIDES; side++) {
		uint64_t longest = 0;

		for (unsigned number = 1 + (unsigned)side; number <= count * SIDES; number += SIDES)
			longest = ledger_took_ms(number) > longest ? ledger_took_ms(number) : longest;
		print_message("           %s: %u messages, nobody waited longer than %llu ms\n", sides[side],
		    count, (unsigned long long)longest);
		most = longest > most ? longest : most;
	}
	if (getenv("MYNA_CLUSTER_QUICK"))
		assert_in_range(most, 0, QUICK_MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {NODES_TEST(a_rolling_upgrade_loses_nothing_and_doubles_nothing)};

	return nodes_run(tests);
}
