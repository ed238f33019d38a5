/*
 * A node that comes later gets its share of the channels, each when nothing of it is in progress at its
 * owner.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/ledger.h"
#include "cluster/nodes.h"

/* One node runs, and has all channels. */
static int set_up(void **state)
{
	(void)state;
	ledger_begin();
	nodes_make(NODES_LEASE_MS, NULL, "");
	nodes_start(&nodes[0]);
	nodes_await();
	return 0;
}

static size_t share_of(const struct node *n)
{
	size_t count = 0;

	for (size_t side = 0; side < SIDES; side++)
		count += nodes_owner(side) == n;
	return count;
}

static void each_node_that_comes_gets_its_share(void **state)
{
	(void)state;
	assert_int_equal(share_of(&nodes[0]), 3);
	ledger_ask_all();
	for (size_t i = 1; i < NODES; i++) {
		nodes_start(&nodes[i]);
		/* People go on meanwhile. */
		for (uint64_t due = flow_deadline(); share_of(&nodes[i]) == 0;
		     flow_look(&nodes[i].flow, due, "the node %s gets no channel", nodes[i].name)) {
			if (ledger_look() < SIDES)
				ledger_ask_all();
		}
		nodes_await();
		ledger_ask_all();
	}
	for (size_t i = 0; i < NODES; i++)
		assert_int_equal(share_of(&nodes[i]), 1);
	assert_int_equal(nodes_moves(), 3 + 2);
	ledger_judge(0);
}

static void a_channel_in_which_something_runs_stays(void **state)
{
	unsigned work[SIDES];

	(void)state;
	for (size_t side = 0; side < SIDES; side++)
		work[side] = ledger_ask_anew(side, QUESTION_WORK);
	flow_until(&platforms, nodes_number("SELECT count(*) FROM turns WHERE state = 0") == SIDES);
	nodes_start(&nodes[1]);
	flow_until(&platforms, nodes_number("SELECT count(*) FROM owners WHERE wanted = 'bert'") == 1);
	nodes_await_lease(&nodes[1]);
	assert_int_equal(share_of(&nodes[0]), 3);
	nodes_end_busy(&nodes[0]);
	for (size_t side = 0; side < SIDES; side++)
		ledger_await(work[side]);
	nodes_await();
	assert_int_equal(share_of(&nodes[1]), 1);
	ledger_ask_all();
	ledger_judge(0);
}

/* Who asked is gone before it got anything. */
static void a_wish_ends_with_its_node(void **state)
{
	(void)state;
	for (size_t side = 0; side < SIDES; side++)
		ledger_ask_anew(side, QUESTION_WORK);
	flow_until(&platforms, nodes_number("SELECT count(*) FROM turns WHERE state = 0") == SIDES);
	nodes_start(&nodes[1]);
	flow_until(&platforms, nodes_number("SELECT count(*) FROM owners WHERE wanted = 'bert'") == 1);
	nodes_kill(&nodes[1]);
	flow_until(&platforms, nodes_number("SELECT count(*) FROM owners WHERE wanted <> ''") == 0);
	nodes_end_busy(&nodes[0]);
	ledger_ask_all();
	ledger_judge(0);
	assert_int_equal(share_of(&nodes[0]), 3);
	/* On a busy machine a node may lose what it has, which it tells, and take it again, after the other
	 * one has had it. */
	assert_in_range(nodes_moves(), 3, 3 * (1 + 2 * nodes_log_count(&nodes[0], NODES_ENDS)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_channel_in_which_something_runs_stays, set_up, nodes_teardown),
	    cmocka_unit_test_setup_teardown(a_wish_ends_with_its_node, set_up, nodes_teardown),
	    cmocka_unit_test_setup_teardown(each_node_that_comes_gets_its_share, set_up, nodes_teardown),
	};

	return nodes_run(tests);
}
