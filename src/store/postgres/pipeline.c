/* The statements of a transaction, sent ahead of the answers to earlier ones. */
#include <poll.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "store/postgres/postgres_internal.h"

static int add(struct postgres *p, int sent, const struct postgres_sent *what, struct error *err)
{
	if (!sent)
		return postgres_lost(p, pq.PQerrorMessage(p->conn), err);
	if (p->sent_count == p->sent_room) {
		p->sent_room = p->sent_room > 0 ? 2 * p->sent_room : 64;
		p->sent = xrealloc(p->sent, p->sent_room * sizeof(*p->sent));
	}
	p->sent[p->sent_count++] = *what;
	return 0;
}

static int add_text(struct postgres *p, const char *sql, struct error *err)
{
	return add(p, pq.PQsendQueryParams(p->conn, sql, 0, NULL, NULL, NULL, NULL, 0),
	    &(struct postgres_sent){0}, err);
}

void pipeline_clear(struct postgres *p)
{
	for (size_t i = p->answered; i < p->sent_count; i++)
		free(p->sent[i].ids);
	p->sent_count = p->answered = 0;
	batch_drop(p);
}

/* The server, or the network, closed the connection while it was idle. */
static bool is_closed(const struct postgres *p)
{
	struct pollfd fd = {.fd = pq.PQsocket(p->conn), .events = POLLRDHUP};

	return poll(&fd, 1, 0) > 0;
}

int pipeline_begin(struct postgres *p, struct error *err)
{
	if (!p->conn)
		return postgres_fail_unreachable(p, err);
	/* Now it is certain that nothing of the transaction was stored. */
	if (is_closed(p))
		return postgres_lost(p, "it has ended the connection", err);
	pipeline_clear(p);
	p->in_pipeline = pq.PQenterPipelineMode(p->conn);
	return p->in_pipeline ? add_text(p, "BEGIN", err) : postgres_lost(p, pq.PQerrorMessage(p->conn), err);
}

int pipeline_add(struct postgres *p, struct postgres_prepared *s, size_t count, const Oid *types,
    const char *const *texts, const struct postgres_sent *what, struct error *err)
{
	int sent;

	if (batch_send(p, err) != 0)
		return -1;
	if (s->generation != p->generation) {
		sent = pq.PQsendPrepare(p->conn, s->name, s->sql, (int)count, types);
		if (add(p, sent, &(struct postgres_sent){.prepared = s}, err) != 0)
			return -1;
		s->generation = p->generation;
	}
	sent = pq.PQsendQueryPrepared(p->conn, s->name, (int)count, texts, NULL, NULL, 0);
	return add(p, sent, what, err);
}

void pipeline_forget(struct postgres *p, PGresult **result)
{
	for (size_t i = p->answered; i < p->sent_count; i++)
		if (p->sent[i].result == result)
			p->sent[i].result = NULL;
}

/* Reads the answer to one statement, or to the synchronization. NULL with err set when the connection is
 * lost. */
static PGresult *read_answer(struct postgres *p, struct error *err)
{
	PGresult *answer;

	if (postgres_next_result(p, &answer, err) != 0)
		return NULL;
	if (!answer) {
		postgres_lost(p, "it answers what was not asked", err);
		return NULL;
	}
	if (pq.PQresultStatus(answer) != PGRES_PIPELINE_SYNC) {
		PGresult *none;

		if (postgres_next_result(p, &none, err) != 0) {
			pq.PQclear(answer);
			return NULL;
		}
		pq.PQclear(none);
	}
	return answer;
}

/* Passes the result to the statement's caller. Returns -1 with err set when it is an error. */
static int take(struct postgres *p, PGresult *answer, struct error *err)
{
	struct postgres_sent *s = &p->sent[p->answered++];
	int64_t **ids = s->ids;

	s->ids = NULL;
	if (ids && postgres_is_good(answer))
		batch_take_ids(answer, ids, s->id_count);
	free(ids);

	if (!postgres_is_good(answer) && s->prepared)
		s->prepared->generation = 0;
	if (pq.PQresultStatus(answer) == PGRES_PIPELINE_ABORTED) {
		pq.PQclear(answer);
		return -1;
	}
	if (!postgres_is_good(answer))
		return postgres_fail(p, answer, s->presumed, err);
	if (s->result)
		*s->result = answer;
	else
		pq.PQclear(answer);
	return 0;
}

/* Waits for the answers to all that was sent. A synchronization and no flush asks for them: without it the
 * server would not end the transaction of a gateway that has stopped. Returns -1 after the first error. */
static int drain(struct postgres *p, struct error *err)
{
	PGresult *answer;
	int rc = 0;

	if (batch_send(p, err) != 0 || !p->conn)
		return -1;
	if (!pq.PQpipelineSync(p->conn))
		return postgres_lost(p, pq.PQerrorMessage(p->conn), err);
	if (postgres_send(p, err) != 0)
		return -1;
	while (p->answered < p->sent_count) {
		answer = read_answer(p, rc == 0 ? err : NULL);
		if (!answer)
			return -1;
		if (take(p, answer, rc == 0 ? err : NULL) != 0)
			rc = -1;
		if (!p->conn)
			return -1;
	}
	answer = read_answer(p, rc == 0 ? err : NULL);
	pq.PQclear(answer);
	return answer ? rc : -1;
}

static int leave(struct postgres *p, struct error *err)
{
	if (p->in_pipeline && !pq.PQexitPipelineMode(p->conn))
		return postgres_lost(p, pq.PQerrorMessage(p->conn), err);
	p->in_pipeline = false;
	return 0;
}

int pipeline_end(struct postgres *p, struct error *err)
{
	int rc = p->in_pipeline ? drain(p, err) : 0;

	return leave(p, rc == 0 ? err : NULL) != 0 ? -1 : rc;
}

int pipeline_await(struct postgres *p, struct error *err)
{
	int rc = drain(p, err);

	/* Only the end of the transaction is left to do. */
	if (rc != 0)
		leave(p, NULL);
	return rc;
}

int pipeline_commit(struct postgres *p, struct error *err)
{
	PGresult *committed = NULL;
	int rc = -1;

	if (add_text(p, "COMMIT", err) != 0)
		return -1;
	p->sent[p->sent_count - 1].result = &committed;
	if (pipeline_end(p, err) == 0)
		rc = postgres_has_committed(p, committed, err);
	pq.PQclear(committed);
	return rc;
}

static int find_ids(struct postgres *p, struct postgres_sent *s, struct error *err)
{
	struct buf sql = BUF_INIT;
	PGresult *found;

	buf_addf(
	    &sql, ONLY_POSTGRES "SELECT id FROM %.*s WHERE id IN (", (int)strcspn(s->table, " "), s->table);
	for (size_t i = 0; i < s->id_count; i++)
		buf_addf(&sql, i == 0 ? "%lld" : ", %lld", (long long)*s->ids[i]);
	buf_addstr(&sql, ") ORDER BY id");
	found = postgres_query(p, sql.data, err);
	buf_clear(&sql);
	if (!found)
		return -1;
	batch_take_ids(found, s->ids, s->id_count);
	pq.PQclear(found);
	free(s->ids);
	s->ids = NULL;
	return 0;
}

int pipeline_find_ids(struct postgres *p, struct error *err)
{
	for (size_t i = p->answered; i < p->sent_count; i++)
		if (p->sent[i].ids && find_ids(p, &p->sent[i], err) != 0)
			return -1;
	return 0;
}
