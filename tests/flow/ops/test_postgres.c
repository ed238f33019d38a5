/*
 * A gateway whose store is in PostgreSQL, with conversations on three platforms: kills at any point, a server
 * that crashes, and what the commands say. Each question is answered, once.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "crash/random.h"
#include "flow/flow.h"
#include "flow/kill.h"
#include "lib/postgres.h"
#include "lib/postgres_proxy.h"
#include "store/db.h"
#include "store/postgres/db_postgres.h"
#include "store/settings.h"

#define POINTS 9

/* Where people and the agent meet on each platform. */
static const struct side {
	const char *platform, *chat, *kind, *mention, *user;
} sides[] = {
    {"telegram", "77", "private", "", "77"},
    {"slack", "C0TEAM", "channel", "@bot ", "U0ANN"},
    {"discord", "200000000000000001", "group", "@myna ", "377"},
};

static struct flow f;
static char *url; /* of the database */

static void configure(const char *store_url)
{
	char *top = store_url ? xasprintf("store = { engine = \"postgres\"; url = \"%s\"; };", store_url) :
				xstrdup("");

	flow_config_channels(&f, top, "allow = [\"77\"];",
	    "allow = [\"*\"]; preview_after = \"0 ms\"; rate_chat = 0; rate_global = 0;", "allow = [\"*\"];");
	free(top);
	/* Slack itself tries again after a minute. */
	json_object_put(
	    flow_control(&f, "settings", "{\"slack\":{\"limits\":false,\"retry_ms\":[0,1500,10000]}}"));
}

static int begin(void **state)
{
	(void)state;
	flow_start(&f);
	url = postgres_new_database(POSTGRES_DURABLE);
	configure(url);
	return 0;
}

static int end(void **state)
{
	(void)state;
	flow_stop(&f);
	free(url);
	return 0;
}

static void ask(const struct side *s, const char *text)
{
	json_object_put(flow_control(&f, "say",
	    "{\"platform\":\"%s\",\"chat\":\"%s\",\"user\":\"%s\",\"text\":\"%s%s\",\"kind\":\"%s\"}",
	    s->platform, s->chat, s->user, s->mention, text, s->kind));
}

/* Finished messages of the bot with this text. */
static size_t count_of(const struct side *s, const char *text)
{
	return flow_count_said_on(&f, s->platform, s->chat, text);
}

static void await(const struct side *s, const char *text)
{
	for (uint64_t due = flow_deadline(); count_of(s, text) == 0 || count_of(s, "…") > 0;)
		flow_look(&f, due, "nobody said \"%s\" on %s", text, s->platform);
}

/* Multiplications that no other question has. */
static void expect_answer(const struct side *s, unsigned n)
{
	char question[40], answer[24];

	snprintf(question, sizeof(question), "what is %u*1000", n);
	snprintf(answer, sizeof(answer), "%u000", n);
	ask(s, question);
	await(s, answer);
	assert_int_equal(count_of(s, answer), 1);
}

static int64_t number(const char *sql)
{
	struct store_settings settings = {.engine = STORE_POSTGRES, .url = url};
	struct db db = {0};
	struct error err;
	int64_t n = -1;

	if (db_postgres_open(&db, "/", &settings, false, &err) != 0 ||
	    db_number(&db, sql, DB_NO_ARGS, &n, &err) < 0)
		fail_msg("%s: %s", sql, err.text);
	db_close(&db);
	return n;
}

static bool has_library(pid_t pid)
{
	char *path = xasprintf("/proc/%ld/maps", (long)pid), line[512];
	FILE *maps = fopen(path, "r");
	bool found = false;

	assert_non_null(maps);
	while (fgets(line, sizeof(line), maps))
		found |= strstr(line, "libpq.so") != NULL;
	fclose(maps);
	free(path);
	return found;
}

static bool is_in_state(const char *name)
{
	char *path = xasprintf("%s/state/%s", f.dir, name);
	bool there = access(path, F_OK) == 0;

	free(path);
	return there;
}

static void a_conversation_on_each_platform_survives_kills(void **state)
{
	unsigned n = 101;

	(void)state;
	for (int round = 0; round < 3; round++) {
		flow_gateway(&f, true);
		for (size_t i = 0; i < ARRAY_LEN(sides); i++)
			expect_answer(&sides[i], n++);
		flow_gateway_kill(&f);
	}
	flow_gateway(&f, true);
	assert_true(has_library(f.gateway));
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_false(is_in_state("myna.db"));
	/* In Slack each question begins a thread. */
	assert_int_equal(number("SELECT count(*) FROM sessions"), 5);
	assert_int_equal(number("SELECT count(*) FROM turns WHERE state = 1"), 9);
	assert_int_equal(number("SELECT count(*) FROM turns WHERE state <> 1"), 0);
	assert_int_equal(number("SELECT count(*) FROM inbox WHERE state < 2"), 0);
	assert_int_equal(number("SELECT count(*) FROM outbox WHERE state <> 2"), 0);
	assert_int_equal(number("SELECT value FROM meta WHERE name = 'unclean_stops'"), 3);
}

static size_t deaths;

static void die_at(uint64_t at, enum shim_mode mode, size_t n)
{
	/* Telegram cannot tell whether a message that was cut off has arrived. */
	const struct side *s = &sides[1 + n % 2];
	char question[40], answer[24];

	snprintf(question, sizeof(question), "what is %zu*1000", n + 201);
	snprintf(answer, sizeof(answer), "%zu000", n + 201);
	kill_run(&f, at, mode);
	ask(s, question);
	for (uint64_t due = flow_deadline(); !kill_has_died(&f, &deaths) && count_of(s, answer) == 0;)
		flow_look(&f, due, "neither dead at point %llu, nor answered", (unsigned long long)at);
	flow_gateway_end(&f, SIGKILL);
	flow_gateway(&f, true);
	await(s, answer);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	if (count_of(s, answer) != 1)
		fail_msg("said %zu times on %s, killed %s point %llu", count_of(s, answer), s->platform,
		    (const char *[])SHIM_MODE_NAMES[mode], (unsigned long long)at);
}

/* Every request to the database is such a point, as is all that is sent to platforms and to the model. */
static void killed_anywhere_every_question_is_answered_once(void **state)
{
	struct postgres_proxy *proxy = postgres_proxy_new(postgres_server(POSTGRES_DURABLE), NULL);
	char *database = postgres_database_of(url),
	     *tcp = xasprintf("postgresql://myna@127.0.0.1:%u/%s", postgres_proxy_port(proxy), database);
	size_t points = kill_count(POINTS);
	uint64_t seed = 7, first, last;

	(void)state;
	configure(tcp);
	/* The first start makes the tables, which no later one does. */
	flow_gateway(&f, true);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	kill_run(&f, 0, SHIM_BEFORE);
	flow_gateway_await(&f, true);
	first = kill_last_point(&f);
	ask(&sides[1], "what is 7*100000");
	await(&sides[1], "700000");
	last = kill_last_point(&f);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_true(first > 20 && last > first + 20);
	for (size_t n = 0; n < points; n++)
		/* A third of them while it starts. */
		die_at(1 + (n % 3 == 0 ? 0 : first) + random_below(&seed, n % 3 == 0 ? first : last - first),
		    (enum shim_mode)(n / 3 % 3), n);
	print_message(
	    "# %zu questions, %zu deaths at points 1 to %llu\n", points, deaths, (unsigned long long)last);
	assert_true(deaths > 0);
	postgres_proxy_free(proxy);
	free(database);
	free(tcp);
}

static void what_is_said_while_the_server_is_away_is_answered_later(void **state)
{
	char dir[] = "/tmp/myna-postgres-XXXXXX", *own;

	(void)state;
	assert_non_null(mkdtemp(dir));
	postgres_start_own(dir);
	own = postgres_url(dir, "postgres");
	configure(own);
	flow_gateway(&f, true);
	expect_answer(&sides[0], 301);
	for (unsigned n = 302; n < 304; n++) {
		char question[40], answer[24];

		snprintf(question, sizeof(question), "what is %u*1000", n);
		snprintf(answer, sizeof(answer), "%u000", n);
		postgres_crash_own(dir);
		ask(&sides[0], question);
		flow_await_log(&f, "does not answer: nothing is accepted until it does");
		assert_int_equal(count_of(&sides[0], answer), 0);
		postgres_start_own(dir);
		await(&sides[0], answer);
		assert_int_equal(count_of(&sides[0], answer), 1);
		assert_int_equal(count_of(&sides[0], "may be a repeat"), 0);
	}
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	postgres_remove_own(dir);
	free(own);
}

static void expect_says(int status, const char *text, const char *command, const char *argument)
{
	char *said;
	int found = flow_myna(&f, &said, command, argument, NULL);

	if (found != status || !strstr(said, text))
		fail_msg("myna %s: exit status %d: %s", command, found, said);
	free(said);
}

static void the_commands_know_where_the_store_is(void **state)
{
	char *copy = xasprintf("%s/copy.db", f.dir);

	(void)state;
	flow_gateway(&f, true);
	expect_answer(&sides[0], 401);
	expect_says(0, "turn ended", "trace", "1");
	expect_says(1, "pg_dump", "backup", copy);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	/* The same when nobody runs. */
	expect_says(0, "turn ended", "trace", "1");
	expect_says(1, "pg_dump", "backup", copy);
	expect_says(1, "VACUUM", "compact", NULL);
	assert_int_not_equal(access(copy, F_OK), 0);
	free(copy);
}

/* A failover to it loses what it has not received. */
static void a_standby_that_is_not_waited_for_is_told_to_the_operator(void **state)
{
	static const char wrong[] =
	    "BAD      durability: the server runs with synchronous_standby_names empty, "
	    "although it has standbys",
			  advice[] = "Name the standbys that must have each commit";
	char dir[] = "/tmp/myna-postgres-XXXXXX", *own, *to, *said;
	pid_t standby;
	int status;

	(void)state;
	assert_non_null(mkdtemp(dir));
	postgres_start_own(dir);
	own = postgres_url(dir, "postgres");
	to = xasprintf("%s/standby", f.dir);
	configure(own);
	flow_gateway(&f, true);
	flow_myna(&f, &said, "doctor", NULL);
	assert_null(strstr(said, "durability"));
	free(said);
	standby = postgres_start_receiver(dir, to);
	for (uint64_t due = flow_deadline();; free(said)) {
		status = flow_myna(&f, &said, "doctor", NULL);
		if (strstr(said, wrong))
			break;
		flow_look(&f, due, "doctor does not see the standby: %s", said);
	}
	assert_int_equal(status, 1);
	assert_non_null(strstr(said, advice));
	free(said);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	expect_says(1, wrong, "doctor", NULL);
	kill(standby, SIGTERM);
	waitpid(standby, NULL, 0);
	postgres_remove_own(dir);
	free(own);
	free(to);
}

/* Listens on 127.0.0.1, and returns the socket. */
static int listen_instead(char **store_url)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 8), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	*store_url = xasprintf("postgresql://myna@127.0.0.1:%u/myna", ntohs(a.sin_port));
	return fd;
}

static void await_connections(int listener, size_t n)
{
	for (uint64_t due = flow_deadline(); n > 0;) {
		int fd = accept(listener, NULL, NULL);

		if (fd < 0) {
			flow_look(&f, due, "%zu more connections did not come", n);
			continue;
		}
		close(fd);
		n--;
	}
}

static void a_server_that_is_away_is_waited_for_and_told_once(void **state)
{
	char *away, *log, *said;
	int listener = listen_instead(&away);

	(void)state;
	configure(away);
	flow_run(&f);
	/* A try connects, and asks whether a server is there. The third has logged what it logs of the first
	 * two.
	 */
	await_connections(listener, 5);
	flow_await_log(&f, "waiting to start, for 10 minutes at most: cannot reach the database");
	log = flow_log(&f);
	said = strstr(log, "waiting to start");
	assert_null(strstr(said + 1, "waiting to start"));
	free(log);
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	close(listener);
	expect_says(1, "fix: Start the server, or set store.url to where it is.", "doctor", NULL);
	free(away);
}

static void a_gateway_in_a_file_does_not_load_the_library(void **state)
{
	(void)state;
	configure(NULL);
	flow_gateway(&f, true);
	assert_false(has_library(f.gateway));
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
	assert_true(is_in_state("myna.db"));
	/* It is said when what is in the file is left behind. */
	configure(url);
	flow_gateway(&f, true);
	flow_await_log(&f, "myna.db is not used");
	assert_int_equal(flow_gateway_end(&f, SIGTERM), 0);
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
	    IN_FLOW(a_conversation_on_each_platform_survives_kills),
	    IN_FLOW(killed_anywhere_every_question_is_answered_once),
	    IN_FLOW(what_is_said_while_the_server_is_away_is_answered_later),
	    IN_FLOW(the_commands_know_where_the_store_is),
	    IN_FLOW(a_standby_that_is_not_waited_for_is_told_to_the_operator),
	    IN_FLOW(a_server_that_is_away_is_waited_for_and_told_once),
	    IN_FLOW(a_gateway_in_a_file_does_not_load_the_library),
	};
	const struct CMUnitTest missing[] = {cmocka_unit_test(a_server_is_installed)};

	return postgres_is_there() ? cmocka_run_group_tests(tests, NULL, NULL) :
				     cmocka_run_group_tests(missing, NULL, NULL);
}
