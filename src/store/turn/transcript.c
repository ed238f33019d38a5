#include "store/turn/transcript.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/store_internal.h"
#include "store/turn/summaries.h"

_Static_assert(LLM_USER == 0 && LLM_ASSISTANT == 1 && LLM_TOOL == 2, "stored roles keep their numbers");

#define COLUMNS "turn, role, is_error, created_ms, began_ms, call_id, provider, model, raw, text"
#define MARKS   "?, ?, ?, ?, ?, ?, ?, ?, ?, ?"

static const struct db_field fields[] = {
    {DB_INT64, offsetof(struct llm_message, turn), 0},
    {DB_ENUM, offsetof(struct llm_message, role), LLM_TOOL},
    {DB_BOOL, offsetof(struct llm_message, is_error), 0},
    {DB_INT64, offsetof(struct llm_message, created_ms), 0},
    {DB_INT64, offsetof(struct llm_message, began_ms), 0},
    {DB_TEXT, offsetof(struct llm_message, call_id), 0},
    {DB_TEXT, offsetof(struct llm_message, provider), 0},
    {DB_TEXT, offsetof(struct llm_message, model), 0},
    {DB_TEXT, offsetof(struct llm_message, raw), 0},
    {DB_TEXT, offsetof(struct llm_message, text), 0},
};

/* A provider refuses a name with the brackets of a mark. */
static bool redact_name(char **name)
{
	bool found = store_redact(name);

	if (found) {
		free(*name);
		*name = xstrdup("redacted");
	}
	return found;
}

/* A copy, of whose text nothing else was made. */
static void redact(struct llm_message *m)
{
	char *text = (char *)m->text;

	if (store_redact(&text)) {
		m->text_count.known = false;
		m->differs = true;
	}
	m->text = text;
	if (store_redact(&m->raw)) {
		m->raw_count.known = false;
		m->differs = true;
	}
	for (size_t k = 0; k < m->call_count; k++) {
		m->differs |= redact_name(&m->calls[k].name);
		m->differs |= store_redact(&m->calls[k].arguments);
	}
}

void transcript_copy(
    struct transcript_rows *to, struct llm_message *const *messages, size_t count, int64_t now_ms)
{
	to->messages = xcalloc(count, sizeof(*to->messages));
	to->count = count;
	for (size_t i = 0; i < count; i++) {
		struct llm_message *m = to->messages[i] = llm_message_copy(messages[i]);

		redact(m);
		if (m->created_ms == 0)
			m->created_ms = now_ms;
	}
}

void transcript_clear(struct transcript_rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		llm_message_free(r->messages[i]);
	free(r->messages);
	*r = (struct transcript_rows){0};
}

void transcript_return(const struct transcript_rows *from, struct llm_message *const *to)
{
	for (size_t i = 0; i < from->count; i++) {
		to[i]->id = from->messages[i]->id;
		to[i]->turn = from->messages[i]->turn;
		to[i]->created_ms = from->messages[i]->created_ms;
		to[i]->differs = from->messages[i]->differs;
	}
}

static int insert(struct db *db, int64_t session, struct llm_message *m, struct error *err)
{
	static const char sql[] = "INSERT INTO transcript (" COLUMNS
				  ", session, bytes, calls, images, id) VALUES (" MARKS ", ?, ?, ?, ?, ?)";
	struct db_value values[ARRAY_LEN(fields) + 5];
	size_t count = db_values(values, fields, ARRAY_LEN(fields), m);
	char *calls = llm_calls_text(m), *images = llm_images_text(m->images, m->image_count);
	int rc = db_new_id(db, DB_TRANSCRIPT, &m->id, err);

	values[count++] = db_int(session);
	values[count++] = db_int((int64_t)llm_message_bytes(m));
	values[count++] = db_text(calls);
	values[count++] = db_text(images);
	values[count++] = db_int(m->id);
	if (rc == 0)
		rc = db_run_batched(db, sql, values, count, err);
	free(calls);
	free(images);
	return rc < 0 ? -1 : 0;
}

int transcript_insert(
    struct db *db, const struct transcript_rows *r, int64_t session, int64_t turn, struct error *err)
{
	static const char begun[] = "SELECT started_ms FROM calls WHERE turn = ?1 AND call_id = ?2";
	static const char finish[] = "UPDATE calls SET finished = 1 WHERE turn = ?1 AND call_id = ?2";

	for (size_t i = 0; i < r->count; i++) {
		struct llm_message *m = r->messages[i];

		m->turn = turn;
		if (m->role == LLM_TOOL &&
		    db_number(db, begun, DB_ARGS(db_int(turn), db_text(m->call_id)), &m->began_ms, err) < 0)
			return -1;
		if (insert(db, session, m, err) != 0)
			return -1;
		if (m->role == LLM_TOOL &&
		    db_run_later(db, finish, DB_ARGS(db_int(turn), db_text(m->call_id)), err) < 0)
			return -1;
	}
	return 0;
}

struct history_job {
	struct job job;
	int64_t session;
	size_t max_bytes;
	int64_t after_id, last_id; /* last_id 0: not searched yet */
	int64_t upto;              /* the summary covers the messages up to this one */
	size_t rows;               /* from after_id to last_id */
	bool cut;                  /* there are older ones, which do not fit */
	struct llm_history found;
};

/* Reads sizes backwards to find the first message of the oldest turn that fits. */
static int find_first(struct history_job *j, struct db *db, struct error *err)
{
	static const char sql[] =
	    "SELECT id, turn, bytes FROM transcript WHERE session = ?1 AND id > ?2 ORDER BY id DESC";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(j->session), db_int(j->upto)), err);
	int64_t newest = 0, turn = 0, id = 0;
	size_t total = 0;
	int rc;

	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		if (j->last_id == 0) {
			j->last_id = db_column_int(row, 0);
			newest = turn = db_column_int(row, 1);
		}
		if (db_column_int(row, 1) != turn)
			j->after_id = id - 1;
		turn = db_column_int(row, 1);
		total += (size_t)db_column_int(row, 2);
		j->cut = total > j->max_bytes;
		if (j->cut && turn != newest)
			break;
		id = db_column_int(row, 0);
		j->rows++;
	}
	db_end(row);
	if (rc == 0)
		j->after_id = id - 1;
	return rc < 0 ? -1 : 0;
}

/* The summary becomes the first message. */
static int find_summary(struct history_job *j, struct db *db, struct error *err)
{
	char *text;

	if (summary_find(db, j->session, &j->upto, &text, err) != 0)
		return -1;
	if (text)
		llm_history_add(&j->found, llm_message_new_summary(text, j->upto));
	free(text);
	return 0;
}

static struct llm_message *read_message(struct db *db, struct db_row *row, struct error *err)
{
	struct llm_message *m = llm_message_new(LLM_USER, "");
	char *calls, *images;

	m->id = db_column_int(row, 0);
	if (db_read(db, row, 3, fields, ARRAY_LEN(fields), m, err) != 0) {
		llm_message_free(m);
		return NULL;
	}
	/* Calls that cannot be read are dropped; the repair of the history handles their results. */
	calls = db_column_text(row, 1);
	if (calls)
		llm_calls_parse(m, calls, NULL);
	free(calls);
	images = db_column_text(row, 2);
	llm_images_parse(images, &m->images, &m->image_count);
	free(images);
	return m;
}

static int history_run(struct job *job, struct db *db, struct error *err)
{
	/* Excludes turns that were dead or undone, of which there are none nearly always. */
	static const char sql[] =
	    "SELECT id, calls, images, " COLUMNS " FROM transcript WHERE session = ?1 AND id > ?2 AND id <= "
	    "?3 AND (NOT EXISTS (SELECT 1 FROM turns WHERE state = 4) OR turn NOT IN (SELECT id FROM turns "
	    "WHERE state = 4)) AND (NOT EXISTS (SELECT "
	    "1 FROM turns WHERE session = ?1 AND hidden = 1) OR turn NOT IN (SELECT id FROM turns WHERE "
	    "session = ?1 AND hidden = 1)) ORDER BY id LIMIT ?4";
	struct history_job *j = (struct history_job *)job;
	struct db_row *row;
	struct llm_message *m;
	int slice = STORE_SLICE, rc;

	if (j->last_id == 0 && (find_summary(j, db, err) != 0 || find_first(j, db, err) != 0))
		return -1;
	row = db_select(db, sql,
	    DB_ARGS(db_int(j->session), db_int(j->after_id), db_int(j->last_id), db_int(slice)), err);
	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		m = read_message(db, row, err);
		if (!m)
			return -1;
		j->after_id = m->id;
		llm_history_add(&j->found, m);
		slice--;
	}
	return rc < 0 ? -1 : slice == 0;
}

/* What takes about a millisecond, in a commit that others share. */
#define SHORT_BYTES ((size_t)64 * 1024)

int transcript_read_short(
    struct db *db, int64_t session, size_t max_bytes, struct llm_history *out, struct error *err)
{
	struct history_job j = {
	    .session = session, .max_bytes = max_bytes < SHORT_BYTES ? max_bytes : SHORT_BYTES};
	int rc = 0;

	llm_history_init(&j.found);
	if (find_summary(&j, db, err) != 0 || find_first(&j, db, err) != 0)
		rc = -1;
	else if (j.last_id > 0 && j.rows < STORE_SLICE && (!j.cut || j.max_bytes == max_bytes))
		rc = history_run(&j.job, db, err) < 0 ? -1 : 1;
	*out = j.found;
	return rc;
}

static void history_free(struct job *job)
{
	struct history_job *j = (struct history_job *)job;

	llm_history_clear(&j->found);
	free(j);
}

int store_history(struct task *t, struct store *s, int64_t session, size_t max_bytes, struct llm_history *out,
    struct error *err)
{
	struct history_job *j = job_new(sizeof(*j), JOB_READ, history_run, history_free);

	llm_history_init(&j->found);
	j->session = session;
	j->max_bytes = max_bytes;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	for (size_t i = 0; i < j->found.count; i++)
		llm_history_add(out, j->found.messages[i]);
	j->found.count = 0;
	job_free(&j->job);
	return 0;
}
