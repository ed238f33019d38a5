#include "store/postgres/db_postgres.h"

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "base/time/clock.h"
#include "base/wrong.h"
#include "store/db_engine.h"
#include "store/postgres/postgres_internal.h"
#include "store/postgres/sql.h"
#include "store/schema.h"
#include "store/settings.h"

/* Types of parameters, from pg_type.dat: they never change. */
#define TYPE_INT8 20
#define TYPE_TEXT 25

/* Interval of attempts while the database is unreachable. */
#define RECOVER_MIN_MS 100
#define RECOVER_MAX_MS 5000

struct postgres_row {
	struct db_row row;
	struct postgres *p;
	struct postgres_prepared plain, presumed; /* presumed: fails when it changes no row */
	struct postgres_batch *batch;             /* for many rows */
	const char *sql;
	bool is_read;
	bool sent;      /* its result is to come */
	bool is_single; /* it ends with its result */
	/* Parameters. */
	size_t count;
	Oid *types;
	const char **texts;
	char **owned; /* those of texts that are copies */
	/* Of a statement that has begun: */
	PGresult *result;
	int at; /* -1: before the first row */
};

static struct postgres_row *row_of(struct db_row *row)
{
	return (struct postgres_row *)row;
}

void postgres_name(struct postgres *p, struct postgres_prepared *s, char *sql)
{
	s->sql = sql;
	snprintf(s->name, sizeof(s->name), "s%u", p->names++);
}

static struct db_row *prepare(struct db *db, const char *sql, bool with_id, const struct db_value *values,
    size_t count, struct error *err)
{
	struct postgres_row *r = xcalloc(1, sizeof(*r));

	(void)err;
	r->sql = sql;
	r->p = postgres_of(db);
	postgres_name(r->p, &r->plain, postgres_statement(sql, with_id));
	r->is_read = strncmp(sql, "SELECT", 6) == 0 ||
	    strncmp(sql, ONLY_POSTGRES "SELECT", strlen(ONLY_POSTGRES) + 6) == 0;
	r->count = count;
	r->types = xcalloc(count + 1, sizeof(*r->types));
	r->texts = xcalloc(count + 1, sizeof(*r->texts));
	r->owned = xcalloc(count + 1, sizeof(*r->owned));
	for (size_t i = 0; i < count; i++)
		r->types[i] = values[i].is_text ? TYPE_TEXT : TYPE_INT8;
	r->at = -1;
	return &r->row;
}

static void end(struct db_row *row)
{
	struct postgres_row *r = row_of(row);

	for (size_t i = 0; i < r->count; i++) {
		free(r->owned[i]);
		r->owned[i] = NULL;
		r->texts[i] = NULL;
	}
	if (r->sent)
		pipeline_forget(r->p, &r->result);
	r->sent = false;
	pq.PQclear(r->result);
	r->result = NULL;
	r->at = -1;
	if (r->is_single)
		free(r);
}

static void finalize(struct db_row *row)
{
	struct postgres_row *r = row_of(row);

	end(row);
	free(r->plain.sql);
	free(r->presumed.sql);
	batch_free(r->batch);
	free(r->types);
	free(r->texts);
	free(r->owned);
	free(r);
}

/* The server refuses text that is not UTF-8. */
static char *sanitize(const char *text)
{
	struct buf clean = BUF_INIT;

	utf8_sanitize(&clean, text, strlen(text));
	return buf_take(&clean);
}

static int bind(struct db_row *row, const struct db_value *values, size_t count, bool keep, struct error *err)
{
	struct postgres_row *r = row_of(row);

	(void)err;
	for (size_t i = 0; i < count && i < r->count; i++) {
		const char *text = values[i].text;

		if (!values[i].is_text)
			r->owned[i] = xasprintf("%lld", (long long)values[i].number);
		else if (text && !utf8_valid(text, strlen(text)))
			r->owned[i] = sanitize(text);
		else if (text && !keep)
			r->owned[i] = xstrdup(text);
		r->texts[i] = r->owned[i] ? r->owned[i] : text;
	}
	return 0;
}

/* Returns the result; NULL with err set. */
static PGresult *run_once(struct postgres_row *r, struct error *err)
{
	struct postgres_prepared *s = &r->plain;
	struct postgres *p = r->p;
	PGresult *result;

	if (!p->conn) {
		postgres_fail_unreachable(p, err);
		return NULL;
	}
	if (s->generation != p->generation) {
		result = postgres_await(
		    p, pq.PQsendPrepare(p->conn, s->name, s->sql, (int)r->count, r->types), err);
		if (!result)
			return NULL;
		pq.PQclear(result);
		s->generation = p->generation;
	}
	return postgres_await(
	    p, pq.PQsendQueryPrepared(p->conn, s->name, (int)r->count, r->texts, NULL, NULL, 0), err);
}

static bool is_idle(struct db *db)
{
	struct postgres *p = postgres_of(db);

	return !p->conn || (!p->in_pipeline && pq.PQtransactionStatus(p->conn) == PQTRANS_IDLE);
}

static int send(struct db_row *row, struct error *err)
{
	struct postgres_row *r = row_of(row);

	if (!r->p->in_pipeline)
		return 0;
	r->sent = true;
	return pipeline_add(r->p, &r->plain, r->count, r->types, r->texts,
	    &(struct postgres_sent){.result = &r->result}, err);
}

/* The statement may run again before this result is read. */
static struct db_row *ahead(struct db_row *row)
{
	struct postgres_row *r = row_of(row), *own = NULL;

	if (r->p->in_pipeline) {
		own = xcalloc(1, sizeof(*own));
		*own = (struct postgres_row){
		    .row = r->row, .p = r->p, .sent = true, .is_single = true, .at = -1};
		if (pipeline_add(r->p, &r->plain, r->count, r->types, r->texts,
			&(struct postgres_sent){.result = &own->result}, NULL) != 0) {
			free(own);
			own = NULL;
		}
	}
	end(row);
	return own ? &own->row : NULL;
}

/* A read outside of a transaction has given nothing yet when its connection is lost: it runs again. */
static int execute(struct postgres_row *r, struct error *err)
{
	struct db *db = r->p->db;
	bool again = r->is_read && is_idle(db) && !r->p->is_command;

	if (r->p->in_pipeline && !r->sent && send(&r->row, err) != 0)
		return -1;
	if (r->sent && r->p->in_pipeline)
		return pipeline_await(r->p, err);
	if (r->sent)
		return error_set(err, ERROR_OURS, "the transaction has failed");
	r->result = run_once(r, err);
	if (!r->result && again && db->lost && !db->commit_uncertain && postgres_recover(db, err) == 0)
		r->result = run_once(r, err);
	return r->result ? 0 : -1;
}

static int next(struct db_row *row, struct error *err)
{
	struct postgres_row *r = row_of(row);
	bool more;

	if (!r->result && execute(r, err) != 0) {
		end(row);
		return -1;
	}
	more = ++r->at < pq.PQntuples(r->result);
	if (!more)
		end(row);
	return more;
}

/* Sends the statement, and presumes its result. */
static int run_ahead(struct postgres_row *r, int64_t *id, enum db_answer answer, struct error *err)
{
	struct postgres_prepared *s = &r->plain;
	bool presumed = answer == DB_PRESUMED;
	int rc;

	if (answer >= DB_BATCHED) {
		if (!r->batch)
			r->batch =
			    batch_new(r->p, r->sql, r->count, r->types, id, answer == DB_BATCHED_PRESUMED);
		batch_add(r->p, r->batch, r->texts, id);
		end(&r->row);
		return 1;
	}
	if (presumed && !r->presumed.sql)
		postgres_name(r->p, &r->presumed,
		    xasprintf(ONLY_POSTGRES
			"WITH changed AS (%s RETURNING 1) SELECT 1 / count(*) FROM changed",
			s->sql));
	if (presumed)
		s = &r->presumed;
	rc = pipeline_add(
	    r->p, s, r->count, r->types, r->texts, &(struct postgres_sent){.presumed = presumed}, err);
	end(&r->row);
	return rc != 0 ? -1 : 1;
}

static int run(struct db_row *row, int64_t *id, enum db_answer answer, struct error *err)
{
	struct postgres_row *r = row_of(row);
	int changed, rows;

	if (id)
		*id = 0;
	if (r->p->in_pipeline && answer != DB_NOW)
		return run_ahead(r, id, answer, err);
	if (execute(r, err) != 0) {
		end(row);
		return -1;
	}
	changed = (int)strtol(pq.PQcmdTuples(r->result), NULL, 10);
	rows = pq.PQntuples(r->result);
	if (id && rows > 0)
		*id = strtoll(pq.PQgetvalue(r->result, rows - 1, 0), NULL, 10);
	end(row);
	return changed;
}

static int64_t column_int(struct db_row *row, int column)
{
	struct postgres_row *r = row_of(row);
	const char *text = pq.PQgetvalue(r->result, r->at, column);

	/* A truth is t or f. */
	return text[0] == 't' ? 1 : strtoll(text, NULL, 10);
}

static const char *column_text(struct db_row *row, int column)
{
	struct postgres_row *r = row_of(row);

	return pq.PQgetisnull(r->result, r->at, column) ? NULL : pq.PQgetvalue(r->result, r->at, column);
}

static const char *column_name(struct db_row *row, int column)
{
	return pq.PQfname(row_of(row)->result, column);
}

static int script(struct db *db, const char *sql, struct error *err)
{
	char *translated;
	int rc;

	if (strncmp(sql, SCHEMA_ONLY_SQLITE, strlen(SCHEMA_ONLY_SQLITE)) == 0)
		return 0;
	translated = postgres_definition(sql);
	rc = postgres_do(postgres_of(db), translated, err);

	free(translated);
	return rc;
}

/* Takes ids of the table's sequence, which gives none twice, whatever becomes of the transaction. */
#define TAKE(table)                                                                   \
	ONLY_POSTGRES "SELECT nextval(s) FROM (SELECT pg_get_serial_sequence('" table \
		      "', 'id')::regclass AS s OFFSET 0) AS sequence, generate_series(1, ?1)"
static const char *const take_block[DB_IDS] = {
    TAKE("inbox"), TAKE("outbox"), TAKE("turns"), TAKE("transcript")};

static int take_ids(struct db *db, enum db_ids table, struct db_block *block, struct error *err)
{
	struct db_row *row = db_select(db, take_block[table], DB_ARGS(db_int(DB_BLOCK)), err);
	int rc = row ? 0 : -1;

	for (int i = 0; row && (rc = db_next(db, row, err)) > 0; i++)
		block->ids[i] = db_column_int(row, 0);
	return rc;
}

/* The ids of the next commits come with the answer to this one. */
static void request_ids(struct db *db, struct db_row *id_rows[DB_IDS])
{
	for (size_t i = 0; i < DB_IDS; i++) {
		const struct db_block *b = &db->blocks[i];
		bool low = b->next < b->count && b->count - b->next < DB_BLOCK_LOW;

		id_rows[i] = low ? db_select_ahead(db, take_block[i], DB_ARGS(db_int(DB_BLOCK))) : NULL;
	}
}

static void add_ids(struct db *db, struct db_row *const id_rows[DB_IDS], bool committed)
{
	for (size_t i = 0; i < DB_IDS; i++) {
		struct db_block *b = &db->blocks[i];

		if (id_rows[i] && !committed)
			db_end(id_rows[i]);
		if (!id_rows[i] || !committed)
			continue;
		b->count -= b->next;
		memmove(b->ids, b->ids + b->next, b->count * sizeof(*b->ids));
		b->next = 0;
		while (db_next(db, id_rows[i], NULL) > 0)
			b->ids[b->count++] = db_column_int(id_rows[i], 0);
	}
}

static int begin(struct db *db, struct error *err)
{
	postgres_of(db)->changes = db->changes;
	return db->must_await ? postgres_do(postgres_of(db), "BEGIN", err) :
				pipeline_begin(postgres_of(db), err);
}

/* The number of the commit is stored in it: when the answer is lost, it is there or it is not. A process
 * without its row commits nothing: another node that takes over deletes it (cluster_sql.c). */
#define COMMIT_MARKER(commits, at_ms, writer)                                                  \
	ONLY_POSTGRES "WITH mine AS (UPDATE writers SET commits = " commits ", at_ms = " at_ms \
		      " WHERE writer = " writer " RETURNING 1) SELECT 1 / count(*) FROM mine"

static int send_commit_marker(struct postgres *p, struct error *err)
{
	char commits[24], at_ms[24];
	const char *const texts[] = {commits, at_ms, p->writer};

	if (!p->commit_marker.sql)
		postgres_name(p, &p->commit_marker, xstrdup(COMMIT_MARKER("$1", "$2", "$3")));
	snprintf(commits, sizeof(commits), "%lld", (long long)p->commits);
	snprintf(at_ms, sizeof(at_ms), "%lld", (long long)clock_wall());
	return pipeline_add(
	    p, &p->commit_marker, ARRAY_LEN(texts), NULL, texts, &(struct postgres_sent){0}, err);
}

int postgres_has_committed(struct postgres *p, const PGresult *result, struct error *err)
{
	if (result && strcmp(pq.PQcmdStatus((PGresult *)result), "COMMIT") == 0)
		return 0;
	return error_set(err, ERROR_OURS, "the database %s undid a commit", p->db->path);
}

/* A transaction whose statements are not sent ahead. */
static int commit_plain(struct postgres *p, bool marks, struct error *err)
{
	char *sql = marks ? xasprintf(COMMIT_MARKER("%lld", "%lld", "'%s'") "; COMMIT", (long long)p->commits,
				(long long)clock_wall(), p->writer) :
			    xstrdup("COMMIT");
	PGresult *result = postgres_query(p, sql, err);
	int rc = result ? postgres_has_committed(p, result, err) : -1;

	pq.PQclear(result);
	free(sql);
	return rc;
}

static int commit_piped(struct postgres *p, bool marks, struct error *err)
{
	struct db_row *id_rows[DB_IDS];
	int rc;

	request_ids(p->db, id_rows);
	rc = marks && send_commit_marker(p, err) != 0 ? -1 : pipeline_commit(p, err);
	add_ids(p->db, id_rows, rc == 0);
	return rc;
}

static int commit(struct db *db, struct error *err)
{
	struct postgres *p = postgres_of(db);
	bool wrote = db->changes != p->changes && p->writer[0] != '\0';
	bool marks = wrote && !WRONG("no-fence"), sent;
	int rc;

	sent = p->conn;
	p->commits += marks;
	rc = p->in_pipeline ? commit_piped(p, marks, err) : commit_plain(p, marks, err);
	if (rc == 0) {
		db->commits += wrote;
		if (wrote)
			p->confirmed = p->commits;
		return 0;
	}
	db->commit_uncertain = wrote && sent && db->lost;
	if (db->commit_uncertain && err)
		err->uncertain = true;
	return -1;
}

static void rollback(struct db *db)
{
	batch_drop(postgres_of(db));
	pipeline_end(postgres_of(db), NULL);
	postgres_do(postgres_of(db), "ROLLBACK", NULL);
}

static bool is_broken(struct db *db)
{
	struct postgres *p = postgres_of(db);

	return p->conn && !p->in_pipeline && pq.PQtransactionStatus(p->conn) == PQTRANS_INERROR;
}

/* The server cannot say how much space deleted rows still take. */
static int size(struct db *db, struct db_size *out, struct error *err)
{
	PGresult *result =
	    postgres_query(postgres_of(db), ONLY_POSTGRES "SELECT pg_database_size(current_database())", err);

	if (!result)
		return -1;
	out->all = out->used = strtoll(pq.PQgetvalue(result, 0, 0), NULL, 10);
	pq.PQclear(result);
	return 0;
}

static int check(struct db *db, char **risk, struct error *err)
{
	static const char sql[] = ONLY_POSTGRES
	    "SELECT name || CASE setting WHEN '' THEN ' empty, although it has standbys' ELSE ' = ' || "
	    "setting END FROM pg_settings WHERE setting = 'off' AND name IN ('fsync', "
	    "'full_page_writes') OR name = 'synchronous_standby_names' AND setting = '' AND EXISTS (SELECT 1 "
	    "FROM pg_stat_replication) ORDER BY name";
	struct db_row *row = db_select(db, sql, DB_NO_ARGS, err);
	int rc = row ? db_next(db, row, err) : -1;

	*risk = rc > 0 ? db_column_text(row, 0) : NULL;
	if (row)
		db_end(row);
	return rc < 0 ? -1 : 0;
}

static void postgres_free(struct db *db)
{
	struct postgres *p = postgres_of(db);

	if (p->conn)
		pq.PQfinish(p->conn);
	free(p->password);
	free(p->url);
	free(p->pid_since);
	free(p->commit_marker.sql);
	pipeline_clear(p);
	free(p->sent);
	free(p);
}

static const struct db_ops ops = {
    .when_damaged = "look into the server's log",
    .prepare = prepare,
    .finalize = finalize,
    .bind = bind,
    .send = send,
    .ahead = ahead,
    .next = next,
    .run = run,
    .end = end,
    .column_int = column_int,
    .column_text = column_text,
    .column_name = column_name,
    .script = script,
    .take_ids = take_ids,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_idle = is_idle,
    .read_version = postgres_read_version,
    .write_version = postgres_write_version,
    .size = size,
    .check = check,
    .search = &search_postgres,
    .copy = &copy_postgres,
    .close = postgres_free,
    .is_broken = is_broken,
    .presumes = true,
    .recover = postgres_recover,
};

int db_postgres_open(
    struct db *db, const char *dir, const struct store_settings *settings, bool locks, struct error *err)
{
	struct postgres *p;

	if (libpq_load(err) != 0)
		return -1;
	p = xcalloc(1, sizeof(*p));
	p->db = db;
	list_init(&p->batches);
	p->url = xstrdup(settings->url);
	p->password = xstrdup(settings->password);
	p->locks = locks;
	p->backoff = (struct backoff){RECOVER_MIN_MS, RECOVER_MAX_MS, 0};
	db->ops = &ops;
	db->handle = p;
	db->dir = xstrdup(dir);
	db->path = xstrdup(settings->url);
	p->opening = true;
	/* A refusal may be for the moment alone: of a session that is ended as it begins. */
	if (postgres_connect(p, err) == 0 || (err->kind == ERROR_OURS && postgres_connect(p, err) == 0)) {
		p->opening = false;
		return 0;
	}
	db_close(db);
	return -1;
}
