/* A standby that has all that was committed takes over from the server that is lost. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"
#include "cluster/ledger.h"
#include "cluster/nodes.h"
#include "lib/postgres.h"

/* So long that no node starts again meanwhile. */
#define LEASE_MS 120000

static char primary[32], standby[32];

static void make_dir(char dir[32])
{
	str_copy(dir, 32, "/tmp/myna-postgres-XXXXXX");
	assert_non_null(mkdtemp(dir));
}

static int begin(void **state)
{
	(void)state;
	make_dir(primary);
	make_dir(standby);
	postgres_start_own(primary);
	ledger_begin();
	nodes_make(LEASE_MS, primary, "");
	nodes_start_all();
	postgres_start_standby(standby, primary);
	return 0;
}

static int end(void **state)
{
	(void)state;
	nodes_end();
	postgres_remove_own(primary);
	postgres_remove_own(standby);
	return 0;
}

static void ask(size_t count)
{
	for (size_t i = 0; i < count; i++)
		ledger_ask(i % SIDES, (unsigned)(i / SIDES % 3), QUESTION_SHORT);
}

static void a_synchronous_standby_has_all_that_was_accepted(void **state)
{
	(void)state;
	nodes_do("ALTER SYSTEM SET synchronous_standby_names = '*'");
	nodes_do("SELECT pg_reload_conf()");
	flow_until(&platforms,
	    nodes_number("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'") == 1);
	ask(9);
	ledger_judge(0);
	ask(12);
	usleep(100000);
	postgres_kill_own(primary);
	postgres_promote(standby);
	nodes_move_database(standby);
	/* Else it waits for a standby of its own. */
	nodes_do("ALTER SYSTEM SET synchronous_standby_names = ''");
	nodes_do("SELECT pg_reload_conf()");
	ask(6);
	ledger_judge(12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(a_synchronous_standby_has_all_that_was_accepted, begin, end),
	};

	return nodes_run(tests);
}
