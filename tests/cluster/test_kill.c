/*
 * A node is killed at each step of a message, within the step's transaction and when its commit is done but
 * the answer to that never comes, and inside a tool call. Everybody is answered: at once who asks then, and
 * when the lease of the dead node has ended, whose question it had begun to act on.
 *
 *   MYNA_CLUSTER_POINTS   how many kills (48)
 *   MYNA_CLUSTER_SEED     repeats the choices of an earlier run
 *   MYNA_CLUSTER_QUICK=1  the answers must be quick, too: for a machine that does nothing else
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "cluster/ledger.h"
#include "cluster/nodes.h"
#include "crash/random.h"

/* Clusters beside each other: most of the time they wait for the end of a lease. With MYNA_CLUSTER_QUICK one.
 */
#define WORKERS  3
#define LEASE_MS 3000
#define POINTS   48
/* With MYNA_CLUSTER_QUICK, of who asks after the kill. */
#define QUICK_MS      2000
#define QUICK_HALF_MS 1000
#define TIMES_MAX     4096

/* Where a node dies: the steps early and late, the second part of a long answer, a tool call. */
#define PLACES (2 * STEP_COUNT + 2)

static unsigned worker, workers;
static uint64_t seed;
static uint64_t times[TIMES_MAX];
static size_t time_count;

static uint64_t size_from(const char *name, uint64_t fallback)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : fallback;
}

/* Returns the number of the question that the node has begun. */
static unsigned reach(size_t side, unsigned place, struct node *n)
{
	unsigned number;

	if (place == 2 * STEP_COUNT + 1) {
		int64_t before = nodes_beats(n);

		number = ledger_ask_anew(side, QUESTION_WORK);
		flow_until(&n->flow, nodes_beats(n) > before);
		return number;
	}
	if (place == 2 * STEP_COUNT)
		gate_close(side, STEP_SENDING, true, 2);
	else
		gate_close(side, place / 2, place % 2, 0);
	number = ledger_ask_anew(side, place == 2 * STEP_COUNT ? QUESTION_LONG : QUESTION_SHORT);
	gate_await(n);
	return number;
}

static void kill_at(size_t side, unsigned place)
{
	struct node *n = nodes_await_owner(side);
	unsigned begun, asked[SIDES], count = 0;
	bool has[SIDES];

	begun = reach(side, place, n);
	for (size_t i = 0; i < SIDES; i++)
		has[i] = nodes_owner(i) == n;
	nodes_kill(n);
	for (size_t i = 0; i < SIDES; i++)
		if (has[i])
			asked[count++] = ledger_ask_anew(i, QUESTION_SHORT);
	if (place <= 2 * STEP_COUNT)
		gate_open();
	flow_run(&n->flow);
	for (size_t i = 0; i < count; i++) {
		ledger_await(asked[i]);
		assert_true(time_count < TIMES_MAX);
		times[time_count++] = ledger_took_ms(asked[i]);
	}
	ledger_await(begun);
	nodes_await();
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int begin(void **state)
{
	(void)state;
	ledger_begin();
	nodes_begin(LEASE_MS);
	return 0;
}

static void whoever_a_killed_node_served_is_answered_by_another(void **state)
{
	uint64_t points = size_from("MYNA_CLUSTER_POINTS", POINTS), chosen = seed;
	size_t marks = 0;

	(void)state;
	nodes_await_settled();
	for (uint64_t i = worker; i < points; i += workers) {
		/* Each place on each platform in turn, from a random one on. */
		uint64_t spot = i + chosen % ((uint64_t)PLACES * SIDES);
		unsigned place = (unsigned)(spot / SIDES % PLACES);
		/* Only Telegram's messages are short enough. */
		size_t side = place == 2 * STEP_COUNT ? 0 : (size_t)(spot % SIDES);

		kill_at(side, place);
		/* What is being sent, or was and nobody noted it, may have arrived. */
		marks += side == 0;
	}
	ledger_judge(marks);
	qsort(times, time_count, sizeof(*times), compare);
	print_message("           asked after a kill: %zu, answered after %llu ms (median), %llu ms at most; "
		      "seed %llu\n",
	    time_count, (unsigned long long)times[time_count / 2], (unsigned long long)times[time_count - 1],
	    (unsigned long long)seed);
	if (getenv("MYNA_CLUSTER_QUICK")) {
		assert_in_range(times[time_count - 1], 0, QUICK_MS);
		assert_in_range(times[time_count / 2], 0, QUICK_HALF_MS);
	}
}

static int run_worker(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
	    whoever_a_killed_node_served_is_answered_by_another, begin, nodes_teardown)};

	return nodes_run(tests);
}

int main(void)
{
	int failed = 0, status;
	pid_t others[WORKERS];

	seed = size_from("MYNA_CLUSTER_SEED", (uint64_t)time(NULL));
	workers = getenv("MYNA_CLUSTER_QUICK") ? 1 : WORKERS;
	for (worker = 1; worker < workers; worker++)
		if ((others[worker] = fork()) == 0) {
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			return run_worker();
		}
	worker = 0;
	failed = run_worker();
	for (size_t i = 1; i < workers; i++) {
		waitpid(others[i], &status, 0);
		failed += status != 0;
	}
	return failed;
}
