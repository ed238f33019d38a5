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
#include "cluster/ledger.h"
#include "cluster/nodes.h"

#define UNITS     2
#define SHARDS    4
#define ASKED_MAX 64
/* As in test_shards.c. */
#define DISTANCE_US 4500000

static const char *const units[UNITS] = {"discord", "discord#1"};

static struct {
	char chat[24];
} asked[ASKED_MAX];
static unsigned count; /* of questions, whose numbers begin at 1 */

static void ask_everywhere(void)
{
	for (unsigned shard = 0; shard < SHARDS; shard++) {
		struct json_object *o;

		assert_true(count < ASKED_MAX);
		o = flow_control(&platforms, "say",
		    "{\"platform\":\"discord\",\"guild\":\"%lld\",\"chat\":\"room\",\"kind\":\"group\","
		    "\"user\":\"ann\",\"text\":\"@myna question %u.\"}",
		    (6000LL + shard) << 22, count + 1);
		str_copy(asked[count++].chat, sizeof(asked[0].chat), json_get_str(o, "chat_id"));
		json_object_put(o);
	}
}

static size_t said(const char *chat, const char *text)
{
	char *path = xasprintf("/control/transcript?platform=discord&chat=%s", chat);
	struct json_object *o = flow_get(&platforms, path);
	size_t found = flow_count_said(json_get_array(o, "messages"), text);

	json_object_put(o);
	free(path);
	return found;
}

static size_t answers(unsigned number)
{
	char *answer = xasprintf("It is <%u>", number);
	size_t found = said(asked[number - 1].chat, answer);

	free(answer);
	return found;
}

/* All are answered, and each once, by the node that has the unit. */
static void judge(void)
{
	for (unsigned n = 1; n <= count; n++)
		flow_until(&platforms, answers(n) > 0);
	nodes_await_quiet();
	for (unsigned n = 1; n <= count; n++)
		assert_int_equal(answers(n), 1);
	nodes_judge();
}

/* What shards sent; closest: the shortest time between two, may be NULL. */
static size_t sent(const char *method, int64_t *closest)
{
	struct json_object *o = flow_get(&platforms, "/control/requests?platform=discord"),
			   *list = json_get_array(o, "requests");
	int64_t last = 0;
	size_t found = 0;

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		struct json_object *r = json_object_array_get_idx(list, i);
		int64_t at = json_get_int(r, "began_us", 0);

		if (strcmp(json_get_str(r, "method"), method) != 0)
			continue;
		if (closest && last != 0 && at - last < *closest)
			*closest = at - last;
		last = at;
		found++;
	}
	json_object_put(o);
	return found;
}

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
	count = 0;
	ledger_begin();
	nodes_divide(UNITS);
	nodes_make(NODES_LEASE_MS, NULL, "");
	json_object_put(flow_control(&platforms, "settings", "{\"discord\":{\"shards\":4}}"));
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
	ask_everywhere();
	judge();
	/* From either node to a server of each unit. */
	for (size_t from = 0; from < UNITS; from++)
		for (unsigned shard = 0; shard < UNITS; shard++) {
			char *to = xasprintf("discord:%s", asked[shard].chat),
			     *text = xasprintf("From %s.", nodes[from].name), *out = NULL;

			if (flow_myna(&nodes[from].flow, &out, "send", to, text, NULL) != 0)
				fail_msg("%s", out);
			assert_int_equal(said(asked[shard].chat, text), 1);
			free(out);
			free(text);
			free(to);
		}
	judge();
}

static void a_node_that_takes_over_resumes_the_sessions_of_the_unit(void **state)
{
	size_t begun, resumed;
	struct node *n;

	(void)state;
	start_two();
	ask_everywhere();
	judge();
	begun = sent("gateway IDENTIFY", NULL);
	resumed = sent("gateway RESUME", NULL);
	n = nodes_owner_of(units[1]);
	nodes_kill(n);
	ask_everywhere();
	judge();
	assert_int_equal(ready(1), SHARDS / UNITS);
	assert_int_equal(sent("gateway RESUME", NULL), resumed + SHARDS / UNITS);
	/* It comes back, and gets a unit. */
	flow_run(&n->flow);
	await_both();
	ask_everywhere();
	judge();
	assert_int_equal(sent("gateway IDENTIFY", NULL), begun);
}

static void sessions_begin_at_a_distance_over_both_nodes(void **state)
{
	int64_t closest = INT64_MAX;

	(void)state;
	json_object_put(flow_control(&platforms, "settings", "{\"discord\":{\"limits\":true}}"));
	start_two();
	ask_everywhere();
	judge();
	assert_true(sent("gateway IDENTIFY", &closest) >= SHARDS);
	assert_true(closest >= DISTANCE_US);
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
