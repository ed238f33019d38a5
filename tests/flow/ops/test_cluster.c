/*
 * Two gateways on one database: a channel is served by one of them, and by the other when that is killed,
 * hangs, is cut off or stops. Each question is answered, once.
 */
#include <glob.h>
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

#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "flow/flow.h"
#include "flow/ops/exposition.h"
#include "lib/client.h"
#include "lib/postgres.h"
#include "lib/postgres_proxy.h"
#include "store/db.h"
#include "store/postgres/db_postgres.h"
#include "store/settings.h"

#define NODES 2
/* So long that nothing in these tests waits for its end, where it is not set. */
#define LEASE_MS 20000
#define TOKEN    "flow-test-token-0123456789"

static const char script[] =
    "{\"skip\": \"^(\\\\[[^]\\n]*\\\\]\\n(> [^\\n]*\\n)*)+\", \"rules\": [{\"when\": \"work (.+)\", "
    "\"steps\": "
    "[{\"calls\": [{\"name\": \"busy\", \"arguments\": {}}]}, {\"text\": \"{{1}} ended: {{result}}\"}]}, "
    "{\"when\": \"think (.+)\", \"steps\": [{\"text\": \"thought of {{1}}\", \"delay_ms\": 2000}]}, "
    "{\"when\": \"tell (.+)\", \"steps\": [{\"calls\": "
    "[{\"name\": \"message\", \"arguments\": {\"target\": \"all\", \"content\": \"{{1}}\"}}]}, {\"text\": "
    "\"told: {{result}}\"}]}, {\"when\": \"note (.+)\", \"steps\": [{\"calls\": [{\"name\": "
    "\"memory_write\", "
    "\"arguments\": {\"content\": \"{{1}}\"}}]}, {\"text\": \"noted\"}]}, {\"when\": \"recall\", \"steps\": "
    "[{\"calls\": "
    "[{\"name\": \"memory_read\", \"arguments\": {}}]}, {\"text\": \"It says {{result}}\"}]}], "
    "\"else\": {\"steps\": [{\"text\": \"You said: {{user}}\"}]}}";

/* Where people and the agent meet on each platform. */
static const struct side {
	const char *platform, *chat, *kind, *mention, *user;
} sides[] = {
    {"telegram", "77", "private", "", "77"},
    {"slack", "C0TEAM", "channel", "@bot ", "U0ANN"},
    {"discord", "200000000000000001", "group", "@myna ", "377"},
};

#define SIDES ARRAY_LEN(sides)

static struct flow f; /* the platforms */
static struct flow nodes[NODES];
static const char *const names[NODES] = {"anna", "bert"};
static char *url;
static unsigned asked; /* questions: no two are the same */

/* Runs until it is ended, and shows that it does: a byte at a time in a file. */
static void put_busy_tool(const struct flow *n)
{
	/* Programs run as somebody else when we are root. */
	assert_int_equal(chmod(n->dir, 0755), 0);
	flow_put_tool(n, "busy", "{}", "while :; do printf x >>beats; sleep 0.02; done\n");
}

static void configure(size_t i, const char *store_url, const char *lease)
{
	char *top = xasprintf(
	    "store = { engine = \"postgres\"; url = \"%s\"; };\n"
	    "cluster = { node = \"%s\"; lease = \"%s\"; };\n"
	    "http: { listen = \"127.0.0.1:0\"; token = \"" TOKEN "\"; };\n"
	    "tools: { sandbox = \"S0\"; external = \"%s/ext\"; };\n"
	    "targets: { all = [\"slack:C0TEAM\", \"discord:200000000000000001\", \"telegram:77\"]; };",
	    store_url, names[i], lease, nodes[i].dir);

	flow_config_channels(&nodes[i], top, "allow = [\"77\"]; admins = [\"77\"];",
	    "allow = [\"*\"]; preview_after = \"0 ms\"; rate_chat = 0; rate_global = 0;", "allow = [\"*\"];");
	free(top);
}

static void change_config(size_t i, const char *from, const char *to)
{
	char *sed = xasprintf("sed -i 's|%s|%s|' %s/myna.conf", from, to, nodes[i].dir);

	assert_int_equal(system(sed), 0);
	free(sed);
}

static int begin(void **state)
{
	(void)state;
	flow_start_script(&f, script);
	url = postgres_new_database(POSTGRES_FAST);
	for (size_t i = 0; i < NODES; i++) {
		flow_make(&nodes[i]);
		memcpy(nodes[i].url, f.url, sizeof(f.url));
		put_busy_tool(&nodes[i]);
		configure(i, url, "20 s");
	}
	/* Slack itself tries again after a minute. */
	json_object_put(
	    flow_control(&f, "settings", "{\"slack\":{\"limits\":false,\"retry_ms\":[0,1500,10000]}}"));
	return 0;
}

static int end(void **state)
{
	(void)state;
	for (size_t i = 0; i < NODES; i++)
		flow_stop(&nodes[i]);
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

/* Messages of the bot with this text, and of those the ones that tell that they may be a repeat. */
static size_t count_with(const struct side *s, const char *text, size_t *marked)
{
	struct json_object *said = flow_said(&f, s->platform, s->chat, text);
	size_t n = json_object_array_length(said);

	*marked += flow_count_said(said, "(may be a repeat)");
	json_object_put(said);
	return n;
}

static size_t count_of(const struct side *s, const char *text)
{
	size_t marked = 0;

	return count_with(s, text, &marked);
}

static void await(const struct side *s, const char *text)
{
	for (uint64_t due = flow_deadline(); count_of(s, text) == 0;)
		flow_look(&nodes[1], due, "nobody said \"%s\" on %s", text, s->platform);
}

/* One at each platform: returns the number of the first. */
static unsigned ask_all(void)
{
	unsigned first = asked + 1;

	for (size_t i = 0; i < SIDES; i++) {
		char question[24];

		snprintf(question, sizeof(question), "question %u.", ++asked);
		ask(&sides[i], question);
	}
	return first;
}

static void expect_answers(unsigned first)
{
	for (size_t i = 0; i < SIDES; i++) {
		char answer[40];

		snprintf(answer, sizeof(answer), "You said: question %u.", first + (unsigned)i);
		await(&sides[i], answer);
		size_t marked = 0, all = count_with(&sides[i], answer, &marked);
		/* What Telegram may have got already is sent once more. */
		if (all - marked > 1 || marked > (i == 0))
			fail_msg("%zu times on %s, %zu of them marked: %s", all, sides[i].platform, marked,
			    answer);
	}
}

/* How many channels the node serves now. */
static size_t serves(size_t i)
{
	struct json_object *status = flow_status(&nodes[i]), *all = json_get_array(status, "channels");
	size_t n = 0;

	for (size_t k = 0; all && k < json_object_array_length(all); k++) {
		struct json_object *ch = json_object_array_get_idx(all, k);

		n += strcmp(json_get_str(ch, "status"), "ready") == 0 &&
		    strcmp(json_get_str(ch, "type"), "console") != 0;
	}
	json_object_put(status);
	return n;
}

static void await_served(size_t i, size_t count)
{
	flow_until(&nodes[i], serves(i) == count);
}

/* The first serves all, until the second gets its share: the channel whose name is the lowest, Discord's. */
static void start_both(void)
{
	flow_gateway(&nodes[0], true);
	await_served(0, SIDES);
	flow_gateway(&nodes[1], true);
	await_served(1, 1);
}

/* Until the server runs for a lease: before, nobody is taken for dead. */
static void await_settled(void)
{
	static const char left[] =
	    "SELECT ceil(extract(epoch FROM pg_postmaster_start_time() - clock_timestamp()) * 1000)";
	struct store_settings settings = {.engine = STORE_POSTGRES, .url = url};
	struct db db = {0};
	struct error err;
	int64_t since_ms = 0;

	if (db_postgres_open(&db, "/", &settings, false, &err) != 0)
		fail_msg("%s", err.text);
	for (uint64_t due = flow_deadline(); since_ms + LEASE_MS >= 0;) {
		flow_look(&f, due, "the server is always young");
		assert_true(db_number(&db, left, DB_NO_ARGS, &since_ms, &err) > 0);
	}
	db_close(&db);
}

static void what_a_killed_node_served_is_served_by_the_other(void **state)
{
	(void)state;
	await_settled();
	start_both();
	expect_answers(ask_all());
	for (size_t round = 0; round < 3; round++) {
		size_t dies = round % 2;
		uint64_t killed;

		/* It has said all: what it was sending would be left alone for the rest of its lease. */
		flow_gateway_kill(&nodes[dies]);
		killed = flow_now_ms();
		expect_answers(ask_all());
		print_message(
		    "           all answered after %llu ms\n", (unsigned long long)(flow_now_ms() - killed));
		/* Long before its lease has ended. */
		assert_true(flow_now_ms() - killed < LEASE_MS / 2);
		flow_gateway(&nodes[dies], true);
	}
}

static void a_question_that_a_node_died_of_is_answered_once(void **state)
{
	(void)state;
	configure(0, url, "4 s");
	configure(1, url, "4 s");
	start_both();
	for (size_t round = 0; round < 4; round++) {
		size_t dies = round % 2;
		unsigned first = ask_all();

		/* Somewhere between the arrival of one and the answer to another. */
		usleep((useconds_t)(round * 60000));
		flow_gateway_end(&nodes[dies], SIGKILL);
		expect_answers(first);
		await_served(!dies, SIDES);
		flow_gateway(&nodes[dies], true);
	}
}

static bool model_was_asked(const char *text)
{
	struct json_object *o = flow_get(&f, "/control/model");
	bool found = strstr(json_object_to_json_string(o), text) != NULL;

	json_object_put(o);
	return found;
}

/* Nothing of it can go on where it began: its lease is not waited for. */
static void a_question_that_the_model_thinks_about_is_taken_over_at_once(void **state)
{
	uint64_t killed;

	(void)state;
	await_settled();
	start_both();
	ask(&sides[0], "think one");
	flow_until(&nodes[0], model_was_asked("think one"));
	flow_gateway_kill(&nodes[0]);
	killed = flow_now_ms();
	await(&sides[0], "thought of one");
	assert_true(flow_now_ms() - killed < LEASE_MS / 2);
	assert_int_equal(count_of(&sides[0], "thought of one"), 1);
}

static size_t count_in_log(size_t i, const char *text)
{
	char *log = flow_log(&nodes[i]);
	size_t n = 0;

	for (const char *at = log; (at = strstr(at, text)); at++)
		n++;
	free(log);
	return n;
}

static void a_node_that_slept_says_nothing_more(void **state)
{
	static const char ends[] = "the node anna ends at once, and starts again";
	unsigned first;
	size_t ended;

	(void)state;
	configure(0, url, "4 s");
	start_both();
	expect_answers(ask_all());
	first = ask_all();
	usleep(100000);
	kill(nodes[0].gateway, SIGSTOP);
	expect_answers(first);
	await_served(1, SIDES);
	ended = count_in_log(0, ends);
	kill(nodes[0].gateway, SIGCONT);
	flow_until(&nodes[0], count_in_log(0, ends) > ended);
	flow_gateway_await(&nodes[0], true);
	expect_answers(ask_all());
	expect_answers(first);
	flow_until(&nodes[1], serves(0) + serves(1) == SIDES);
}

static void a_node_that_stops_leaves_its_channels_at_once(void **state)
{
	uint64_t began;

	(void)state;
	start_both();
	expect_answers(ask_all());
	assert_int_equal(flow_gateway_end(&nodes[0], SIGTERM), 0);
	began = flow_now_ms();
	await_served(1, SIDES);
	assert_true(flow_now_ms() - began < LEASE_MS / 2);
	expect_answers(ask_all());
	flow_gateway(&nodes[0], true);
	assert_int_equal(flow_gateway_end(&nodes[1], SIGTERM), 0);
	await_served(0, SIDES);
	expect_answers(ask_all());
}

static off_t beats(size_t i)
{
	char *path = flow_file(&nodes[i], "telegram:77", "beats");
	struct stat found = {0};

	if (stat(path, &found) != 0)
		found.st_size = 0;
	free(path);
	return found.st_size;
}

/* What it does cannot be fenced. */
static void a_node_that_is_cut_off_ends_its_commands_before_another_goes_on(void **state)
{
	struct postgres_proxy *proxy = postgres_proxy_new(postgres_server(POSTGRES_FAST), NULL);
	char *database = postgres_database_of(url),
	     *tcp = xasprintf("postgresql://myna@127.0.0.1:%u/%s", postgres_proxy_port(proxy), database);
	off_t before;

	(void)state;
	configure(0, tcp, "4 s");
	start_both();
	ask(&sides[0], "work one");
	flow_until(&nodes[0], beats(0) > 0);
	postgres_proxy_refuse(proxy, true);
	/* The turn goes on there when the lease has ended here. */
	await(&sides[0], "one ended");
	before = beats(0);
	expect_answers(ask_all());
	if (beats(0) != before)
		fail_msg("its command goes on when its lease has ended");
	assert_int_equal(beats(1), 0);
	assert_int_equal(count_of(&sides[0], "its outcome is unknown"), 1);
	postgres_proxy_refuse(proxy, false);
	flow_gateway_await(&nodes[0], true);
	flow_gateway_end(&nodes[0], SIGTERM);
	postgres_proxy_free(proxy);
	free(database);
	free(tcp);
}

static void expect_says(size_t i, int status, const char *text, const char *a, const char *b, const char *c)
{
	char *said;
	int found = flow_myna(&nodes[i], &said, a, b, c, NULL);

	if (found != status || !strstr(said, text))
		fail_msg("myna %s: exit status %d: %s", a, found, said);
	free(said);
}

/* Until myna says so. */
static void await_says(size_t i, const char *text, const char *command)
{
	char *said;

	for (uint64_t due = flow_deadline();; free(said)) {
		flow_myna(&nodes[i], &said, command, NULL);
		if (strstr(said, text))
			break;
		flow_look(&nodes[i], due, "myna %s does not say \"%s\": %s", command, text, said);
	}
	free(said);
}

/* The first serves all but Telegram, the second that. */
static void start_shared(void)
{
	change_config(0, "lease = ", "most_units = 2; lease = ");
	change_config(1, "lease = ", "most_units = 1; lease = ");
	flow_gateway(&nodes[0], true);
	await_served(0, 2);
	flow_gateway(&nodes[1], true);
	await_served(1, 1);
}

static void expect_everywhere(const char *text)
{
	for (size_t i = 0; i < SIDES; i++) {
		await(&sides[i], text);
		assert_int_equal(count_of(&sides[i], text), 1);
	}
}

static void any_node_sends_to_any_channel(void **state)
{
	uint64_t began;

	(void)state;
	start_shared();
	expect_answers(ask_all());
	for (size_t i = 0; i < NODES; i++) {
		char *text = xasprintf("from the node %s", names[i]);

		began = flow_now_ms();
		expect_says(i, 0, "discord:200000000000000001 sent ", "send", "all", text);
		print_message("           sent after %llu ms\n", (unsigned long long)(flow_now_ms() - began));
		/* It does not wait for the end of the patience of a sender. */
		assert_true(flow_now_ms() - began < 9000);
		expect_everywhere(text);
		free(text);
	}
	ask(&sides[0], "/broadcast all from a broadcast");
	await(&sides[0], "Sent to 3 of 3");
	expect_everywhere("from a broadcast");
	ask(&sides[0], "tell from a tool");
	await(&sides[0], "told: ");
	assert_int_equal(count_of(&sides[0], "queued"), 0);
	expect_everywhere("from a tool");
}

/* Gives up what was asked on Telegram last, as if its turn had failed too often: returns the turn, malloc'd.
 */
static char *give_up_last(void)
{
	struct store_settings settings = {.engine = STORE_POSTGRES, .url = url};
	struct db db = {0};
	struct error err;
	int64_t turn = 0;
	char *sql;

	if (db_postgres_open(&db, "/", &settings, false, &err) != 0)
		fail_msg("%s", err.text);
	assert_true(db_number(&db, "SELECT max(turn) FROM inbox WHERE channel = 'telegram'", DB_NO_ARGS,
			&turn, &err) > 0);
	sql = xasprintf(
	    "UPDATE turns SET state = 4 WHERE id = %lld; UPDATE inbox SET state = 3 WHERE turn = %lld",
	    (long long)turn, (long long)turn);
	if (db_script(&db, sql, &err) != 0)
		fail_msg("%s", err.text);
	db_close(&db);
	free(sql);
	return xasprintf("%lld", (long long)turn);
}

/* Only there does a session hear of it. */
static void a_dead_letter_is_retried_where_its_channel_is(void **state)
{
	char *turn;

	(void)state;
	start_shared();
	ask(&sides[0], "again");
	await(&sides[0], "You said: again");
	flow_until(&nodes[1], !flow_turn_runs(&nodes[1]));
	turn = give_up_last();
	expect_says(0, 1, "telegram is served elsewhere (the node bert serves it): run 'myna dead retry ",
	    "dead", "retry", turn);
	expect_says(1, 0, "", "dead", "retry", turn);
	flow_until(&nodes[1], count_of(&sides[0], "You said: again") == 2);
	expect_says(1, 1, "there is no dead letter ", "dead", "retry", turn);
	free(turn);
}

/* Until the node lists who asks to be let in: returns the code, malloc'd. */
static char *await_code(size_t i, const char *who)
{
	for (uint64_t due = flow_deadline();;) {
		char *said, *code = NULL, *at;

		flow_myna(&nodes[i], &said, "chat", "/pair", NULL);
		at = strstr(said, who);
		if (at && at - said >= 8)
			code = xasprintf("%.8s", at - 8);
		free(said);
		if (code)
			return code;
		flow_look(&nodes[i], due, "/pair does not list %s", who);
	}
}

/* The console may be of another node than the channel about which it decides. */
static void a_role_that_one_node_grants_is_in_force_on_the_other(void **state)
{
	static const struct side mary = {"telegram", "88", "private", "", "88"},
				 carl = {"telegram", "99", "private", "", "99"};
	char *code, *pair;

	(void)state;
	start_both();
	expect_says(1, 0, "on telegram now", "chat", "/allow telegram:88", NULL);
	flow_await_log(&nodes[0], "granted elsewhere role=user id=\"88\"");
	ask(&mary, "one");
	await(&mary, "You said: one");
	expect_says(1, 0, "on telegram any more", "chat", "/deny telegram:88", NULL);
	flow_await_log(&nodes[0], "granted elsewhere role=nobody id=\"88\"");
	ask(&mary, "two");
	/* The code that a stranger is given is valid everywhere. */
	ask(&carl, "hello");
	code = await_code(1, ": id 99 on telegram");
	pair = xasprintf("/pair %s", code);
	expect_says(1, 0, "on telegram may talk to me", "chat", pair, NULL);
	flow_await_log(&nodes[0], "granted elsewhere role=user id=\"99\"");
	ask(&carl, "three");
	await(&carl, "You said: three");
	assert_int_equal(count_of(&mary, "You said: two"), 0);
	free(pair);
	free(code);
}

/* Asks again after each answer, until one has this text. */
static void ask_until(const struct side *s, const char *text)
{
	static const char refused[] = "lift it for today";

	for (unsigned n = 1; count_of(s, text) == 0; n++) {
		char *question = xasprintf("again %u.", n), *answer = xasprintf("You said: again %u.", n);
		size_t before = count_of(s, refused);

		ask(s, question);
		flow_until(&nodes[1], count_of(s, answer) > 0 || count_of(s, refused) > before);
		free(question);
		free(answer);
	}
}

/* Each node counts what the other one spends, and what is set on the other one. */
static void a_budget_holds_over_all_nodes(void **state)
{
	(void)state;
	for (size_t i = 0; i < NODES; i++)
		change_config(
		    i, "^channels: {", "budgets = ( { scope = \"all\"; calls = 4; } );\\nchannels: {");
	start_shared();
	for (size_t i = 0; i < 4; i++) {
		char *text = xasprintf("question %zu.", i), *answer = xasprintf("You said: question %zu.", i);

		ask(&sides[i % 2], text);
		await(&sides[i % 2], answer);
		free(text);
		free(answer);
	}
	ask_until(&sides[0], "lift it for today");
	ask(&sides[0], "/budget all lift");
	ask_until(&sides[1], "You said: again");
}

static char *make_file(void)
{
	char *path = xasprintf("%s/a.txt", f.dir);
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fputs("a file\n", out);
	assert_int_equal(fclose(out), 0);
	return path;
}

static void make_folder(size_t i, const char *folder)
{
	char *shared = xasprintf("shared = \"%s\"; lease = ", folder);

	if (mkdir(folder, 0700) != 0)
		assert_int_equal(access(folder, F_OK), 0);
	change_config(i, "lease = ", shared);
	free(shared);
}

static void what_was_noted_moves_with_the_channel(void **state)
{
	char *folder = xasprintf("%s/shared", f.dir), *other = xasprintf("%s/other", f.dir),
	     *path = make_file(), *said;

	(void)state;
	/* Another folder is refused, before it is written to. */
	make_folder(0, folder);
	make_folder(1, other);
	flow_gateway(&nodes[0], true);
	await_served(0, SIDES);
	expect_says(1, 1, "is not the one that the nodes of this cluster share", "run", NULL, NULL);
	change_config(1, "/other", "/shared");
	flow_gateway(&nodes[1], true);
	ask(&sides[0], "note the cat is grey");
	await(&sides[0], "noted");
	/* The other node puts it, and this one reads it. */
	assert_int_equal(
	    flow_myna(&nodes[1], &said, "send", "--file", path, "telegram:77", "with a file", NULL), 0);
	free(said);
	assert_int_equal(flow_gateway_end(&nodes[0], SIGTERM), 0);
	await_served(1, SIDES);
	ask(&sides[0], "recall");
	await(&sides[0], "the cat is grey");
	free(folder);
	free(other);
	free(path);
}

/* As a start leaves it that was interrupted. */
static void a_mark_of_the_shared_folder_that_is_not_whole_is_named(void **state)
{
	char *folder = xasprintf("%s/shared", f.dir), *mark = xasprintf("%s/.myna-shared", folder),
	     *told = xasprintf("myna: %s, which marks the folder, cannot be read or is not whole.", mark);
	char *all = xasprintf("%s*", mark);
	glob_t found;
	FILE *out;

	(void)state;
	make_folder(0, folder);
	make_folder(1, folder);
	assert_non_null(out = fopen(mark, "w"));
	assert_int_equal(fclose(out), 0);
	expect_says(0, 1, told, "run", NULL, NULL);
	assert_int_equal(unlink(mark), 0);
	flow_gateway(&nodes[0], true);
	flow_gateway(&nodes[1], true);
	/* Nothing is left of what it was made from. */
	assert_int_equal(glob(all, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	globfree(&found);
	free(folder);
	free(mark);
	free(told);
	free(all);
}

static void without_a_shared_folder_a_file_goes_to_the_own_channels_alone(void **state)
{
	char *path = make_file(), *said;

	(void)state;
	start_both();
	assert_int_equal(
	    flow_myna(&nodes[1], &said, "send", "--file", path, "telegram:77", "a file", NULL), 1);
	if (!strstr(said, "Another node serves the channel telegram, and does not have this file."))
		fail_msg("%s", said);
	free(said);
	expect_says(1, 1, "warning  cluster.shared: The nodes share no folder", "doctor", NULL, NULL);
	free(path);
}

static void a_channel_stays_at_its_home(void **state)
{
	(void)state;
	for (size_t i = 0; i < NODES; i++)
		change_config(i, "allow = .\"77\"", "home = \"anna\"; allow = [\"77\"");
	flow_gateway(&nodes[1], true);
	await_served(1, SIDES - 1);
	expect_says(1, 1, "channel telegram: no node serves it: its home, the node anna, does not", "doctor",
	    NULL, NULL);
	expect_says(
	    1, 1, "fix: Start that node, or take home out of the configuration.", "doctor", NULL, NULL);
	flow_gateway(&nodes[0], true);
	await_served(0, 1);
	expect_answers(ask_all());
	/* Names that no node can have, and a gateway that is none. */
	change_config(0, "home = \"anna\"", "home = \"no node\"");
	expect_says(0, 1, "home \"no node\" is no name that a node can have.", "check", NULL, NULL);
	change_config(0, "^cluster = .*", "");
	expect_says(
	    0, 1, "home is for the nodes of a cluster, and this gateway is none", "check", NULL, NULL);
}

static void what_is_sent_to_a_channel_of_nobody_is_said_and_goes_out_later(void **state)
{
	(void)state;
	start_shared();
	expect_answers(ask_all());
	assert_int_equal(flow_gateway_end(&nodes[0], SIGTERM), 0);
	await_says(1, "no node serves slack, discord\n", "status");
	expect_says(1, 2, "slack:C0TEAM queued No node serves the channel slack now.", "send", "slack:C0TEAM",
	    "for later");
	assert_int_equal(count_of(&sides[1], "for later"), 0);
	flow_gateway(&nodes[0], true);
	await(&sides[1], "for later");
	assert_int_equal(count_of(&sides[1], "for later"), 1);
}

static void run_sql(const char *sql)
{
	struct store_settings settings = {.engine = STORE_POSTGRES, .url = url};
	struct db db = {0};
	struct error err;

	if (db_postgres_open(&db, "/", &settings, false, &err) != 0 || db_script(&db, sql, &err) != 0)
		fail_msg("%s: %s", sql, err.text);
	db_close(&db);
}

static double metric(size_t i, const char *series)
{
	static const char listens[] = "listening on 127.0.0.1:0 port=";
	char *log = flow_log(&nodes[i]), *at = strstr(log, listens);
	struct client_request req = {.header = "Authorization: Bearer " TOKEN};
	struct client_reply reply;
	double value;

	assert_non_null(at);
	req.url = xasprintf("http://127.0.0.1:%ld/metrics", strtol(at + strlen(listens), NULL, 10));
	client_send(&req, &reply);
	exposition_check(reply.body);
	value = exposition_value(reply.body, series);
	client_reply_clear(&reply);
	free((char *)(uintptr_t)req.url);
	free(log);
	return value;
}

static void each_node_shows_all(void **state)
{
	struct json_object *status, *cluster;

	(void)state;
	start_both();
	expect_says(1, 0, "node anna: up ", "status", NULL, NULL);
	expect_says(1, 0, ", serves slack, telegram\nnode bert (this one): up ", "status", NULL, NULL);
	expect_says(1, 0, ", serves discord\n", "status", NULL, NULL);
	expect_says(1, 0, "telegram (telegram): elsewhere, the node anna serves it", "status", NULL, NULL);
	status = flow_status(&nodes[0]);
	cluster = json_get_object(status, "cluster");
	assert_string_equal(client_at(cluster, "node"), "anna");
	assert_string_equal(client_at(cluster, "nodes.0.state"), "alive");
	assert_string_equal(client_at(cluster, "nodes.0.channels.1"), "telegram");
	assert_true(strtol(client_at(cluster, "nodes.1.lease_ms"), NULL, 10) > LEASE_MS / 2);
	assert_int_equal(json_object_array_length(json_get_array(cluster, "unowned")), 0);
	json_object_put(status);
	ask(&sides[0], "/status");
	await(&sides[0], "node bert: up ");
	assert_int_equal(metric(1, "myna_node_channels{node=\"anna\"}"), SIDES - 1);
	assert_int_equal(metric(1, "myna_channels_without_node"), 0);
	assert_true(metric(0, "myna_node_lease_seconds{node=\"bert\"}") > LEASE_MS / 2000.0);
	run_sql("UPDATE nodes SET version = '0.0.1' WHERE node = 'bert'");
	expect_says(0, 1, "bert has 0.0.1", "doctor", NULL, NULL);
	assert_int_equal(metric(0, "myna_node_up{node=\"bert\",version=\"0.0.1\"}"), 1);
}

static void nodes_with_different_configurations_are_told_apart(void **state)
{
	static const char differ[] = "warning  configurations of the nodes: anna has ";
	char *said;

	(void)state;
	for (size_t i = 0; i < NODES; i++)
		change_config(i, "external = [^;]*;", "");
	/* How it is written does not matter. */
	change_config(1, "^targets: {", "# A remark.\\ntargets :\\n{");
	start_both();
	await_says(1, "configuration ", "status");
	flow_myna(&nodes[1], &said, "doctor", NULL);
	assert_null(strstr(said, "configurations of the nodes"));
	free(said);
	change_config(0, "^targets: {", "name = \"Mynah\"; targets: {");
	expect_says(0, 0, "The configuration is in force.", "reload", NULL, NULL);
	await_says(1, differ, "doctor");
	change_config(1, "^# A remark.", "name = \"Mynah\";");
	kill(nodes[1].gateway, SIGHUP);
	for (uint64_t due = flow_deadline();; free(said)) {
		flow_myna(&nodes[0], &said, "doctor", NULL);
		if (!strstr(said, "configurations of the nodes"))
			break;
		flow_look(&nodes[0], due, "doctor still finds: %s", said);
	}
	free(said);
}

static void a_node_that_is_gone_is_missed_and_one_that_stopped_is_not(void **state)
{
	(void)state;
	await_settled();
	change_config(1, "lease = ", "most_units = 2; lease = ");
	start_both();
	flow_gateway_kill(&nodes[0]);
	await_says(1, "BAD      node anna: gone for ", "doctor");
	expect_says(1, 1, "fix: Start it again.", "doctor", NULL, NULL);
	expect_says(1, 0, "node anna: gone for ", "status", NULL, NULL);
	await_served(1, 2);
	await_says(1, "BAD      channel telegram: no node serves it", "doctor");
	expect_says(1, 0, "no node serves telegram\n", "status", NULL, NULL);
	assert_int_equal(metric(1, "myna_channels_without_node"), 1);
	flow_gateway(&nodes[0], true);
	await_served(0, 1);
	await_says(1, "ok       node anna: up ", "doctor");
	assert_int_equal(flow_gateway_end(&nodes[0], SIGTERM), 0);
	await_says(1, "no node serves telegram\n", "status");
	expect_says(1, 1, "ok       node bert: up ", "doctor", NULL, NULL);
	run_sql("DO $$ BEGIN ASSERT (SELECT count(*) FROM members) = 1; END $$");
}

static void a_second_node_of_a_name_does_not_start(void **state)
{
	(void)state;
	flow_gateway(&nodes[0], true);
	change_config(1, "\"bert\"", "\"anna\"");
	expect_says(1, 1, "another node named \"anna\" uses the database", "run", NULL, NULL);
	await_served(0, SIDES);
}

static void without_a_database_that_is_shared_it_is_refused(void **state)
{
	char *place = xasprintf("%s/myna.conf:4: cluster needs a database", nodes[0].dir);

	(void)state;
	change_config(0, "^store = .*", "");
	expect_says(0, 1, place, "check", NULL, NULL);
	free(place);
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
	    IN_FLOW(what_a_killed_node_served_is_served_by_the_other),
	    IN_FLOW(a_question_that_a_node_died_of_is_answered_once),
	    IN_FLOW(a_question_that_the_model_thinks_about_is_taken_over_at_once),
	    IN_FLOW(a_node_that_slept_says_nothing_more),
	    IN_FLOW(a_node_that_stops_leaves_its_channels_at_once),
	    IN_FLOW(a_node_that_is_cut_off_ends_its_commands_before_another_goes_on),
	    IN_FLOW(any_node_sends_to_any_channel),
	    IN_FLOW(a_dead_letter_is_retried_where_its_channel_is),
	    IN_FLOW(a_role_that_one_node_grants_is_in_force_on_the_other),
	    IN_FLOW(a_budget_holds_over_all_nodes),
	    IN_FLOW(what_was_noted_moves_with_the_channel),
	    IN_FLOW(a_mark_of_the_shared_folder_that_is_not_whole_is_named),
	    IN_FLOW(without_a_shared_folder_a_file_goes_to_the_own_channels_alone),
	    IN_FLOW(a_channel_stays_at_its_home),
	    IN_FLOW(what_is_sent_to_a_channel_of_nobody_is_said_and_goes_out_later),
	    IN_FLOW(each_node_shows_all),
	    IN_FLOW(nodes_with_different_configurations_are_told_apart),
	    IN_FLOW(a_node_that_is_gone_is_missed_and_one_that_stopped_is_not),
	    IN_FLOW(a_second_node_of_a_name_does_not_start),
	    IN_FLOW(without_a_database_that_is_shared_it_is_refused),
	};
	const struct CMUnitTest missing[] = {cmocka_unit_test(a_server_is_installed)};

	return postgres_is_there() ? cmocka_run_group_tests(tests, NULL, NULL) :
				     cmocka_run_group_tests(missing, NULL, NULL);
}
