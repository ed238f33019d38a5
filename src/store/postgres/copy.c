/* The server's side of a copy (store/copy.h). Rows come and go by COPY. */
#include "store/copy_internal.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "store/moved.h"
#include "store/postgres/postgres_internal.h"
#include "store/schema.h"

/* Before the rows: a signature, flags, and the length of an extension. Behind them is a count of -1. */
#define HEADER     "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0"
#define HEADER_LEN (sizeof(HEADER) - 1)
#define TRAILER    "\377\377"
/* Sent at once. */
#define CHUNK 65536

/* Work between two requests may take longer than the session allows. */
static const char unhurried[] = "SET LOCAL idle_in_transaction_session_timeout = 0";

static int begin_reading(struct db *db, struct error *err)
{
	struct postgres *p = postgres_of(db);
	int there = postgres_has_tables(p, err);

	p->is_command = true;
	if (there == 0)
		return error_set(err, ERROR_OURS, "there is no store in the database %s", db->path);
	if (there < 0 || postgres_lock(p, err) != 0 ||
	    postgres_do(p, "BEGIN ISOLATION LEVEL REPEATABLE READ", err) != 0)
		return -1;
	return postgres_do(p, unhurried, err);
}

/* Returns the first value of the first row, malloc'd; NULL with err set. */
static char *ask(struct postgres *p, const char *sql, struct error *err)
{
	PGresult *result = postgres_query(p, sql, err);
	char *value;

	if (!result)
		return NULL;
	value = xstrdup(pq.PQntuples(result) > 0 ? pq.PQgetvalue(result, 0, 0) : "");
	pq.PQclear(result);
	return value;
}

static void add_names(struct buf *out, const struct copy_tables *tables)
{
	for (size_t i = 0; i < tables->count; i++)
		buf_addf(out, "'%s', ", tables->items[i].name);
	buf_addstr(out, "'nodes', 'owners', 'members', 'writers', 'said_words'");
}

/* A database belongs to one gateway alone. Tables of extensions do not count. */
static int refuse_others(struct postgres *p, const struct copy_tables *tables, struct error *err)
{
	struct buf sql = BUF_INIT;
	char *other;
	int rc = 0;

	buf_addstr(&sql,
	    ONLY_POSTGRES
	    "SELECT relname FROM pg_class AS c WHERE relnamespace = current_schema()::regnamespace AND "
	    "relkind "
	    "IN ('r', 'p', 'v', 'm', 'f') AND NOT EXISTS (SELECT 1 FROM pg_depend AS d WHERE d.classid = "
	    "'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e') AND relname NOT IN (");
	add_names(&sql, tables);
	buf_addstr(&sql, ") ORDER BY 1 LIMIT 1");
	other = ask(p, sql.data, err);
	buf_clear(&sql);
	if (!other || *other)
		rc = -1;
	if (other && *other)
		error_set(err, ERROR_OURS,
		    "the database %s has a table %s, which is not Myna's: make a database for the gateway "
		    "alone",
		    p->db->path, other);
	free(other);
	return rc;
}

static int find_rows(struct postgres *p, const struct copy_tables *tables, bool *has_rows, struct error *err)
{
	struct buf sql = BUF_INIT;
	char *found;

	buf_addstr(&sql, ONLY_POSTGRES "SELECT false");
	for (size_t i = 0; i < tables->count; i++)
		if (strcmp(tables->items[i].name, "meta") != 0)
			buf_addf(&sql, " OR EXISTS (SELECT 1 FROM \"%s\")", tables->items[i].name);
	found = ask(p, sql.data, err);
	buf_clear(&sql);
	*has_rows = found && *found == 't';
	free(found);
	return found ? 0 : -1;
}

/* Nobody else makes tables, or works with those that are there. */
static int begin_writing(struct db *db, const struct copy_tables *tables, bool *has_rows, struct error *err)
{
	struct postgres *p = postgres_of(db);
	int64_t version = 0;

	*has_rows = false;
	p->is_command = true;
	if (postgres_begin_tables(p, err) < 0 || postgres_do(p, unhurried, err) != 0 ||
	    postgres_lock(p, err) != 0 || schema_version(db, &schema_current, &version, err) != 0 ||
	    moved_check(db, err) != 0 || refuse_others(p, tables, err) != 0)
		return -1;
	if (version < (int64_t)schema_current.count)
		return error_set(err, ERROR_OURS,
		    "the tables of the database %s are of an older version: start a gateway with it once, or "
		    "make "
		    "a new database",
		    db->path);
	return find_rows(p, tables, has_rows, err);
}

/* Begins a COPY; returns -1 when it is not what the server does. */
static int begin_copy(struct postgres *p, const char *sql, ExecStatusType wanted, struct error *err)
{
	PGresult *result = postgres_query(p, sql, err);
	int rc = 0;

	if (!result)
		return -1;
	if (pq.PQresultStatus(result) != wanted)
		rc = error_set(err, ERROR_OURS, "the database %s does not copy", p->db->path);
	pq.PQclear(result);
	return rc;
}

/* Bytes of the tuple at the front; 0: not all of it is there; -1: it was the last. */
static int64_t tuple_len(const struct buf *in)
{
	size_t at = sizeof(uint16_t);
	uint16_t count;
	uint32_t len;

	if (in->len < at)
		return 0;
	memcpy(&count, in->data, sizeof(count));
	count = be16toh(count);
	if (count == UINT16_MAX)
		return -1;
	for (unsigned i = 0; i < count; i++) {
		if (in->len - at < sizeof(len))
			return 0;
		memcpy(&len, in->data + at, sizeof(len));
		len = be32toh(len);
		at += sizeof(len);
		if (len == UINT32_MAX)
			continue;
		if (in->len - at < len)
			return 0;
		at += len;
	}
	return (int64_t)at;
}

static int give_rows(struct buf *in, bool *begun, const struct copy_sink *to, struct error *err)
{
	int64_t len;
	int rc = 0;

	if (!*begun && in->len >= HEADER_LEN) {
		buf_consume(in, HEADER_LEN);
		*begun = true;
	}
	while (rc == 0 && *begun && (len = tuple_len(in)) > 0) {
		rc = to->row(to->arg, in->data, (size_t)len, err);
		buf_consume(in, (size_t)len);
	}
	return rc;
}

static int read_table(
    struct db *db, const struct copy_table *table, const struct copy_sink *to, struct error *err)
{
	struct postgres *p = postgres_of(db);
	struct buf in = BUF_INIT;
	bool begun = false;
	PGresult *result;
	char *piece;
	int len = 0, rc;

	buf_addstr(&in, "COPY (SELECT");
	copy_columns(&in, table);
	buf_addf(&in, " FROM \"%s\" ORDER BY id) TO STDOUT (FORMAT binary)", table->name);
	rc = begin_copy(p, in.data, PGRES_COPY_OUT, err);
	buf_reset(&in);
	while (rc == 0 && (len = pq.PQgetCopyData(p->conn, &piece, 1)) >= 0) {
		if (len == 0) {
			rc = postgres_wait_to_read(p, err);
			continue;
		}
		buf_add(&in, piece, (size_t)len);
		pq.PQfreemem(piece);
		rc = give_rows(&in, &begun, to, err);
	}
	buf_clear(&in);
	if (rc == 0) {
		result = postgres_await(p, len == -1, err);
		rc = result ? 0 : -1;
		pq.PQclear(result);
	} else if (p->conn) {
		/* In the middle of it nothing else can be asked. */
		postgres_lost(p, "stopped", NULL);
	}
	return rc;
}

struct writer {
	struct postgres *p;
	struct buf out;
};

static void *open_table(struct db *db, const struct copy_table *table, struct error *err)
{
	struct writer *w = xcalloc(1, sizeof(*w));

	w->p = postgres_of(db);
	buf_init(&w->out);
	buf_addf(&w->out, "COPY \"%s\" (", table->name);
	copy_columns(&w->out, table);
	buf_addstr(&w->out, ") FROM STDIN (FORMAT binary)");
	if (begin_copy(w->p, w->out.data, PGRES_COPY_IN, err) != 0) {
		buf_clear(&w->out);
		free(w);
		return NULL;
	}
	buf_reset(&w->out);
	buf_add(&w->out, HEADER, HEADER_LEN);
	return w;
}

static int send_rows(struct writer *w, struct error *err)
{
	int sent = pq.PQputCopyData(w->p->conn, w->out.data, (int)w->out.len);

	buf_reset(&w->out);
	return sent == 1 ? postgres_send(w->p, err) : postgres_lost(w->p, pq.PQerrorMessage(w->p->conn), err);
}

static int put(void *writer, const char *row, size_t len, struct error *err)
{
	struct writer *w = writer;

	buf_add(&w->out, row, len);
	return w->out.len < CHUNK ? 0 : send_rows(w, err);
}

static int end_table(void *writer, bool complete, struct error *err)
{
	struct writer *w = writer;
	struct postgres *p = w->p;
	PGresult *result = NULL;

	if (complete)
		buf_add(&w->out, TRAILER, sizeof(TRAILER) - 1);
	if (p->conn && (!complete || send_rows(w, err) == 0)) {
		result = postgres_await(
		    p, pq.PQputCopyEnd(p->conn, complete ? NULL : "the copy was given up") == 1, err);
		pq.PQclear(result);
	}
	buf_clear(&w->out);
	free(w);
	return result ? 0 : -1;
}

static int last_id(struct db *db, const struct copy_table *table, int64_t *id, struct error *err)
{
	struct postgres *p = postgres_of(db);
	char *sql = xasprintf(ONLY_POSTGRES "SELECT pg_get_serial_sequence('\"%s\"', 'id')", table->name),
	     *sequence = ask(p, sql, err), *value = NULL;

	free(sql);
	if (sequence) {
		sql = xasprintf(ONLY_POSTGRES
		    "SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM %s",
		    sequence);
		value = ask(p, sql, err);
		free(sql);
	}
	*id = value ? strtoll(value, NULL, 10) : 0;
	free(sequence);
	free(value);
	return value ? 0 : -1;
}

/* This, unlike setval, is undone with its transaction. */
static int set_last_id(struct db *db, const struct copy_table *table, int64_t id, struct error *err)
{
	char *sql =
	    xasprintf("ALTER TABLE \"%s\" ALTER COLUMN id RESTART WITH %lld", table->name, (long long)id + 1);
	int rc = postgres_do(postgres_of(db), sql, err);

	free(sql);
	return rc;
}

/* The planner needs statistics of tables that were filled at once. */
static int finish(struct db *db, const struct copy_tables *tables, struct error *err)
{
	struct buf sql = BUF_INIT;
	int rc;

	for (size_t i = 0; i < tables->count; i++)
		buf_addf(&sql, "%s \"%s\"", i > 0 ? "," : ONLY_POSTGRES "ANALYZE", tables->items[i].name);
	buf_addstr(&sql, ", said_words");
	rc = postgres_do(postgres_of(db), sql.data, err);
	buf_clear(&sql);
	return rc;
}

const struct copy_ops copy_postgres = {
    .begin_reading = begin_reading,
    .begin_writing = begin_writing,
    .read = read_table,
    .open = open_table,
    .put = put,
    .end = end_table,
    .last_id = last_id,
    .set_last_id = set_last_id,
    .finish = finish,
};
