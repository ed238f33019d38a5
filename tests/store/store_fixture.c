#include "store/store_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus/address.h"
#include "bus/message.h"
#include "lib/postgres.h"
#include "store/db_engine.h"
#include "store/postgres/db_postgres.h"

enum store_engine_name fixture_engine;
bool fixture_durable;
struct fixture_body fixture_both;

/* Databases of this program: making one takes longer than emptying it. */
static struct {
	char *url;
	bool used;
} databases[4];

/* Leaves the tables as a new store finds them. */
static const char empty[] =
    "DO $$ DECLARE t RECORD; BEGIN FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND "
    "tablename NOT IN ('meta', 'writers') LOOP EXECUTE 'DELETE FROM ' || t.tablename; END LOOP; PERFORM "
    "setval(sequencename::regclass, 1, false) FROM pg_sequences WHERE sequencename <> 'meta_id_seq'; IF "
    "to_regclass('meta') IS NOT NULL THEN UPDATE meta "
    "SET value = 0 WHERE name <> 'version'; END IF; END $$";

struct fixture_beside {
	struct db db;
	char *contents; /* the statement that reads all tables */
};

static struct db *beside(const struct fixture *p)
{
	struct error err;

	if (!p->beside->db.handle)
		assert_ok(db_postgres_open(&p->beside->db, p->dir, &p->engine, false, &err), err);
	return &p->beside->db;
}

static void do_postgres(const struct fixture *p, const char *sql)
{
	struct error err;

	if (db_script(beside(p), sql, &err) != 0)
		fail_msg("%s: %s", sql, err.text);
}

int fixture_rewind_ids(struct db *db, struct error *err)
{
	static const char all[] = "SELECT 'SELECT ' || string_agg('setval(''' || sequencename || ''', "
				  "coalesce((SELECT max(id) FROM ' || replace(sequencename, '_id_seq', '') "
				  "|| '), 1), EXISTS (SELECT 1 FROM ' || replace(sequencename, '_id_seq', "
				  "'') || '))', ', ') FROM pg_sequences";
	static char *rewind;
	struct db_row *row;
	int64_t first;

	db_forget_ids(db);
	if (fixture_engine == STORE_SQLITE)
		return db_script(db,
		    "UPDATE sqlite_sequence SET seq = 0 WHERE name IN ('inbox', 'outbox', 'turns', "
		    "'transcript')",
		    err);
	if (!rewind) {
		row = db_select(db, all, DB_NO_ARGS, err);
		if (!row || db_next(db, row, err) < 0)
			return -1;
		rewind = db_column_text(row, 0);
		db_end(row);
	}
	return db_number(db, rewind, DB_NO_ARGS, &first, err) < 0 ? -1 : 0;
}

void fixture_empty(const struct fixture *p)
{
	do_postgres(p, empty);
}

static void take_database(struct fixture *p)
{
	size_t i = 0;

	while (databases[i].used)
		assert_true(++i < ARRAY_LEN(databases));
	databases[i].used = true;
	p->engine.engine = STORE_POSTGRES;
	if (!databases[i].url)
		databases[i].url = postgres_new_database(fixture_durable ? POSTGRES_DURABLE : POSTGRES_FAST);
	p->engine.url = databases[i].url;
	p->beside = xcalloc(1, sizeof(*p->beside));
	fixture_empty(p);
}

static void leave_database(struct fixture *p)
{
	if (!p->beside)
		return;
	db_close(&p->beside->db);
	free(p->beside->contents);
	free(p->beside);
	for (size_t i = 0; i < ARRAY_LEN(databases); i++)
		if (databases[i].url && databases[i].url == p->engine.url)
			databases[i].used = false;
}

void fixture_make(struct fixture *p)
{
	*p = (struct fixture){.notices = BUF_INIT};
	snprintf(p->dir, sizeof(p->dir), "/tmp/myna-store-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
	if (fixture_engine == STORE_POSTGRES)
		take_database(p);
}

void fixture_remove(struct fixture *p)
{
	DIR *dir = opendir(p->dir);
	struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		unlinkat(dirfd(dir), entry->d_name, 0);
	closedir(dir);
	assert_int_equal(rmdir(p->dir), 0);
	leave_database(p);
	buf_clear(&p->notices);
}

static void note(void *arg, const char *text)
{
	struct fixture *p = arg;

	buf_addf(&p->notices, "%s\n", text);
}

int fixture_try(struct task *t, struct fixture *p, struct error *err)
{
	struct store_options options = {
	    .dir = p->dir,
	    .settings = &p->engine,
	    .check_now_bytes = p->check_now_bytes,
	    .retention = p->keep,
	    .cluster = p->cluster,
	    .node_ops = p->node_ops,
	    .notice = note,
	    .arg = p,
	};

	p->store = store_open(t, &options, err);
	return p->store ? 0 : -1;
}

void fixture_open(struct task *t, struct fixture *p)
{
	struct error err;

	assert_ok(fixture_try(t, p, &err), err);
}

void fixture_close(struct task *t, struct fixture *p)
{
	store_close(t, p->store);
	p->store = NULL;
}

void fixture_reopen(struct task *t, struct fixture *p)
{
	fixture_close(t, p);
	fixture_open(t, p);
}

const char *fixture_path(const struct fixture *p, const char *name)
{
	static char path[400];

	snprintf(path, sizeof(path), "%s/%s", p->dir, name);
	return path;
}

static sqlite3 *open_database(const struct fixture *p)
{
	sqlite3 *handle;

	assert_int_equal(sqlite3_open(fixture_path(p, "myna.db"), &handle), SQLITE_OK);
	return handle;
}

void fixture_do(const struct fixture *p, const char *sql)
{
	sqlite3 *handle;

	if (p->engine.engine == STORE_POSTGRES) {
		do_postgres(p, sql);
		return;
	}
	handle = open_database(p);
	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
	sqlite3_close(handle);
}

/* The text may be gone by the next call: it is not kept for that. */
static int64_t number_in_postgres(const struct fixture *p, const char *sql)
{
	struct db *db = beside(p);
	struct db_row *row = db->ops->prepare(db, sql, false, NULL, 0, NULL);
	struct error err;
	int64_t number;

	row->db = db;
	if (db_next(db, row, &err) != 1)
		fail_msg("%s: %s", sql, err.text);
	number = db_column_int(row, 0);
	db->ops->finalize(row);
	return number;
}

int64_t fixture_number(const struct fixture *p, const char *sql)
{
	sqlite3 *handle;
	sqlite3_stmt *row;
	int64_t number;

	if (p->engine.engine == STORE_POSTGRES)
		return number_in_postgres(p, sql);
	handle = open_database(p);
	if (sqlite3_prepare_v2(handle, sql, -1, &row, NULL) != SQLITE_OK || sqlite3_step(row) != SQLITE_ROW)
		fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
	number = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	sqlite3_close(handle);
	return number;
}

size_t fixture_files(const struct fixture *p, const char *prefix)
{
	DIR *dir = opendir(p->dir);
	struct dirent *entry;
	size_t count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
	closedir(dir);
	return count;
}

static void copy(const struct fixture *p, const char *name)
{
	char to[500];
	FILE *in = fopen(fixture_path(p, name), "r"), *out;
	char chunk[65536];

	snprintf(to, sizeof(to), "%s/copy%s", p->dir, name + strlen("myna.db"));
	assert_non_null(in);
	out = fopen(to, "w");
	assert_non_null(out);
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), in)) > 0;)
		assert_int_equal(fwrite(chunk, 1, n, out), n);
	fclose(in);
	fclose(out);
}

static void add_table(sqlite3 *db, const char *table, struct buf *out)
{
	char *sql = xasprintf("SELECT * FROM \"%s\" ORDER BY 1", table);
	sqlite3_stmt *row;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	while (sqlite3_step(row) == SQLITE_ROW) {
		buf_addf(out, "%s:", table);
		for (int i = 0; i < sqlite3_column_count(row); i++) {
			const unsigned char *text = sqlite3_column_text(row, i);
			buf_addf(
			    out, " %s=%s", sqlite3_column_name(row, i), text ? (const char *)text : "NULL");
		}
		buf_addch(out, '\n');
	}
	sqlite3_finalize(row);
	free(sql);
}

static char *contents_in_postgres(const struct fixture *p)
{
	static const char tables[] =
	    "SELECT string_agg('SELECT ''' || tablename || ': '' || row_to_json(t) "
	    "AS line FROM ' || tablename || ' AS t', ' UNION ALL ') || ' ORDER BY line' FROM pg_tables WHERE "
	    "schemaname = 'public' AND tablename NOT IN "
	    "('writers', 'said_words')";
	struct buf out = BUF_INIT;
	struct db *db = beside(p);
	struct error err;
	struct db_row *row;

	if (!p->beside->contents) {
		row = db_select(db, tables, DB_NO_ARGS, &err);
		assert_ok(row ? db_next(db, row, &err) : -1, err);
		p->beside->contents = db_column_text(row, 0);
		db_end(row);
	}
	row = db_select(db, p->beside->contents, DB_NO_ARGS, &err);
	while (row && db_next(db, row, &err) > 0) {
		char *line = db_column_text(row, 0);

		buf_addf(&out, "%s\n", line);
		free(line);
	}
	return buf_take(&out);
}

char *fixture_contents(const struct fixture *p)
{
	struct buf out = BUF_INIT;
	sqlite3_stmt *table;
	sqlite3 *db;

	if (p->engine.engine == STORE_POSTGRES)
		return contents_in_postgres(p);

	copy(p, "myna.db");
	copy(p, "myna.db-wal");
	assert_int_equal(sqlite3_open(fixture_path(p, "copy"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db,
			     "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE "
			     "VIRTUAL%' ORDER BY name",
			     -1, &table, NULL),
	    SQLITE_OK);
	while (sqlite3_step(table) == SQLITE_ROW)
		add_table(db, (const char *)sqlite3_column_text(table, 0), &out);
	sqlite3_finalize(table);
	sqlite3_close(db);
	return buf_take(&out);
}

struct fixture_run {
	struct fixture fixture;
	void (*fn)(struct task *t, struct fixture *p);
};

static void place_main(struct task *t, void *arg)
{
	struct fixture_run *run = arg;

	fixture_open(t, &run->fixture);
	run->fn(t, &run->fixture);
	fixture_close(t, &run->fixture);
}

void fixture_run(void **state)
{
	struct fixture_run run = {.fn = ((struct fixture_body *)*state)->fn};

	fixture_make(&run.fixture);
	task_run("test", place_main, &run);
	assert_int_equal(task_count(), 0);
	fixture_remove(&run.fixture);
}

static void a_server_is_installed(void **state)
{
	(void)state;
	print_message("PostgreSQL's server is not installed (Debian: postgresql)\n");
	skip();
}

static bool is_for(const struct CMUnitTest *test, enum store_engine_name engine)
{
	const struct fixture_body *body = test->initial_state;

	if (body == &fixture_both)
		return true;
	if (test->test_func != fixture_run)
		return engine == STORE_SQLITE;
	return engine == STORE_SQLITE ? !body->only_postgres : !body->only_sqlite;
}

static int run_with(
    const char *name, const struct CMUnitTest *tests, size_t count, enum store_engine_name engine)
{
	const struct CMUnitTest missing = cmocka_unit_test(a_server_is_installed);
	struct CMUnitTest *wanted = xcalloc(count + 1, sizeof(*wanted));
	size_t n = 0;
	int failed;

	for (size_t i = 0; i < count; i++)
		if (is_for(&tests[i], engine))
			wanted[n++] = tests[i];
	if (n > 0 && engine == STORE_POSTGRES && !postgres_is_there()) {
		wanted[0] = missing;
		n = 1;
	}
	fixture_engine = engine;
	failed = n > 0 ? _cmocka_run_group_tests(name, wanted, n, NULL, NULL) : 0;
	for (size_t i = 0; i < ARRAY_LEN(databases); i++) {
		free(databases[i].url);
		databases[i].url = NULL;
	}
	fixture_engine = STORE_SQLITE;
	free(wanted);
	return failed;
}

/* In a process of its own: a test may have stopped its clock for good. */
static int run_apart(
    const char *name, const struct CMUnitTest *tests, size_t count, enum store_engine_name engine)
{
	int status = 0;

	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		exit(run_with(name, tests, count, engine) ? 1 : 0);
	waitpid(pid, &status, 0);
	return status != 0;
}

int fixture_run_tests(const char *name, const struct CMUnitTest *tests, size_t count)
{
	const char *only = getenv("MYNA_STORE");
	char *title = xasprintf("%s in PostgreSQL", name);
	int failed = 0;

	if (!only || strcmp(only, "sqlite") == 0)
		failed = run_apart(name, tests, count, STORE_SQLITE);
	if (!only || strcmp(only, "postgres") == 0)
		failed += run_apart(title, tests, count, STORE_POSTGRES);
	free(title);
	return failed;
}

struct address fixture_address(const char *text)
{
	struct address a;
	struct error err;

	assert_ok(address_parse(text, &a, &err), err);
	return a;
}

struct message *fixture_message(const char *event, const char *from, const char *text)
{
	struct message *m = message_new();

	m->account = xstrdup("telegram:123456");
	m->event_id = xstrdup(event);
	m->from = fixture_address(from);
	m->sender_id = xstrdup("77");
	m->message_id = xstrdup("5");
	free(m->text);
	m->text = xstrdup(text);
	return m;
}

int64_t fixture_put(struct task *t, struct fixture *p, const char *event, const char *from, const char *text)
{
	struct journal j = store_journal(p->store);
	struct message *m = fixture_message(event, from, text);
	struct error err;
	int64_t id;

	assert_ok(j.ops->put_inbound(t, j.self, &m, 1, NULL, &err), err);
	id = m->id;
	message_free(m);
	return id;
}

int fixture_ask_opening(struct task *t, struct fixture *p, const struct address *where,
    struct store_turn_opening *out, struct error *err)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	struct message *nothing = message_new();
	struct store_turn turn = {0};
	const struct store_turn_start start = {.where = where,
	    .context = where->thread,
	    .inbound = (const struct message *const *)&nothing,
	    .inbound_count = 1,
	    .user = user};
	int rc = store_turn_start(t, p->store, &start, &turn, out, err);

	assert_int_not_equal(rc, 0);
	llm_message_free(user);
	message_free(nothing);
	return rc;
}

int64_t fixture_send(struct task *t, struct fixture *p, const char *to, const char *text, const char *key)
{
	struct journal j = store_journal(p->store);
	struct address address = fixture_address(to);
	struct outbound *row = outbound_new(&address, OUTBOUND_REPLY, text);
	struct error err;
	int64_t id;

	row->key = xstrdup(key);
	assert_ok(j.ops->put_outbound(t, j.self, &row, 1, &err), err);
	id = row->id;
	outbound_free(row);
	return id;
}

const char *fixture_pending(struct task *t, struct fixture *p, const char *from)
{
	static char ids[400];
	struct journal j = store_journal(p->store);
	struct address address = fixture_address(from);
	struct message *found[40];
	struct error err;
	int count;

	count = j.ops->list_inbound(t, j.self, &address, 0, found, ARRAY_LEN(found), &err);
	assert_ok(count, err);
	ids[0] = '\0';
	for (int i = 0; i < count; i++) {
		size_t at = strlen(ids);

		snprintf(ids + at, sizeof(ids) - at, "%s%lld", i > 0 ? " " : "", (long long)found[i]->id);
		message_free(found[i]);
	}
	return ids;
}

const char *fixture_queued(struct task *t, struct fixture *p, const char *channel, const char *chat)
{
	static char ids[400];
	struct journal j = store_journal(p->store);
	struct journal_queue queue = {0};
	struct outbound *found[40];
	struct error err;
	int count;

	str_copy(queue.channel, sizeof(queue.channel), channel);
	str_copy(queue.chat, sizeof(queue.chat), chat);
	count = j.ops->list_outbound(t, j.self, &queue, 0, found, ARRAY_LEN(found), &err);
	assert_ok(count, err);
	ids[0] = '\0';
	for (int i = 0; i < count; i++) {
		size_t at = strlen(ids);

		snprintf(ids + at, sizeof(ids) - at, "%s%lld", i > 0 ? " " : "", (long long)found[i]->id);
		outbound_free(found[i]);
	}
	return ids;
}

struct store_counts fixture_counts(struct task *t, struct fixture *p)
{
	struct store_counts counts;
	struct error err;

	assert_ok(store_count(t, p->store, &counts, &err), err);
	return counts;
}

char *fixture_read_program(size_t *size)
{
	char *path = xasprintf("%s/myna", getenv("MYNA_BUILD")), *bytes;
	FILE *f = fopen(path, "rb");

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	bytes = xcalloc(1, *size + 1);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	free(path);
	return bytes;
}

bool fixture_is_statement(const char *text)
{
	static const char *const verbs[] = {"SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH ", "REPLACE "};

	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		if (strncmp(text, verbs[i], strlen(verbs[i])) == 0)
			return true;
	return false;
}
