/* A backup of a gateway that runs, and what comes of it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include "base/mem.h"
#include "flow/flow.h"

static struct flow f;

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	flow_config(&f, "", "allow = [\"77\"];");
	flow_gateway(&f, true);
	return 0;
}

static void a_lost_state_comes_back_from_the_backup(void **state)
{
	char *file = xasprintf("%s/backup.db", f.dir), *out, *restore;
	struct stat st;

	(void)state;
	flow_say(&f, "77", "77", "what is 6*7", "private");
	flow_await(&f, "77", 1);
	assert_int_equal(flow_myna(&f, &out, "backup", file, NULL), 0);
	assert_non_null(strstr(out, "complete, and checked"));
	free(out);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(flow_myna(&f, &out, "backup", file, NULL), 1);
	assert_non_null(strstr(out, "is there already"));
	free(out);
	flow_gateway_kill(&f);
	restore = xasprintf("rm -rf %s/state && mkdir -m 700 %s/state && cp -p %s %s/state/myna.db", f.dir,
	    f.dir, file, f.dir);
	assert_int_equal(system(restore), 0);
	flow_gateway(&f, true);
	assert_int_equal(flow_myna(&f, &out, "trace", "1", NULL), 0);
	assert_non_null(strstr(out, "telegram:77"));
	free(out);
	flow_say(&f, "77", "77", "what is 3*3", "private");
	flow_await(&f, "77", 2);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	free(restore);
	free(file);
	/* And when none runs. */
	file = xasprintf("%s/second.db", f.dir);
	assert_int_equal(flow_myna(&f, NULL, "backup", file, NULL), 0);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    FLOW_TEST(a_lost_state_comes_back_from_the_backup, begin, &f),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
