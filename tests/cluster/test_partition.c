/* The network between a node and the database, or between a node and the platforms, is down. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "cluster/ledger.h"
#include "cluster/nodes.h"
#include "lib/postgres_proxy.h"

/* With commands under way, and answers. */
static void without_the_database(size_t side, void (*cut)(struct postgres_proxy *proxy, bool down))
{
	struct node *n = nodes_await_owner(side), *other;
	size_t ended = nodes_log_count(n, NODES_ENDS);
	int64_t beats = nodes_beats(n);

	ledger_ask_anew(side, QUESTION_WORK);
	flow_until(&n->flow, nodes_beats(n) > beats);
	for (size_t i = 0; i < 3; i++)
		ledger_ask_anew(side, QUESTION_SHORT);
	cut(n->database, true);
	/* The others go on with what it did when it has ended. */
	other = nodes_await_other(side, n);
	flow_until(&n->flow, nodes_log_count(n, NODES_ENDS) > ended);
	beats = nodes_beats(n);
	for (size_t i = 0; i < SIDES; i++)
		ledger_ask_anew(i, QUESTION_SHORT);
	ledger_judge(3);
	assert_int_equal(nodes_beats(n), beats);
	assert_int_equal(nodes_beats(other), 0);
	cut(n->database, false);
	nodes_await();
	for (size_t i = 0; i < SIDES; i++)
		ledger_ask_anew(i, QUESTION_SHORT);
	ledger_judge(3);
}

static void a_node_that_cannot_hear_the_database_loses_its_channels(void **state)
{
	(void)state;
	without_the_database(0, postgres_proxy_stall);
}

static void a_node_whose_connections_to_the_database_end_loses_its_channels(void **state)
{
	(void)state;
	without_the_database(1, postgres_proxy_refuse);
}

/* It keeps them: it lives. Nothing is lost meanwhile. */
static void without_the_platforms(void (*cut)(struct postgres_proxy *proxy, bool down))
{
	for (size_t side = 0; side < SIDES; side++) {
		struct node *n = nodes_await_owner(side);
		size_t ended = nodes_log_count(n, NODES_ENDS);

		ledger_ask_anew(side, QUESTION_SHORT);
		cut(n->platforms, true);
		for (size_t i = 0; i < 3; i++)
			ledger_ask_anew(side, QUESTION_SHORT);
		nodes_await_lease(n);
		/* A busy machine lets a lease end, too, which the node tells. */
		assert_true(nodes_owner(side) == n || nodes_log_count(n, NODES_ENDS) > ended);
		cut(n->platforms, false);
		ledger_judge(SIDES);
	}
}

static void a_node_that_cannot_hear_the_platforms_answers_later(void **state)
{
	(void)state;
	without_the_platforms(postgres_proxy_stall);
}

static void a_node_whose_connections_to_the_platforms_end_answers_later(void **state)
{
	(void)state;
	without_the_platforms(postgres_proxy_refuse);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    NODES_TEST(a_node_that_cannot_hear_the_database_loses_its_channels),
	    NODES_TEST(a_node_whose_connections_to_the_database_end_loses_its_channels),
	    NODES_TEST(a_node_that_cannot_hear_the_platforms_answers_later),
	    NODES_TEST(a_node_whose_connections_to_the_platforms_end_answers_later),
	};

	return nodes_run(tests);
}
