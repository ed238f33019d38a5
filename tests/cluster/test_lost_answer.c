/* The connection of a node is cut when the server has committed, before it can say so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cluster/ledger.h"
#include "cluster/nodes.h"
#include "lib/postgres_proxy.h"

/* Of a message: received, begun, ended, sent. */
#define COMMITS 4

/* Whether it happened is found out by its number: each of the commits of a message, once. */
static void a_commit_whose_answer_is_lost_happens_once(void **state)
{
	(void)state;
	for (size_t side = 0; side < SIDES; side++) {
		struct node *n = nodes_await_owner(side);

		for (unsigned nth = 1; nth <= COMMITS; nth++) {
			nodes_await_quiet();
			postgres_proxy_cut(n->database, nth, "COMMIT", POSTGRES_AFTER);
			ledger_ask_anew(side, QUESTION_SHORT);
			flow_until(&n->flow, postgres_proxy_has_cut(n->database));
			ledger_judge(0);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {NODES_TEST(a_commit_whose_answer_is_lost_happens_once)};

	return nodes_run(tests);
}
