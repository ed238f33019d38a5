/* A conversation begins in a file, goes on in PostgreSQL, and ends in a file: nothing of it is forgotten, and
 * what was left behind is used by nobody. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "lib/postgres.h"

static struct flow f;
static char *url; /* of the database */

static void store_in(bool server)
{
	char *top =
	    server ? xasprintf("store = { engine = \"postgres\"; url = \"%s\"; };", url) : xstrdup("");

	flow_config(&f, top, "allow = [\"77\"];");
	free(top);
}

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	url = postgres_new_database(POSTGRES_DURABLE);
	store_in(false);
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	free(url);
	return 0;
}

/* With at most four words. */
static char *expect_says(int status, const char *text, const char *const words[5])
{
	char *said;
	int found = flow_myna(&f, &said, words[0], words[1], words[2], words[3], words[4], NULL);

	if (found != status || !strstr(said, text))
		fail_msg("myna %s %s: exit status %d: %s", words[0], words[1] ? words[1] : "", found, said);
	return said;
}

#define EXPECT_SAYS(status, text, ...) free(expect_says(status, text, (const char *const[5]){__VA_ARGS__}))

static void ask(const char *question, const char *answer, size_t n)
{
	flow_say(&f, "77", "77", question, "private");
	flow_expect(&f, "77", n, answer);
}

/* The model was last asked with this in its history. */
static void expect_known(const char *said)
{
	struct json_object *o = flow_get(&f, "/control/model"), *requests = json_get_array(o, "requests");
	struct json_object *last =
	    json_object_array_get_idx(requests, json_object_array_length(requests) - 1);
	const char *body = json_object_to_json_string(json_get(last, "body"));

	if (!strstr(body, said))
		fail_msg("\"%s\" is not in: %s", said, body);
	json_object_put(o);
}

/* What no command does with a store that was moved. */
static void expect_left(const char *sentence)
{
	EXPECT_SAYS(1, sentence, "trace", "1");
	EXPECT_SAYS(1, sentence, "doctor");
	EXPECT_SAYS(1, "fix: docs/postgresql.md says how a store moves.", "doctor");
	EXPECT_SAYS(1, sentence, "run");
}

static void a_conversation_moves_to_a_server_and_back(void **state)
{
	char *copy = xasprintf("%s/copy.db", f.dir), *said;
	struct json_object *o;

	(void)state;
	flow_gateway(&f, true);
	ask("what is 6*7", "42", 0);
	EXPECT_SAYS(1, "uses the state directory", "store", "copy", "--to", url);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	EXPECT_SAYS(0, "Nothing was moved: run it again without --dry-run.", "store", "copy", "--dry-run",
	    "--to", url);
	EXPECT_SAYS(0, "and the same hashes.\nNow set `store = { engine = \"postgres\"", "store", "copy",
	    "--to", url);
	expect_left("was moved to postgresql:");
	EXPECT_SAYS(1, "was moved to postgresql:", "backup", copy);
	EXPECT_SAYS(1, "was moved to postgresql:", "compact");

	store_in(true);
	flow_gateway(&f, true);
	ask("what is 7*8", "56", 1);
	expect_known("what is 6*7");
	EXPECT_SAYS(0, "turn ended", "trace", "1");
	/* The file that was left behind is no surprise. */
	said = flow_log(&f);
	assert_null(strstr(said, "is not used"));
	free(said);
	EXPECT_SAYS(1, "uses the state directory", "store", "copy", "--from");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	/* Without a URL it is that of the configuration. */
	said = expect_says(0, "{", (const char *const[5]){"store", "copy", "--json", "--from"});
	o = json_parse(said, strlen(said), NULL);
	assert_non_null(o);
	assert_string_equal(json_get_str(o, "from"), url);
	assert_true(json_get_int(o, "rows", 0) > 10);
	assert_int_equal(access(json_get_str(o, "kept"), F_OK), 0);
	json_object_put(o);
	free(said);
	expect_left("was moved to /tmp/");

	store_in(false);
	flow_gateway(&f, true);
	ask("what is 8*9", "72", 2);
	expect_known("what is 6*7");
	expect_known("what is 7*8");
	EXPECT_SAYS(0, "turn ended", "trace", "2");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_int_equal(flow_bot_messages(&f, "77"), 3);
	free(copy);
}

static void what_cannot_be_meant_is_told(void **state)
{
	(void)state;
	EXPECT_SAYS(64, "store copy takes --to or --from", "store", "copy");
	EXPECT_SAYS(64, "usage: myna store", "store", "move");
	EXPECT_SAYS(64, "the configuration has no store.url", "store", "copy", "--to");
	EXPECT_SAYS(1, "the URL is not a URL such as", "store", "copy", "--to", "somewhere");
	EXPECT_SAYS(1, "there is no database", "store", "copy", "--to", url);
	EXPECT_SAYS(1, "there is no store in the database", "store", "copy", "--from", url);
	char *said = expect_says(1, "has a password, which would be in the log",
	    (const char *const[5]){"store", "copy", "--to", "postgresql://myna:sesame@127.0.0.1/myna"});
	assert_null(strstr(said, "sesame"));
	free(said);
}

static void a_server_is_installed(void **state)
{
	(void)state;
	print_message("PostgreSQL's server is not installed (Debian: postgresql)\n");
	skip();
}

#define IN_FLOW(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_FLOW(a_conversation_moves_to_a_server_and_back),
	    IN_FLOW(what_cannot_be_meant_is_told),
	};
	const struct CMUnitTest missing[] = {cmocka_unit_test(a_server_is_installed)};

	return postgres_is_there() ? cmocka_run_group_tests(tests, NULL, NULL) :
				     cmocka_run_group_tests(missing, NULL, NULL);
}
