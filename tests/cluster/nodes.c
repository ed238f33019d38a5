#include "cluster/nodes.h"

#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "cluster/ledger.h"
#include "lib/postgres.h"
#include "lib/postgres_proxy.h"
#include "store/db.h"
#include "store/postgres/db_postgres.h"
#include "store/settings.h"

/* The lock on which a gate lets wait. */
#define GATE "4242, 1"

struct flow platforms;
struct node nodes[NODES] = {{.name = "anna"}, {.name = "bert"}, {.name = "carl"}};
const char *const sides[SIDES] = {"telegram", "slack", "discord"};
const char *const step_names[STEP_COUNT] = {"received", "begun", "ended", "sending", "sent"};

static struct {
	char *url;
	int64_t lease_ms;
	unsigned units;
	struct db db;
} all;

/* Every answer has the number of its question. */
static const char script[] =
    "{\"skip\": \"^(\\\\[[^]\\n]*\\\\]\\n(> [^\\n]*\\n)*)+\", \"rules\": ["
    "{\"when\": \"question ([0-9]+)\", \"steps\": [{\"text\": \"It is <{{1}}>.\"}]},"
    "{\"when\": \"long ([0-9]+)\", \"steps\": [{\"text\": \"It begins. %s It is <{{1}}>.\"}]},"
    "{\"when\": \"work ([0-9]+)\", \"steps\": [{\"calls\": [{\"name\": \"busy\", \"arguments\": {}}]}, "
    "{\"text\": \"It is <{{1}}>: {{result}}\"}]}], \"else\": {\"steps\": [{\"text\": \"What?\"}]}}";
/* More than Telegram takes in one message. */
#define LONG_WORDS 900

/*
 * A deferred trigger runs within the commit, when the node has proved that it lives: whoever buries it waits
 * for the end of that commit. So the owner that it sees is the owner at the time of the commit. The name of
 * the node comes with its connection.
 */
static const char watch[] =
    "CREATE SCHEMA proof;"
    "CREATE TABLE proof.violations (what text, at timestamptz DEFAULT clock_timestamp());"
    "CREATE TABLE proof.gates (channel text, step text, late bool, part int);"
    "CREATE SEQUENCE proof.commits;"
    "CREATE FUNCTION proof.wait(c text, s text, l bool, p int) RETURNS void LANGUAGE plpgsql AS $$ BEGIN "
    "IF EXISTS (SELECT FROM proof.gates WHERE channel = c AND step = s AND late = l AND (part = 0 OR part = "
    "p)) "
    "THEN PERFORM pg_advisory_xact_lock(" GATE "); END IF; END $$;"
    "CREATE TABLE proof.units (count int);"
    /* The unit of Discord's bot that has a chat. */
    "CREATE FUNCTION proof.unit(c text, h text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE n int; BEGIN "
    "SELECT value::numeric % (SELECT count FROM proof.units) INTO n FROM cursors WHERE c = 'discord' AND "
    "account = c AND name = 'place ' || h; RETURN CASE WHEN n > 0 THEN c || '#' || n ELSE c END; END $$;"
    "CREATE FUNCTION proof.step() RETURNS trigger LANGUAGE plpgsql AS $$ "
    "DECLARE late bool := TG_ARGV[0] = 'late'; me text := current_setting('application_name'); c text; o "
    "text; "
    "s text; p int := 0; h text; BEGIN "
    "IF TG_TABLE_NAME = 'turns' THEN SELECT channel, chat INTO c, h FROM sessions WHERE id = NEW.session; "
    "ELSE c := NEW.channel; h := NEW.chat; END IF;"
    "IF TG_TABLE_NAME = 'inbox' THEN s := 'received'; "
    "ELSIF TG_TABLE_NAME = 'turns' THEN s := CASE NEW.state WHEN 0 THEN 'begun' WHEN 1 THEN 'ended' END; "
    "ELSE s := CASE NEW.state WHEN 1 THEN 'sending' WHEN 2 THEN 'sent' END; p := NEW.part; END IF;"
    "PERFORM proof.wait(c, s, late, p);"
    "IF late THEN PERFORM nextval('proof.commits'); SELECT node INTO o FROM owners WHERE unit = "
    "proof.unit(c, h); "
    "IF o <> me AND s IS NOT NULL THEN INSERT INTO proof.violations VALUES (me || ' committed ' || s || ' of "
    "' || "
    "c || ', which ' || coalesce(nullif(o, ''), 'nobody') || ' has'); END IF; END IF;"
    "RETURN NULL; END $$;"
    "CREATE FUNCTION proof.owner() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    "IF NEW.epoch < OLD.epoch OR (NEW.node NOT IN ('', OLD.node) AND NEW.epoch <> OLD.epoch + 1) THEN INSERT "
    "INTO "
    "proof.violations VALUES (NEW.unit || ': epoch ' || OLD.epoch || ' of ' || OLD.node || ', then ' || "
    "NEW.epoch "
    "|| ' of ' || NEW.node); END IF; RETURN NULL; END $$;"
    "CREATE TRIGGER proof_owner AFTER UPDATE ON owners FOR EACH ROW EXECUTE FUNCTION proof.owner();";

static const char watch_table[] =
    "CREATE TRIGGER proof_step AFTER INSERT OR UPDATE OF state ON %s FOR EACH ROW EXECUTE FUNCTION "
    "proof.step('early'); CREATE CONSTRAINT TRIGGER proof_commit AFTER INSERT OR UPDATE OF state ON %s "
    "DEFERRABLE "
    "INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION proof.step('late');";

/* Makes a connection where there is none: the server may have been away. */
static bool reach(struct error *err)
{
	struct store_settings settings = {.engine = STORE_POSTGRES, .url = all.url};

	if (all.db.handle && all.db.lost) {
		db_close(&all.db);
		all.db = (struct db){0};
	}
	return all.db.handle || db_postgres_open(&all.db, "/", &settings, false, err) == 0;
}

/* After a failure: until the server is there again. */
static void await_server(const char *sql, uint64_t due, const struct error *err)
{
	if (all.db.handle && !all.db.lost)
		fail_msg("%s: %s", sql, err->text);
	flow_look(&platforms, due, "the database never came back: %s", err->text);
}

static int64_t number_of(const char *sql, const struct db_value *values, size_t count)
{
	struct error err = {0};
	int64_t n = 0;

	for (uint64_t due = flow_deadline();; await_server(sql, due, &err))
		if (reach(&err) && db_number(&all.db, sql, values, count, &n, &err) >= 0)
			return n;
}

int64_t nodes_number(const char *sql)
{
	return number_of(sql, DB_NO_ARGS);
}

void nodes_show_journal(void)
{
	static const char sql[] =
	    "SELECT chat || ': inbox ' || id || ', state ' || state || ', turn ' || turn || ': ' || text "
	    "FROM inbox "
	    "UNION ALL SELECT s.chat || ': turn ' || t.id || ', state ' || t.state || ', attempts ' || "
	    "t.attempts "
	    "FROM turns t JOIN sessions s ON s.id = t.session UNION ALL SELECT chat || ': outbox ' || id || "
	    "', state ' || state || ', turn ' || turn || ', attempts ' || attempts || ': ' || text FROM "
	    "outbox "
	    "UNION ALL SELECT unit || ': of ' || node || ', epoch ' || epoch FROM owners "
	    "UNION ALL SELECT 'the database saw a wrong commit: ' || what FROM proof.violations ORDER BY 1";
	struct error err = {0};
	struct db_row *row = reach(&err) ? db_select(&all.db, sql, DB_NO_ARGS, &err) : NULL;

	while (row && db_next(&all.db, row, &err) > 0) {
		char *text = db_column_text(row, 0);

		fprintf(stderr, "%s\n", text);
		free(text);
	}
	if (err.text[0])
		fprintf(stderr, "%s\n", err.text);
}

void nodes_do(const char *fmt, ...)
{
	struct buf sql = BUF_INIT;
	struct error err = {0};
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&sql, fmt, ap);
	va_end(ap);
	for (uint64_t due = flow_deadline(); !reach(&err) || db_script(&all.db, sql.data, &err) != 0;)
		await_server(sql.data, due, &err);
	buf_clear(&sql);
}

void nodes_move_database(const char *server)
{
	if (all.db.handle)
		db_close(&all.db);
	all.db = (struct db){0};
	free(all.url);
	all.url = postgres_url(server, "postgres");
	for (size_t i = 0; i < NODES; i++)
		postgres_proxy_move(nodes[i].database, server);
}

/* Runs until there is another file, or until it is ended, and shows that it does: a byte at a time in a file.
 */
static void put_busy_tool(const struct flow *f)
{
	/* Programs run as somebody else when we are root. */
	assert_int_equal(chmod(f->dir, 0755), 0);
	flow_put_tool(f, "busy", "{}", "until [ -e enough ]; do printf x >>beats; sleep 0.02; done\n");
}

void nodes_end_busy(const struct node *n)
{
	char *pattern = xasprintf("%s/state/workspace/chat/*", n->flow.dir), *path;
	glob_t paths = {0};

	glob(pattern, 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		path = xasprintf("%s/enough", paths.gl_pathv[i]);
		assert_int_equal(close(creat(path, 0644)), 0);
		free(path);
	}
	globfree(&paths);
	free(pattern);
}

int64_t nodes_beats(const struct node *n)
{
	char *pattern = xasprintf("%s/state/workspace/chat/*/beats", n->flow.dir);
	struct stat found = {0};
	glob_t paths = {0};
	int64_t beats = 0;

	glob(pattern, 0, NULL, &paths);
	for (size_t i = 0; i < paths.gl_pathc; i++)
		if (stat(paths.gl_pathv[i], &found) == 0)
			beats += found.st_size;
	globfree(&paths);
	free(pattern);
	return beats;
}

static void configure(const struct node *n, const char *more)
{
	char *path = xasprintf("%s/myna.conf", n->flow.dir), *database = postgres_database_of(all.url);
	char *api = xasprintf("http://127.0.0.1:%u", postgres_proxy_port(n->platforms));
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	fprintf(out,
	    "state = \"%s/state\"; log_level = \"debug\"; %s\n"
	    "store = { engine = \"postgres\"; url = "
	    "\"postgresql://myna@127.0.0.1:%u/%s?application_name=%s\"; };\n"
	    "cluster = { node = \"%s\"; lease = \"%lld ms\"; };\n"
	    "tools: { sandbox = \"S0\"; external = \"%s/ext\"; external_time = \"5 min\"; };\n"
	    "channels: {\n"
	    "  telegram: { type = \"telegram\"; token = "
	    "\"4242424242:AAEflowTestTokenOfTheFlowTests0123456\";\n"
	    "    api_base = \"%s/telegram\"; poll_timeout = \"2 s\"; allow = [\"*\"]; rate_private = 0; "
	    "rate_global = "
	    "0; };\n"
	    "  slack: { type = \"slack\"; bot_token = \"xoxb-1-2-across\"; app_token = "
	    "\"xapp-1-A1-2-across\";\n"
	    "    api_base = \"%s/slack/api\"; allow = [\"*\"]; rate_chat = 0; rate_global = 0; };\n"
	    "  discord: { type = \"discord\"; token = "
	    "\"MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcDe.flowTestTokenOfTheFlowTests0123456\";\n"
	    "    api_base = \"%s/discord/api/v10\"; allow = [\"*\"]; rate_channel = 0; rate_global = 0; "
	    "units = %u; };\n"
	    "};\n"
	    "llm: { default = \"script\"; providers: { script: { api = \"openai-chat\"; base_url = "
	    "\"%s/v1\";\n"
	    "  key = \"a-key-for-tests\"; model = \"scripted\"; }; }; };\n",
	    n->flow.dir, more, postgres_proxy_port(n->database), database, n->name, n->name,
	    (long long)all.lease_ms, n->flow.dir, api, api, api, all.units, platforms.url);
	assert_int_equal(fclose(out), 0);
	chmod(path, 0600);
	free(api);
	free(path);
	free(database);
}

void nodes_put_twin(struct flow *twin, const struct node *n)
{
	char *copy;

	flow_make(twin);
	copy = xasprintf("sed 's,%s/state,%s/state,' %s/myna.conf >%s/myna.conf && chmod 600 %s/myna.conf",
	    n->flow.dir, twin->dir, n->flow.dir, twin->dir, twin->dir);
	assert_int_equal(system(copy), 0);
	free(copy);
}

static void start_platforms(void)
{
	struct buf words = BUF_INIT;
	char *text;

	for (int i = 0; i < LONG_WORDS; i++)
		buf_addstr(&words, "words ");
	text = xasprintf(script, words.data);
	flow_start_script(&platforms, text);
	free(text);
	buf_clear(&words);
	/* Slack itself tries again after a minute. */
	json_object_put(flow_control(&platforms, "settings",
	    "{\"slack\":{\"limits\":false,\"ping_ms\":1000,\"pong_ms\":5000,\"retry_ms\":[0,1500,10000]}}"));
	json_object_put(flow_control(&platforms, "settings", "{\"telegram\":{\"limits\":false}}"));
	json_object_put(flow_control(&platforms, "settings", "{\"discord\":{\"limits\":false}}"));
}

void nodes_divide(unsigned units)
{
	all.units = units;
}

void nodes_make(int64_t lease_ms, const char *server, const char *more)
{
	start_platforms();
	all.lease_ms = lease_ms;
	all.units = all.units > 0 ? all.units : 1;
	all.url = server ? postgres_url(server, "postgres") : postgres_new_database(POSTGRES_FAST);
	for (size_t i = 0; i < NODES; i++) {
		struct node *n = &nodes[i];

		flow_make(&n->flow);
		memcpy(n->flow.url, platforms.url, sizeof(platforms.url));
		put_busy_tool(&n->flow);
		n->database = postgres_proxy_new(server ? server : postgres_server(POSTGRES_FAST), NULL);
		n->platforms =
		    postgres_proxy_new_port((unsigned)strtoul(strrchr(platforms.url, ':') + 1, NULL, 10));
		configure(n, more);
	}
}

static void begin_watch(void)
{
	static const char *const tables[] = {"inbox", "turns", "outbox"};

	nodes_do("%s", watch);
	nodes_do("INSERT INTO proof.units VALUES (%u)", all.units);
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		nodes_do(watch_table, tables[i], tables[i]);
}

void nodes_start(struct node *n)
{
	flow_run(&n->flow);
	/* The first one makes the tables. */
	if (nodes_number("SELECT count(*) FROM pg_namespace WHERE nspname = 'proof'") == 0) {
		flow_gateway_await(&n->flow, false);
		begin_watch();
	}
}

void nodes_start_all(void)
{
	for (size_t i = 0; i < NODES; i++)
		if (nodes[i].flow.gateway <= 0)
			nodes_start(&nodes[i]);
	nodes_await();
}

void nodes_begin(int64_t lease_ms)
{
	nodes_make(lease_ms, NULL, "");
	nodes_start_all();
}

void nodes_judge(void)
{
	int64_t commits = nodes_number("SELECT last_value FROM proof.commits");
	struct error err;
	struct db_row *row =
	    db_select(&all.db, "SELECT what FROM proof.violations ORDER BY at LIMIT 1", DB_NO_ARGS, &err);

	assert_non_null(row);
	if (db_next(&all.db, row, &err) > 0)
		fail_msg("the database saw a wrong commit: %s", db_column_text(row, 0));
	/* It saw the right ones. */
	assert_true(commits > 1);
}

void nodes_end(void)
{
	if (all.db.handle)
		db_close(&all.db);
	all.db = (struct db){0};
	for (size_t i = 0; i < NODES; i++) {
		if (nodes[i].flow.gateway > 0)
			kill(nodes[i].flow.gateway, SIGCONT);
		flow_stop(&nodes[i].flow);
		postgres_proxy_free(nodes[i].database);
		postgres_proxy_free(nodes[i].platforms);
	}
	flow_stop(&platforms);
	free(all.url);
	all.url = NULL;
	all.units = 0;
}

void nodes_kill(struct node *n)
{
	if (flow_gateway_end(&n->flow, SIGKILL) != -SIGKILL)
		fail_msg("the node %s had ended before", n->name);
}

struct node *nodes_owner_of(const char *unit)
{
	static const char sql[] = "SELECT count(*) FROM owners WHERE unit = ?1 AND node = ?2";

	for (size_t i = 0; i < NODES; i++)
		if (number_of(sql, DB_ARGS(db_text(unit), db_text(nodes[i].name))) > 0)
			return &nodes[i];
	return NULL;
}

struct node *nodes_owner(size_t side)
{
	return nodes_owner_of(sides[side]);
}

struct node *nodes_await_other(size_t side, const struct node *former)
{
	struct node *n = NULL;

	flow_until(&platforms, (n = nodes_owner(side)) && n != former);
	return n;
}

struct node *nodes_await_owner(size_t side)
{
	return nodes_await_other(side, NULL);
}

size_t nodes_log_count(const struct node *n, const char *text)
{
	struct flow f = n->flow;
	char *log = flow_log(&f);
	size_t count = 0;

	for (const char *at = log; (at = strstr(at, text)); at++)
		count++;
	free(log);
	return count;
}

/* How many channels of the platforms are ready at the node; -1: it has not started. */
static int ready_at(struct node *n)
{
	struct json_object *status = flow_status(&n->flow), *list = json_get_array(status, "channels");
	int count = json_get_bool(status, "ready", false) ? 0 : -1;

	for (size_t i = 0; count >= 0 && list && i < json_object_array_length(list); i++) {
		struct json_object *ch = json_object_array_get_idx(list, i);

		count += strcmp(json_get_str(ch, "status"), "ready") == 0 &&
		    strcmp(json_get_str(ch, "type"), "console") != 0;
	}
	json_object_put(status);
	return count;
}

/* No channel moves, as everybody has a share. */
static bool is_balanced(int running)
{
	int share = (SIDES + (int)all.units - 1) / running;

	return nodes_number("SELECT count(*) FROM owners WHERE wanted <> ''") == 0 &&
	    (share == 0 ||
		number_of(
		    "SELECT count(*) FROM (SELECT node FROM owners GROUP BY node HAVING count(*) >= ?1) AS "
		    "shares",
		    DB_ARGS(db_int(share))) >= running);
}

void nodes_await(void)
{
	for (uint64_t due = flow_deadline();;
	     flow_look(&nodes[0].flow, due, "not all channels became ready")) {
		int sum = 0, running = 0;
		bool up = true;

		for (size_t i = 0; i < NODES; i++) {
			int count = nodes[i].flow.gateway > 0 ? ready_at(&nodes[i]) : 0;

			up &= count >= 0;
			sum += count;
			running += nodes[i].flow.gateway > 0;
		}
		if (up && sum == SIDES + (int)all.units - 1 && is_balanced(running))
			return;
	}
}

void nodes_await_quiet(void)
{
	flow_until(&platforms,
	    nodes_number(
		"SELECT (SELECT count(*) FROM outbox WHERE state < 2) + (SELECT count(*) FROM turns WHERE "
		"state = 0)") == 0);
}

void nodes_await_settled(void)
{
	flow_until(&platforms,
	    nodes_number("SELECT (extract(epoch FROM clock_timestamp() - pg_postmaster_start_time()) * "
			 "1000)::bigint") > all.lease_ms);
}

static int64_t lease_end(const struct node *n)
{
	return number_of("SELECT until_ms FROM nodes WHERE node = ?1", DB_ARGS(db_text(n->name)));
}

int64_t nodes_moves(void)
{
	return nodes_number("SELECT sum(epoch)::bigint FROM owners");
}

void nodes_await_lease(const struct node *n)
{
	int64_t now = lease_end(n);

	flow_until(&platforms, lease_end(n) > now + all.lease_ms);
}

void gate_close(size_t side, enum step step, bool late, int part)
{
	nodes_do("SELECT pg_advisory_lock(" GATE "); INSERT INTO proof.gates VALUES ('%s', '%s', %s, %d)",
	    sides[side], step_names[step], late ? "true" : "false", part);
}

void gate_await(struct node *n)
{
	for (uint64_t due = flow_deadline();
	     nodes_number(
		 "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 4242 AND NOT "
		 "granted AND database = (SELECT oid FROM pg_database WHERE datname = "
		 "current_database())") == 0;)
		flow_look(&n->flow, due, "nothing came to the gate");
}

void gate_open(void)
{
	nodes_do("DELETE FROM proof.gates; SELECT pg_advisory_unlock(" GATE ")");
}

int nodes_setup(void **state)
{
	(void)state;
	ledger_begin();
	nodes_begin(NODES_LEASE_MS);
	return 0;
}

int nodes_teardown(void **state)
{
	(void)state;
	nodes_end();
	return 0;
}

static void a_server_is_installed(void **state)
{
	(void)state;
	print_message("PostgreSQL's server is not installed (Debian: postgresql)\n");
	skip();
}

int nodes_run_tests(const struct CMUnitTest *tests, size_t count)
{
	const struct CMUnitTest missing[] = {cmocka_unit_test(a_server_is_installed)};

	if (!postgres_is_there())
		return cmocka_run_group_tests(missing, NULL, NULL);
	return _cmocka_run_group_tests("cluster", tests, count, NULL, NULL);
}
