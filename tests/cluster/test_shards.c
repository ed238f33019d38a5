/*
 * The shards of a Discord bot move together: the node that takes over resumes the session of each, and begins
 * no session sooner than the last one that another node began allows.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "cluster/guilds.h"
#include "cluster/ledger.h"
#include "cluster/nodes.h"

#define DISCORD 2
#define SHARDS  3

static void expect_status(struct node *n)
{
	struct json_object *status = flow_status(&n->flow), *list = json_get_array(status, "channels");
	size_t found = 0;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *c = json_object_array_get_idx(list, i);

		if (strcmp(json_get_str(c, "name"), "discord") != 0) {
			assert_null(json_get(c, "shards"));
			continue;
		}
		found++;
		assert_int_equal(json_get_int(c, "shards", 0), SHARDS);
		assert_int_equal(json_get_int(c, "shards_ready", 0), SHARDS);
		assert_non_null(strstr(json_get_str(c, "text"), "3 of 3 shards ready; "));
	}
	assert_int_equal(found, 1);
	json_object_put(status);
}

static int set_up(void **state)
{
	(void)state;
	ledger_begin();
	nodes_make(NODES_LEASE_MS, NULL, "");
	guilds_begin(SHARDS);
	return 0;
}

/* Returns how many sessions have begun, more than one of a shard when the channel moved meanwhile. */
static size_t start_all(void)
{
	nodes_start_all();
	nodes_await_settled();
	guilds_ask_all();
	guilds_judge();
	expect_status(nodes_await_owner(DISCORD));
	return guilds_sent("gateway IDENTIFY", NULL);
}

static void a_node_that_takes_over_resumes_every_session(void **state)
{
	struct node *n, *other;
	size_t begun, resumed;

	(void)state;
	begun = start_all();
	resumed = guilds_sent("gateway RESUME", NULL);
	/* Killed: what was said meanwhile comes with the session. */
	n = nodes_await_owner(DISCORD);
	nodes_kill(n);
	guilds_ask_all();
	other = nodes_await_other(DISCORD, n);
	guilds_judge();
	assert_true(guilds_sent("gateway RESUME", NULL) >= resumed + SHARDS);
	/* Stopped. */
	flow_run(&n->flow);
	nodes_await();
	other = nodes_await_owner(DISCORD);
	assert_int_equal(flow_gateway_end(&other->flow, SIGTERM), 0);
	guilds_ask_all();
	nodes_await_other(DISCORD, other);
	guilds_judge();
	assert_true(guilds_sent("gateway RESUME", NULL) >= resumed + 2 * SHARDS);
	assert_int_equal(guilds_sent("gateway IDENTIFY", NULL), begun);
}

/* The message of one shard, with its place in the session, is being committed, or just is. */
static void a_node_dies_while_a_shard_commits(void **state)
{
	size_t begun = start_all();

	(void)state;
	for (int late = 0; late < 2; late++) {
		struct node *n = nodes_await_owner(DISCORD);

		gate_close(DISCORD, STEP_RECEIVED, late, 0);
		guilds_ask(1 + (unsigned)late);
		gate_await(n);
		nodes_kill(n);
		guilds_ask_all();
		gate_open();
		flow_run(&n->flow);
		guilds_judge();
		nodes_await();
	}
	assert_int_equal(guilds_sent("gateway IDENTIFY", NULL), begun);
}

/* The first node dies between two of its IDENTIFYs, and so does the second. */
static void sessions_begin_at_a_distance_over_all_nodes(void **state)
{
	int64_t closest = INT64_MAX;

	(void)state;
	json_object_put(flow_control(&platforms, "settings", "{\"discord\":{\"limits\":true}}"));
	for (size_t i = 0; i < NODES; i++)
		nodes_start(&nodes[i]);
	for (size_t begun = 1; begun < SHARDS; begun++) {
		struct node *n;

		flow_until(&platforms, guilds_sent("gateway IDENTIFY", NULL) >= begun);
		n = nodes_await_owner(DISCORD);
		nodes_kill(n);
		nodes_await_other(DISCORD, n);
		flow_run(&n->flow);
	}
	nodes_await();
	guilds_ask_all();
	guilds_judge();
	assert_true(guilds_sent("gateway IDENTIFY", &closest) >= SHARDS);
	assert_true(closest >= GUILDS_IDENTIFY_US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_node_that_takes_over_resumes_every_session, set_up, nodes_teardown),
	    cmocka_unit_test_setup_teardown(a_node_dies_while_a_shard_commits, set_up, nodes_teardown),
	    cmocka_unit_test_setup_teardown(
		sessions_begin_at_a_distance_over_all_nodes, set_up, nodes_teardown),
	};

	return nodes_run(tests);
}
