/*
 * A node that is stopped for longer than its lease, or that others take for dead while it works, is a zombie
 * when it goes on: it commits nothing and sends nothing, and starts again.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

#include "cluster/ledger.h"
#include "cluster/nodes.h"
#include "lib/postgres_proxy.h"

/* Until it has seen that it is no node any more, and runs again. */
static void wake(struct node *n)
{
	size_t ended = nodes_log_count(n, NODES_ENDS);

	kill(n->flow.gateway, SIGCONT);
	flow_until(&n->flow, nodes_log_count(n, NODES_ENDS) > ended);
	nodes_await();
}

static void a_node_that_slept_while_it_had_nothing_to_do(void **state)
{
	struct node *n = nodes_await_owner(0);

	(void)state;
	for (size_t i = 0; i < SIDES; i++)
		ledger_ask_anew(i, QUESTION_SHORT);
	ledger_judge(0);
	nodes_await_quiet();
	kill(n->flow.gateway, SIGSTOP);
	for (size_t i = 0; i < SIDES; i++)
		ledger_ask_anew(i, QUESTION_SHORT);
	nodes_await_other(0, n);
	ledger_judge(0);
	wake(n);
	for (size_t i = 0; i < SIDES; i++)
		ledger_ask_anew(i, QUESTION_SHORT);
	ledger_judge(0);
}

/* The server ends what it had begun to change. */
static void a_node_that_slept_inside_of_a_transaction(void **state)
{
	(void)state;
	for (size_t side = 0; side < SIDES; side++) {
		struct node *n = nodes_await_owner(side);

		gate_close(side, side % 2 == 0 ? STEP_BEGUN : STEP_RECEIVED, false, 0);
		ledger_ask_anew(side, QUESTION_SHORT);
		gate_await(n);
		kill(n->flow.gateway, SIGSTOP);
		gate_open();
		nodes_await_other(side, n);
		ledger_ask_anew(side, QUESTION_SHORT);
		ledger_judge(0);
		wake(n);
		ledger_judge(0);
	}
}

/* Nobody knows that it sent nothing: Telegram gets the answer with a mark, and only that one. */
static void a_node_that_slept_before_the_first_byte_of_an_answer(void **state)
{
	(void)state;
	for (size_t side = 0; side < SIDES; side++) {
		struct node *n = nodes_await_owner(side);
		size_t marked;
		unsigned number;

		gate_close(side, STEP_SENDING, true, 0);
		number = ledger_ask_anew(side, QUESTION_SHORT);
		gate_await(n);
		kill(n->flow.gateway, SIGSTOP);
		gate_open();
		nodes_await_other(side, n);
		ledger_await(number);
		wake(n);
		nodes_judge();
		if (ledger_answers(number, &marked) != 1 || marked != (side == 0))
			fail_msg("what it had not begun to send arrived on %s", sides[side]);
	}
	ledger_judge(1);
}

/* The store comes back with the lock of its name at the next read: it loses that again until others have
 * looked. Returns whether the node has nothing to serve on Slack any more. */
static bool cut_off(const struct node *n)
{
	nodes_do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
		 "current_database() AND application_name = '%s' AND pid IN "
		 "(SELECT pid FROM pg_locks WHERE locktype = 'advisory')",
	    n->name);
	return nodes_owner(1) != n;
}

/* Its heartbeats do not arrive, and its session is gone: the others take its channels, long before it knows.
 * What it hears of then, it cannot store. */
static void a_node_that_was_taken_for_dead_while_it_works(void **state)
{
	struct node *n = nodes_await_owner(1);
	size_t ended = nodes_log_count(n, NODES_ENDS);

	(void)state;
	nodes_await_settled();
	postgres_proxy_freeze(n->database, "UPDATE nodes");
	flow_until(&n->flow, cut_off(n));
	nodes_await_other(1, n);
	/* Slack gives each to one of both, and the former owner may be without its store for some of them. */
	flow_until(
	    &n->flow, ledger_ask_anew(1, QUESTION_SHORT) > 0 && nodes_log_count(n, NODES_ENDS) > ended);
	postgres_proxy_freeze(n->database, NULL);
	ledger_judge(0);
	nodes_await();
}

/* It finds the signal and that it is no node any more, in either order, and does not start again. */
static void a_node_that_is_told_to_stop_while_it_sleeps(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++) {
		struct node *n = nodes_await_owner(0);

		nodes_await_settled();
		kill(n->flow.gateway, SIGSTOP);
		nodes_await_other(0, n);
		kill(n->flow.gateway, SIGTERM);
		assert_int_equal(flow_gateway_end(&n->flow, SIGCONT), 0);
		nodes_start(n);
		nodes_await();
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    NODES_TEST(a_node_that_slept_while_it_had_nothing_to_do),
	    NODES_TEST(a_node_that_slept_inside_of_a_transaction),
	    NODES_TEST(a_node_that_slept_before_the_first_byte_of_an_answer),
	    NODES_TEST(a_node_that_was_taken_for_dead_while_it_works),
	    NODES_TEST(a_node_that_is_told_to_stop_while_it_sleeps),
	};

	return nodes_run(tests);
}
