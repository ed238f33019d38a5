/* The database goes away and comes back: its sessions are ended, its server is killed, or hangs. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "cluster/ledger.h"
#include "cluster/nodes.h"
#include "crash/random.h"
#include "lib/postgres.h"

/* Of a cluster whose nodes bear a server that starts again. */
#define LONG_LEASE_MS  60000
#define SHORT_LEASE_MS 4000

static char dir[32];

/* A server of the test's own. */
static void begin_with_own(int64_t lease_ms, const char *more)
{
	str_copy(dir, sizeof(dir), "/tmp/myna-postgres-XXXXXX");
	assert_non_null(mkdtemp(dir));
	postgres_start_own(dir);
	ledger_begin();
	nodes_make(lease_ms, dir, more);
	nodes_start_all();
}

static int begin_long(void **state)
{
	(void)state;
	begin_with_own(LONG_LEASE_MS, "");
	return 0;
}

static int begin_short(void **state)
{
	(void)state;
	begin_with_own(SHORT_LEASE_MS, "reports = \"telegram:76\";");
	return 0;
}

static int end(void **state)
{
	(void)state;
	nodes_end();
	postgres_remove_own(dir);
	return 0;
}

/* One question after the other on each platform, in a few chats. */
static void ask(size_t count)
{
	for (size_t i = 0; i < count; i++)
		ledger_ask(i % SIDES, (unsigned)(i / SIDES % 3), QUESTION_SHORT);
}

static void sessions_that_are_ended_lose_nothing(void **state)
{
	(void)state;
	for (int round = 0; round < 10; round++) {
		ask(6);
		usleep((useconds_t)(round % 5 * 20000));
		nodes_do("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = "
			 "current_database() AND pid <> pg_backend_pid()");
		ledger_look();
	}
	ledger_judge(10);
}

static void a_killed_server_loses_nothing_and_moves_nothing(void **state)
{
	int64_t moves = nodes_moves();

	(void)state;
	for (int round = 0; round < 3; round++) {
		unsigned first;

		ask(12);
		usleep((useconds_t)(round * 40000));
		postgres_kill_own(dir);
		ask(3);
		postgres_start_own(dir);
		first = ledger_ask_all();
		for (size_t i = 0; i < SIDES; i++)
			ledger_await(first + (unsigned)i);
		for (size_t i = 0; i < SIDES; i++)
			print_message("           answered on %s %llu ms after the server was there\n",
			    sides[i], (unsigned long long)ledger_took_ms(first + (unsigned)i));
		ledger_judge(40);
	}
	assert_int_equal(nodes_moves(), moves);
}

/* Longer than a lease: whoever asks meanwhile is answered afterwards. */
static void while_the_server_hangs_nothing_is_accepted(void **state)
{
	size_t ended[NODES];

	(void)state;
	ask(6);
	ledger_judge(0);
	nodes_await_quiet();
	for (size_t i = 0; i < NODES; i++)
		ended[i] = nodes_log_count(&nodes[i], NODES_ENDS);
	postgres_pause_own(dir, true);
	ask(9);
	for (size_t i = 0; i < NODES; i++)
		flow_until(&nodes[i].flow, nodes_log_count(&nodes[i], NODES_ENDS) > ended[i]);
	assert_int_equal(ledger_look(), 9);
	postgres_pause_own(dir, false);
	ledger_judge(0);
	nodes_await();
	ask(6);
	ledger_judge(0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    NODES_TEST(sessions_that_are_ended_lose_nothing),
	    cmocka_unit_test_setup_teardown(a_killed_server_loses_nothing_and_moves_nothing, begin_long, end),
	    cmocka_unit_test_setup_teardown(while_the_server_hangs_nothing_is_accepted, begin_short, end),
	};

	return nodes_run(tests);
}
