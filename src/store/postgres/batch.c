/* Statements of many jobs that are sent as one, with arrays of their values. */
#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "store/postgres/postgres_internal.h"
#include "store/postgres/sql.h"

#define TYPE_INT8       20
#define TYPE_INT8_ARRAY 1016
#define TYPE_TEXT_ARRAY 1009

/* Before the name of a table that gets ids. */
#define INSERT "INSERT INTO "

struct postgres_batch {
	struct list link; /* of those that hold something */
	struct postgres_prepared statement;
	size_t columns;
	Oid *types;
	struct buf *values; /* an array for each column */
	size_t rows;
	int64_t **ids;     /* of each row; NULL: it gives none */
	const char *table; /* of the ids */
	bool presumed;
};

struct postgres_batch *batch_new(
    struct postgres *p, const char *sql, size_t columns, const Oid *types, bool with_ids, bool presumed)
{
	struct postgres_batch *g = xcalloc(1, sizeof(*g));

	list_init(&g->link);
	postgres_name(p, &g->statement, postgres_statement_of_rows(sql, columns, with_ids, presumed));
	g->columns = columns;
	g->table = sql + (with_ids ? strlen(INSERT) : 0);
	g->presumed = presumed;
	g->types = xcalloc(columns + 1, sizeof(*g->types));
	for (size_t i = 0; i < columns; i++)
		g->types[i] = types[i] == TYPE_INT8 ? TYPE_INT8_ARRAY : TYPE_TEXT_ARRAY;
	g->types[columns] = TYPE_INT8;
	g->values = xcalloc(columns, sizeof(*g->values));
	return g;
}

static void empty(struct postgres_batch *g)
{
	list_remove(&g->link);
	for (size_t i = 0; i < g->columns; i++)
		g->values[i].len = 0;
	g->rows = 0;
	free(g->ids);
	g->ids = NULL;
}

void batch_free(struct postgres_batch *g)
{
	if (!g)
		return;
	empty(g);
	for (size_t i = 0; i < g->columns; i++)
		buf_clear(&g->values[i]);
	free(g->statement.sql);
	free(g->values);
	free(g->types);
	free(g);
}

static void add_value(struct buf *out, const char *text, bool is_number)
{
	buf_addch(out, out->len == 0 ? '{' : ',');
	if (!text || is_number) {
		buf_addstr(out, text ? text : "NULL");
		return;
	}
	buf_addch(out, '"');
	for (size_t len; *text; text += len) {
		len = strcspn(text, "\"\\");
		buf_add(out, text, len);
		if (text[len] != '\0') {
			buf_addch(out, '\\');
			buf_addch(out, text[len++]);
		}
	}
	buf_addch(out, '"');
}

void batch_add(struct postgres *p, struct postgres_batch *g, const char *const *texts, int64_t *id)
{
	if (g->rows == 0)
		list_append(&p->batches, &g->link);
	for (size_t i = 0; i < g->columns; i++)
		add_value(&g->values[i], texts[i], g->types[i] == TYPE_INT8_ARRAY);
	if (id) {
		g->ids = xrealloc(g->ids, (g->rows + 1) * sizeof(*g->ids));
		g->ids[g->rows] = id;
		/* The statement sets the final id; until then this identifies the row. */
		*id = strtoll(texts[g->columns - 1], NULL, 10);
	}
	g->rows++;
}

static int send(struct postgres *p, struct postgres_batch *g, struct error *err)
{
	const char **texts = xcalloc(g->columns + 1, sizeof(*texts));
	char rows[24];
	int rc;

	for (size_t i = 0; i < g->columns; i++) {
		buf_addch(&g->values[i], '}');
		texts[i] = g->values[i].data;
	}
	snprintf(rows, sizeof(rows), "%zu", g->rows);
	texts[g->columns] = rows;
	rc = pipeline_add(p, &g->statement, g->columns + g->presumed, g->types, texts,
	    &(struct postgres_sent){
		.ids = g->ids, .id_count = g->ids ? g->rows : 0, .table = g->table, .presumed = g->presumed},
	    err);
	if (rc == 0)
		g->ids = NULL;
	empty(g);
	free(texts);
	return rc;
}

int batch_send(struct postgres *p, struct error *err)
{
	struct list sending, *link;
	int rc = 0;

	list_init(&sending);
	while ((link = list_first(&p->batches))) {
		list_remove(link);
		list_append(&sending, link);
	}
	while ((link = list_first(&sending))) {
		struct postgres_batch *g = list_entry(link, struct postgres_batch, link);

		if (rc == 0)
			rc = send(p, g, err);
		else
			empty(g);
	}
	return rc;
}

void batch_drop(struct postgres *p)
{
	struct list *link;

	while ((link = list_first(&p->batches)))
		empty(list_entry(link, struct postgres_batch, link));
}

void batch_take_ids(const PGresult *answer, int64_t **ids, size_t count)
{
	int found = 0, rows = pq.PQntuples(answer);

	for (size_t i = 0; i < count; i++) {
		if (found < rows && strtoll(pq.PQgetvalue(answer, found, 0), NULL, 10) == *ids[i])
			found++;
		else
			*ids[i] = 0;
	}
}
