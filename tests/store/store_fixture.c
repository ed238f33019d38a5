#include "store/store_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "bus/address.h"
#include "bus/message.h"

void fixture_make(struct fixture *p)
{
	*p = (struct fixture){.notices = BUF_INIT};
	snprintf(p->dir, sizeof(p->dir), "/tmp/myna-store-XXXXXX");
	assert_non_null(mkdtemp(p->dir));
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
	    .check_now_bytes = p->check_now_bytes,
	    .keep = p->keep,
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
	sqlite3 *handle = open_database(p);

	if (sqlite3_exec(handle, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", sql, sqlite3_errmsg(handle));
	sqlite3_close(handle);
}

int64_t fixture_number(const struct fixture *p, const char *sql)
{
	sqlite3 *handle = open_database(p);
	sqlite3_stmt *row;
	int64_t number;

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

char *fixture_contents(const struct fixture *p)
{
	struct buf out = BUF_INIT;
	sqlite3_stmt *table;
	sqlite3 *db;

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
	struct journal_queue lane = {0};
	struct outbound *found[40];
	struct error err;
	int count;

	str_copy(lane.channel, sizeof(lane.channel), channel);
	str_copy(lane.chat, sizeof(lane.chat), chat);
	count = j.ops->list_outbound(t, j.self, &lane, 0, found, ARRAY_LEN(found), &err);
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
