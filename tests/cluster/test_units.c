/*
 * A Discord bot whose servers are divided into units, which two nodes serve: each has the shards and the
 * chats of its unit, resumes those of a node that dies, and begins no session sooner than the other one
 * allows.
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

#define UNITS  2
#define SHARDS 4

static const char *const units[UNITS] = {"discord", "discord#1"};

/* The shards of a unit that are ready at its node. */
static int64_t ready(size_t unit)
{
	struct node *n = nodes_owner_of(units[unit]);
	struct json_object *status = n ? flow_status(&n->flow) : NULL,
			   *list = json_get_array(status, "channels");
	int64_t found = 0;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *c = json_object_array_get_idx(list, i);

		if (strcmp(json_get_str(c, "name"), units[unit]) == 0)
			found = json_get_int(c, "shards_ready", 0);
	}
	json_object_put(status);
	return found;
}

static int set_up(void **state)
{
	(void)state;
	ledger_begin();
	nodes_divide(UNITS);
	nodes_make(NODES_LEASE_MS, NULL, "");
	guilds_begin(SHARDS);
	return 0;
}

/* Each node has a unit. */
static void await_both(void)
{
	nodes_await();
	for (size_t i = 0; i < UNITS; i++)
		flow_until(&platforms, ready(i) == SHARDS / UNITS);
	assert_ptr_not_equal(nodes_owner_of(units[0]), nodes_owner_of(units[1]));
}

static void start_two(void)
{
	nodes_start(&nodes[0]);
	nodes_start(&nodes[1]);
	await_both();
	nodes_await_settled();
}

static void each_unit_is_served_by_its_node(void **state)
{
	(void)state;
	start_two();
	guilds_ask_all();
	guilds_judge();
	/* From either node to a server of each unit. */
	for (size_t from = 0; from < UNITS; from++)
		for (unsigned shard = 0; shard < UNITS; shard++) {
			char *to = xasprintf("discord:%s", guilds_chat(shard + 1)),
			     *text = xasprintf("From %s.", nodes[from].name), *out = NULL;

			if (flow_myna(&nodes[from].flow, &out, "send", to, text, NULL) != 0)
				fail_msg("%s", out);
			assert_int_equal(
			    flow_count_said_on(&platforms, "discord", guilds_chat(shard + 1), text), 1);
			free(out);
			free(text);
			free(to);
		}
	guilds_judge();
}

static void a_node_that_takes_over_resumes_the_sessions_of_the_unit(void **state)
{
	size_t begun, resumed;
	struct node *n;

	(void)state;
	start_two();
	guilds_ask_all();
	guilds_judge();
	begun = guilds_sent("gateway IDENTIFY", NULL);
	resumed = guilds_sent("gateway RESUME", NULL);
	n = nodes_owner_of(units[1]);
	nodes_kill(n);
	guilds_ask_all();
	guilds_judge();
	assert_int_equal(ready(1), SHARDS / UNITS);
	assert_int_equal(guilds_sent("gateway RESUME", NULL), resumed + SHARDS / UNITS);
	/* It comes back, and gets a unit. */
	flow_run(&n->flow);
	await_both();
	guilds_ask_all();
	guilds_judge();
	assert_int_equal(guilds_sent("gateway IDENTIFY", NULL), begun);
}

static void sessions_begin_at_a_distance_over_both_nodes(void **state)
{
	int64_t closest = INT64_MAX;

	(void)state;
	json_object_put(flow_control(&platforms, "settings", "{\"discord\":{\"limits\":true}}"));
	start_two();
	guilds_ask_all();
	guilds_judge();
	assert_true(guilds_sent("gateway IDENTIFY", &closest) >= SHARDS);
	assert_true(closest >= GUILDS_IDENTIFY_US);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(each_unit_is_served_by_its_node, set_up, nodes_teardown),
	    cmocka_unit_test_setup_teardown(
		a_node_that_takes_over_resumes_the_sessions_of_the_unit, set_up, nodes_teardown),
	    cmocka_unit_test_setup_teardown(
		sessions_begin_at_a_distance_over_both_nodes, set_up, nodes_teardown),
	};

	return nodes_run(tests);
}
