#include "store/store_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "llm/history.h"

/* Rows of a table per slice, by id. */
#define SLICE_IDS 1000

struct step {
	int64_t at_ms; /* 0: not finished */
	size_t order;
	char *name, *text;
};

struct trace {
	char *what;
	char *channel, *chat, *message; /* channel and chat may be NULL: any */
	int64_t inbound, turn;          /* 0: unknown */
	size_t phase;
	int64_t next_id; /* of the current table: the rest of its rows is up to it */
	bool any;        /* a row was found */
	struct step *steps;
	size_t count;
};

static bool is_number(const char *text)
{
	size_t len = strlen(text);

	return len > 0 && len < 19 && text[strspn(text, "0123456789")] == '\0';
}

/* Splits "CHANNEL:CHAT:ID", whose last part may contain colons, or "ID". */
static void split(struct trace *tr)
{
	const char *first = strchr(tr->what, ':'), *second = first ? strchr(first + 1, ':') : NULL;

	if (!second) {
		tr->message = xstrdup(tr->what);
		return;
	}
	tr->channel = xstrndup(tr->what, (size_t)(first - tr->what));
	tr->chat = xstrndup(first + 1, (size_t)(second - first - 1));
	tr->message = xstrdup(second + 1);
}

struct trace *message_trace_new(const char *what)
{
	struct trace *tr = xcalloc(1, sizeof(*tr));

	tr->what = xstrdup(what);
	tr->next_id = INT64_MAX;
	if (strncmp(what, "turn:", 5) == 0 && is_number(what + 5))
		tr->turn = strtoll(what + 5, NULL, 10);
	split(tr);
	return tr;
}

void message_trace_free(struct trace *tr)
{
	for (size_t i = 0; i < tr->count; i++) {
		free(tr->steps[i].name);
		free(tr->steps[i].text);
	}
	free(tr->steps);
	free(tr->what);
	free(tr->channel);
	free(tr->chat);
	free(tr->message);
	free(tr);
}

/* Each query returns for the row ?1 (a text in the last one): the time (0: not finished), the step and its
 * description. */
#define PLACE "channel || ':' || chat || CASE thread WHEN '' THEN '' ELSE '/' || thread END"

static const char *const of_inbound[] = {
    "SELECT sent_ms, 'said', " PLACE
    " || ' by ' || coalesce(sender_id, 'nobody') || coalesce(', message ' || "
    "message_id, '') || ', event ' || event_id FROM inbox WHERE id = ?1",
    "SELECT received_ms, 'received', 'inbound ' || id FROM inbox WHERE id = ?1",
    "SELECT stored_ms, 'committed', 'inbound ' || id || '; from here on the platform is told that we have "
    "it' FROM inbox WHERE id = ?1 AND stored_ms > 0",
    "SELECT 0, 'waits', 'inbound ' || id || ': no turn has taken it yet' FROM inbox WHERE id = ?1 AND state "
    "= 0",
    "SELECT 0, 'taken', 'inbound ' || inbox.id || ' by turn ' || turns.id FROM inbox JOIN turns ON turns.id "
    "= inbox.turn WHERE inbox.id = ?1 AND inbox.state = 2 AND turns.state = 0",
    "SELECT coalesce(turns.ended_ms, inbox.done_ms), 'done', 'inbound ' || inbox.id || ': ' || CASE WHEN "
    "inbox.turn <> 0 THEN 'with turn ' || inbox.turn ELSE coalesce(inbox.why, 'answered') END FROM inbox "
    "LEFT JOIN turns ON turns.id = inbox.turn WHERE inbox.id = ?1 AND inbox.state = 2 AND "
    "coalesce(turns.state, 1) <> 0",
    "SELECT done_ms, 'given up', 'inbound ' || id || ' with turn ' || turn || ': see `myna dead`' FROM inbox "
    "WHERE id = ?1 AND state = 3",
    "SELECT done_ms, 'kept', 'inbound ' || id || ' as context for the next turn of its chat' FROM inbox "
    "WHERE id = ?1 AND state = 4",
};

#define OF_ITS_TRANSCRIPT \
	" FROM transcript WHERE session = (SELECT session FROM turns WHERE id = ?1) AND turn = ?1"
#define BYTES "length(CAST(text AS BLOB)) || ' bytes'"

/* Its fourth column: the calls that the model asks for, as they are stored. */
static const char model_answered[] =
    "SELECT created_ms, CASE WHEN provider IS NULL THEN 'our words' ELSE 'model answered' END, " BYTES
    ", calls" OF_ITS_TRANSCRIPT " AND role = 1";

static const char *const of_turn[] = {
    "SELECT began_ms, 'turn begun', 'turn ' || id || ' of session ' || session FROM turns WHERE id = ?1",
    "SELECT waits_ms, 'turn waits', 'no model answered, the first time' FROM turns WHERE id = ?1 AND "
    "waits_ms > 0",
    "SELECT ended_ms, 'turn ended', CASE state WHEN 0 THEN 'not yet: ' WHEN 1 THEN 'answered, ' WHEN 2 THEN "
    "'stopped, ' WHEN 3 THEN 'failed, ' ELSE 'given up, ' END || rounds || CASE rounds WHEN 1 THEN ' round' "
    "ELSE ' rounds' END || ' of calls, begun ' || CASE attempts WHEN 1 THEN 'once' ELSE attempts || ' times' "
    "END FROM turns WHERE id = ?1",
    "SELECT began_ms, 'model asked', coalesce(provider || '/', '') || coalesce(model, '')" OF_ITS_TRANSCRIPT
    " AND role = 1 AND began_ms > 0",
    model_answered,
    "SELECT began_ms, 'call begun', call_id" OF_ITS_TRANSCRIPT " AND role = 2 AND began_ms > 0",
    "SELECT created_ms, CASE is_error WHEN 0 THEN 'call ended' ELSE 'call failed' END, call_id || ', ' "
    "|| " BYTES OF_ITS_TRANSCRIPT " AND role = 2",
    "SELECT started_ms, 'call begun', call_id || ', which has no result yet' FROM calls WHERE turn = ?1 AND "
    "finished = 0",
};
#define ROW "'row ' || id || CASE WHEN parts > 1 THEN ', part ' || part || ' of ' || parts ELSE '' END"

static const char *const of_outbound[] = {
    "SELECT created_ms, 'to be sent', " ROW " || ' to ' || " PLACE " FROM outbox WHERE id = ?1",
    "SELECT tried_ms, 'sending', " ROW " || ', try ' || attempts FROM outbox WHERE id = ?1 AND tried_ms > 0",
    "SELECT acked_ms, 'acknowledged', " ROW " || coalesce(', message ' || platform_id, '') || ': the "
    "platform has it' FROM outbox WHERE id = ?1 AND acked_ms > 0",
    "SELECT updated_ms, 'sent', " ROW " || coalesce(', message ' || platform_id, '') || CASE repeat WHEN 0 "
    "THEN '' ELSE ', marked as a possible repeat' END FROM outbox WHERE id = ?1 AND state = 2",
    "SELECT updated_ms, CASE state WHEN 3 THEN 'uncertain' ELSE 'failed' END, " ROW
    " || coalesce(': ' || reason, '') FROM outbox WHERE id = ?1 AND state > 2",
    "SELECT 0, 'waits', " ROW " || coalesce(': ' || reason, '') FROM outbox WHERE id = ?1 AND state < 2",
};

/* Appends ", calls NAME (ID), …". */
static void add_calls(char **text, const char *calls)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "");
	struct buf out = BUF_INIT;

	if (calls)
		llm_calls_parse(m, calls, NULL);
	buf_addstr(&out, *text);
	for (size_t i = 0; i < m->call_count; i++)
		buf_addf(&out, "%s%s (%s)", i > 0 ? ", " : ", calls ", m->calls[i].name, m->calls[i].id);
	free(*text);
	*text = buf_take(&out);
	llm_message_free(m);
}

static int add_steps(struct trace *tr, struct db *db, const char *sql, int64_t id, struct error *err)
{
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(id)), err);
	int rc = -1;

	while (row && (rc = db_next(db, row, err)) > 0) {
		tr->steps = xrealloc(tr->steps, (tr->count + 1) * sizeof(*tr->steps));
		tr->steps[tr->count] = (struct step){.at_ms = db_column_int(row, 0),
		    .order = tr->count,
		    .name = db_column_text(row, 1),
		    .text = db_column_text(row, 2)};
		if (sql == model_answered) {
			char *calls = db_column_text(row, 3);

			add_calls(&tr->steps[tr->count].text, calls);
			free(calls);
		}
		tr->count++;
		tr->any = true;
	}
	return rc;
}

static int add_all(
    struct trace *tr, struct db *db, const char *const *sql, size_t count, int64_t id, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (add_steps(tr, db, sql[i], id, err) < 0)
			return -1;
	return 0;
}

static int find_direct(struct trace *tr, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT turn FROM inbox WHERE id = ?1";
	int64_t id = is_number(tr->what) ? strtoll(tr->what, NULL, 10) : 0;
	int rc = tr->turn == 0 && id > 0 ? db_number(db, sql, DB_ARGS(db_int(id)), &tr->turn, err) : 0;

	if (rc > 0)
		tr->inbound = id;
	return rc < 0 ? -1 : 0;
}

/* Finds the newest message with this id on its platform. */
static int find_inbound(struct trace *tr, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, turn FROM inbox WHERE id <= ?1 AND id > ?2 AND message_id = ?3 AND (CAST(?4 AS TEXT) "
	    "IS NULL OR channel = ?4) AND (CAST(?5 AS TEXT) IS NULL OR chat = ?5) ORDER BY id DESC LIMIT 1";
	struct db_row *row;
	int rc;

	if (tr->inbound != 0 || tr->turn != 0)
		return 0;
	row = db_select(db, sql,
	    DB_ARGS(db_int(tr->next_id), db_int(tr->next_id - SLICE_IDS), db_text(tr->message),
		db_text(tr->channel), db_text(tr->chat)),
	    err);
	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 1;
	tr->inbound = db_column_int(row, 0);
	tr->turn = db_column_int(row, 1);
	db_end(row);
	return 0;
}

/* The message that an answer with this key answers; 0: another key. */
static int64_t inbound_of(const char *key)
{
	static const char prefix[] = "inbound:";

	return strncmp(key, prefix, strlen(prefix)) == 0 ? strtoll(key + strlen(prefix), NULL, 10) : 0;
}

/* Finds a message of the bot by its id on the platform, and what it answers. */
static int find_outbound(struct trace *tr, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, turn, key FROM outbox WHERE id <= ?1 AND id > ?2 AND platform_id = ?3"
	    " AND (CAST(?4 AS TEXT) IS NULL OR channel = ?4) AND (CAST(?5 AS TEXT) IS NULL OR chat = ?5) "
	    "ORDER BY id DESC LIMIT 1";
	struct db_row *row;
	int64_t id;
	int rc;

	if (tr->inbound != 0 || tr->turn != 0)
		return 0;
	row = db_select(db, sql,
	    DB_ARGS(db_int(tr->next_id), db_int(tr->next_id - SLICE_IDS), db_text(tr->message),
		db_text(tr->channel), db_text(tr->chat)),
	    err);
	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 1;
	id = db_column_int(row, 0);
	tr->turn = db_column_int(row, 1);
	char *key = db_column_text(row, 2);
	db_end(row);
	tr->inbound = key ? inbound_of(key) : 0;
	free(key);
	/* A notification answers nothing: its own steps are all. */
	if (tr->turn == 0 && tr->inbound == 0)
		return add_all(tr, db, of_outbound, ARRAY_LEN(of_outbound), id, err);
	return 0;
}

/* Adds the steps of a slice's rows, oldest first. */
static int add_rows(struct trace *tr, struct db *db, const char *sql, const char *const *steps,
    size_t step_count, struct error *err)
{
	char *key = xasprintf("inbound:%lld", (long long)tr->inbound);
	struct db_row *row = db_select(db, sql,
	    DB_ARGS(db_int(tr->next_id), db_int(tr->next_id - SLICE_IDS), db_int(tr->turn),
		db_int(tr->inbound), db_text(key)),
	    err);
	int64_t ids[SLICE_IDS];
	size_t count = 0;
	int rc = row ? 1 : -1;

	free(key);
	while (rc > 0 && (rc = db_next(db, row, err)) > 0)
		ids[count++] = db_column_int(row, 0);
	for (size_t i = 0; i < count && rc >= 0; i++)
		rc = add_all(tr, db, steps, step_count, ids[i], err);
	return rc < 0 ? -1 : 1;
}

static int add_inbound(struct trace *tr, struct db *db, struct error *err)
{
	static const char sql[] = "SELECT id FROM inbox WHERE id <= ?1 AND id > ?2 AND ((?3 <> 0 AND turn = "
				  "?3) OR id = ?4) AND CAST(?5 AS TEXT) IS NOT NULL ORDER BY id";

	return add_rows(tr, db, sql, of_inbound, ARRAY_LEN(of_inbound), err);
}

static int add_outbound(struct trace *tr, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id FROM outbox WHERE id <= ?1 AND id > ?2 AND ((?3 <> 0 AND turn = ?3) OR (?4 <> 0 AND "
	    "key = ?5) OR (?4 <> 0 AND substr(key, 1, length(?5) + 1) = ?5 || '/')) ORDER BY id";

	return add_rows(tr, db, sql, of_outbound, ARRAY_LEN(of_outbound), err);
}

static int add_turn(struct trace *tr, struct db *db, struct error *err)
{
	if (tr->turn == 0)
		return 0;
	return add_all(tr, db, of_turn, ARRAY_LEN(of_turn), tr->turn, err);
}

#define NEXT_OF(table) "SELECT id FROM " table " WHERE id <= ?1 ORDER BY id DESC LIMIT 1"

/* Run in this order. A phase with a table runs for slice after slice, newest first, until it returns 0 or the
 * table ends. */
static const struct {
	const char *next;
	int (*run)(struct trace *tr, struct db *db, struct error *err);
} phases[] = {
    {NULL, find_direct},
    {NEXT_OF("inbox"), find_inbound},
    {NEXT_OF("outbox"), find_outbound},
    {NEXT_OF("inbox"), add_inbound},
    {NULL, add_turn},
    {NEXT_OF("outbox"), add_outbound},
};

int message_trace_slice(struct trace *tr, struct db *db, struct error *err)
{
	const char *next = phases[tr->phase].next;
	/* A slice begins at a row: after a recovery there may be a billion ids without one. */
	int rc = next ? db_number(db, next, DB_ARGS(db_int(tr->next_id)), &tr->next_id, err) : 1;

	if (rc > 0)
		rc = phases[tr->phase].run(tr, db, err);
	if (rc < 0)
		return -1;
	tr->next_id -= SLICE_IDS;
	if (rc == 0) {
		tr->phase++;
		tr->next_id = INT64_MAX;
	}
	return tr->phase < ARRAY_LEN(phases);
}

/* Unfinished steps come last. */
static int compare(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->at_ms != y->at_ms && (x->at_ms == 0 || y->at_ms == 0))
		return x->at_ms == 0 ? 1 : -1;
	if (x->at_ms != y->at_ms)
		return x->at_ms < y->at_ms ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

struct json_object *message_trace_result(const struct trace *tr)
{
	struct json_object *result, *steps;

	if (!tr->any)
		return NULL;
	qsort(tr->steps, tr->count, sizeof(*tr->steps), compare);
	result = json_object_new_object();
	steps = json_object_new_array();
	for (size_t i = 0; i < tr->count; i++) {
		struct json_object *o = json_object_new_object();

		json_set_int(o, "at_ms", tr->steps[i].at_ms);
		json_set_str(o, "step", tr->steps[i].name);
		json_set_str(o, "text", tr->steps[i].text);
		json_object_array_add(steps, o);
	}
	json_set_int(result, "inbound", tr->inbound);
	json_set_int(result, "turn", tr->turn);
	json_set(result, "steps", steps);
	return result;
}

struct trace_job {
	struct job job;
	struct trace *trace;
};

static int trace_run(struct job *job, struct db *db, struct error *err)
{
	return message_trace_slice(((struct trace_job *)job)->trace, db, err);
}

static void trace_job_free(struct job *job)
{
	struct trace_job *j = (struct trace_job *)job;

	message_trace_free(j->trace);
	free(j);
}

int store_trace(
    struct task *t, struct store *s, const char *what, struct json_object **out, struct error *err)
{
	struct trace_job *j = job_new(sizeof(*j), JOB_READ, trace_run, trace_job_free);

	*out = NULL;
	j->trace = message_trace_new(what);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	*out = message_trace_result(j->trace);
	job_free(&j->job);
	return 0;
}
