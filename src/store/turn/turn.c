#include "base/error.h"
#include "base/mem.h"
#include "llm/history.h"
#include "store/journal/addresses.h"
#include "store/chats.h"
#include "store/journal/context.h"
#include "store/journal/inbox.h"
#include "store/journal/outbox.h"
#include "store/search_index.h"
#include "store/turn/session.h"
#include "store/store_internal.h"
#include "store/turn/transcript.h"
#include "store/turn/turns.h"
#include "store/turn/undo.h"
#include "store/usage.h"

_Static_assert(STORE_TURN_OPEN == 0 && STORE_TURN_DONE == 1 && STORE_TURN_STOPPED == 2 &&
	STORE_TURN_FAILED == 3 && STORE_TURN_DEAD == 4,
    "stored states keep their numbers");

/* The arguments and results of the calls below. */
struct turn_job {
	struct job job;
	struct address where;
	struct store_turn turn;
	enum store_turn_state state;
	bool found;
	struct transcript_rows messages;
	struct outbox_rows rows;
	char **calls;
	size_t call_count;
	int64_t session; /* in which it begins, unless renew ends that one */
	int64_t again;
	bool renew;
	/* Of a turn whose session has to be found. */
	bool find, unbegun;
	struct address context;
	int64_t fresh_ms;
	struct store_turn_opening opening;
	int64_t last; /* the newest message of the session */
	struct warm_history warm;
	bool is_warm; /* it is the session's */
};

static void free_strings(char **strings)
{
	for (size_t i = 0; strings && strings[i]; i++)
		free(strings[i]);
	free(strings);
}

static void history_free(struct llm_history *h)
{
	if (h)
		llm_history_clear(h);
	free(h);
}

void store_turn_opening_clear(struct store_turn_opening *o)
{
	for (size_t i = 0; i < o->context_count; i++)
		message_free(o->context[i]);
	*o = (struct store_turn_opening){0};
}

void store_turn_clear(struct store_turn *turn)
{
	free(turn->inbound);
	message_free(turn->asked);
	free(turn->model);
	free(turn->instructions);
	free(turn->preview);
	free(turn->person);
	free_strings(turn->unfinished);
	history_free(turn->history);
	*turn = (struct store_turn){0};
}

static void turn_free(struct job *job)
{
	struct turn_job *j = (struct turn_job *)job;

	store_turn_clear(&j->turn);
	store_turn_opening_clear(&j->opening);
	llm_history_clear(&j->warm.history);
	transcript_clear(&j->messages);
	outbox_clear(&j->rows);
	free_strings(j->calls);
	free(j);
}

static struct turn_job *turn_job(int (*run)(struct job *job, struct db *db, struct error *err))
{
	return job_new(sizeof(struct turn_job), JOB_WRITE, run, turn_free);
}

/* A turn without messages (a reminder's, or one whose rows were lost) is addressed to its chat. */
static void ensure_asked(struct store_turn *turn, const struct address *where)
{
	if (!turn->asked) {
		turn->asked = message_new();
		turn->asked->from = *where;
	}
}

/* Takes the turn's inbound rows and stores their text for the model. */
static int take_messages(struct turn_job *j, struct db *db, struct error *err)
{
	const struct store_turn *turn = &j->turn;

	if (inbox_claim(db, turn->inbound, turn->inbound_count, turn->id, j->job.now_ms, err) != 0)
		return -1;
	return transcript_insert(db, &j->messages, turn->session, turn->id, err);
}

static struct db_row *select_session(struct turn_job *j, struct db *db, bool ahead, struct error *err)
{
	static const char sql[] =
	    "SELECT s.id, m.created_ms, EXISTS (SELECT 1 FROM inbox WHERE inbox.state = 4 AND inbox.channel "
	    "= ?1 AND inbox.chat = ?2 AND inbox.thread = ?4), c.model, c.instructions, m.id FROM sessions AS "
	    "s LEFT JOIN chats AS c ON c.channel = ?1 AND c.chat = ?2 LEFT JOIN transcript AS m ON m.id = "
	    "(SELECT max(t.id) FROM transcript AS t WHERE t.session = s.id) WHERE s.channel = ?1 AND s.chat "
	    "= ?2 AND s.thread = ?3 AND s.closed_ms = 0";
	const struct db_value values[] = {db_text(j->where.channel), db_text(j->where.chat),
	    db_text(j->where.thread), db_text(j->context.thread)};

	return ahead ? db_select_ahead(db, sql, values, ARRAY_LEN(values)) :
		       db_select(db, sql, values, ARRAY_LEN(values), err);
}

static struct db_row *select_ahead(struct job *job, struct db *db)
{
	return select_session((struct turn_job *)job, db, true, NULL);
}

/* Finds the current session of the place, its last message, and what is set for its chat. *said_ms: when that
 * was, 0 for none. *context: whether there may be some. */
static int find_session(struct turn_job *j, struct db *db, int64_t *said_ms, bool *context, struct error *err)
{
	struct store_turn *turn = &j->turn;
	struct db_row *row = j->job.ahead ? j->job.ahead : select_session(j, db, false, err);
	int found;

	j->job.ahead = NULL;
	found = row ? db_next(db, row, err) : -1;

	turn->session = 0;
	*context = true;
	if (found <= 0)
		return found;
	turn->session = db_column_int(row, 0);
	*said_ms = db_column_int(row, 1);
	*context = db_column_int(row, 2);
	free(turn->model);
	free(turn->instructions);
	turn->model = db_column_text(row, 3);
	turn->instructions = db_column_text(row, 4);
	j->last = db_column_int(row, 5);
	db_end(row);
	return 0;
}

/* Sets unbegun when the turn's message may have to be worded in another way. */
static int read_opening(struct turn_job *j, struct db *db, struct error *err)
{
	struct store_turn_opening *o = &j->opening;
	int64_t said_ms = 0;
	bool context;

	store_turn_opening_clear(o);
	if (find_session(j, db, &said_ms, &context, err) != 0 ||
	    (context && context_read(db, &j->context, o->context, &o->context_count, err) != 0))
		return -1;
	o->session = j->turn.session;
	o->expired = said_ms > 0 && said_ms < j->fresh_ms;
	j->unbegun = o->session == 0 || o->expired || o->context_count > 0;
	return 0;
}

/* The session is given; what happens to it needs that it has no open turn. */
static int read_session(struct turn_job *j, struct db *db, struct error *err)
{
	static const char last[] = "SELECT max(id) FROM transcript WHERE session = ?1";
	struct store_turn *turn = &j->turn;

	turn->session = j->session;
	if (session_read_address(db, turn->session, &j->where, err) != 0 ||
	    session_refuse_open(db, turn->session, err) != 0 ||
	    chats_read(db, &j->where, &turn->model, &turn->instructions, err) != 0)
		return -1;
	if (j->again != 0 && undo_turn(db, turn->session, j->again, err) != 0)
		return -1;
	if (j->renew && session_replace(db, &j->where, j->job.now_ms, &turn->session, err) != 0)
		return -1;
	return db_number(db, last, DB_ARGS(db_int(turn->session)), &j->last, err) < 0 ? -1 : 0;
}

/* A model that the chat has chosen has a window of its own, which history_max is not for. */
static int read_history(struct turn_job *j, struct db *db, struct error *err)
{
	const struct warm_history *warm = &j->warm;
	struct store_turn *turn = &j->turn;
	int rc;

	if (turn->model)
		turn->history_max = 0;
	if (turn->history_max == 0)
		return 0;
	j->is_warm =
	    warm->session == turn->session && warm->last == j->last && warm->max == turn->history_max;
	if (j->is_warm)
		return 0;
	history_free(turn->history);
	turn->history = xcalloc(1, sizeof(*turn->history));
	rc = transcript_read_short(db, turn->session, turn->history_max, turn->history, err);
	if (rc > 0)
		return 0;
	history_free(turn->history);
	turn->history = NULL;
	return rc;
}

static int begin_run(struct job *job, struct db *db, struct error *err)
{
	static const char begin[] =
	    "INSERT INTO turns (session, began_ms, person, id) VALUES (?1, ?2, ?3, ?4) ON "
	    "CONFLICT (session) WHERE state = 0 DO NOTHING";
	struct turn_job *j = (struct turn_job *)job;
	struct store_turn *turn = &j->turn;
	int begun;

	if (j->find ? read_opening(j, db, err) != 0 : read_session(j, db, err) != 0)
		return -1;
	if (j->unbegun || db_new_id(db, DB_TURNS, &turn->id, err) != 0)
		return j->unbegun ? 0 : -1;
	begun = db_run_batched_presumed(db, begin,
	    DB_ARGS(db_int(turn->session), db_int(job->now_ms), db_text(turn->person), db_int(turn->id)),
	    err);
	if (begun <= 0)
		return begun < 0 ? -1 : session_refuse_open(db, turn->session, err);
	turn->attempts = 1;
	ensure_asked(turn, &j->where);
	if (take_messages(j, db, err) != 0 || read_history(j, db, err) != 0)
		return -1;
	return outbox_insert(db, &j->rows, err);
}

static void set_inbound(struct store_turn *turn, const struct message *const *inbound, size_t count)
{
	turn->inbound = xcalloc(count, sizeof(*turn->inbound));
	turn->inbound_count = count;
	for (size_t i = 0; i < count; i++)
		turn->inbound[i] = inbound[i]->id;
	if (count > 0) {
		turn->asked = message_copy(inbound[count - 1]);
		if (turn->asked->kind != MESSAGE_SCHEDULE)
			turn->asked->text[0] = '\0';
	}
}

/* The history that was kept gets the turn's message, as it is stored. */
static void take_warm(struct turn_job *j)
{
	struct store_turn *turn = &j->turn;

	if (!j->is_warm)
		return;
	turn->history = xmemdup(&j->warm.history, sizeof(j->warm.history));
	llm_history_init(&j->warm.history);
	llm_history_add(turn->history, j->messages.messages[0]);
	j->messages.messages[0] = NULL;
}

int store_turn_start(struct task *t, struct store *s, const struct store_turn_start *start,
    struct store_turn *turn, struct store_turn_opening *opening, struct error *err)
{
	struct turn_job *j = turn_job(begin_run);

	j->session = start->session;
	j->find = start->session == 0;
	if (j->find) {
		j->where = *start->where;
		j->context = j->where;
		str_copy(j->context.thread, sizeof(j->context.thread), start->context);
		j->fresh_ms = start->fresh_ms;
		j->job.select_ahead = select_ahead;
	}
	if (start->again != 0)
		warm_histories_changed(&s->warm, start->session);
	j->turn.history_max = start->history_max;
	j->turn.changes = s->warm.changes;
	if (start->history_max > 0)
		warm_history_take(&s->warm, start->where, &j->warm);
	j->turn.person = xstrdup(start->person);
	j->again = start->again;
	j->renew = start->renew;
	set_inbound(&j->turn, start->inbound, start->inbound_count);
	j->turn.unfinished = xcalloc(1, sizeof(*j->turn.unfinished));
	transcript_copy(&j->messages, &start->user, 1, j->job.now_ms);
	outbox_copy(&j->rows, start->rows, start->row_count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	if (j->unbegun) {
		if (j->warm.session != 0)
			warm_history_put(&s->warm, start->where, &j->warm);
		*opening = j->opening;
		j->opening = (struct store_turn_opening){0};
		job_free(&j->job);
		return 1;
	}
	transcript_return(&j->messages, &start->user);
	search_index_added(s, &j->messages);
	outbox_return(&j->rows, start->rows);
	take_warm(j);
	*turn = j->turn;
	j->turn = (struct store_turn){0};
	job_free(&j->job);
	return 0;
}

int store_turn_begin(struct task *t, struct store *s, int64_t session, const struct message *const *inbound,
    size_t inbound_count, struct llm_message *user, struct store_turn *turn, struct error *err)
{
	const struct store_turn_start start = {
	    .session = session, .inbound = inbound, .inbound_count = inbound_count, .user = user};

	return store_turn_start(t, s, &start, turn, NULL, err);
}

static int read_unfinished(struct db *db, struct store_turn *turn, struct error *err)
{
	static const char sql[] = "SELECT call_id FROM calls WHERE turn = ?1 AND finished = 0 ORDER BY id";
	struct db_row *row = db_select(db, sql, DB_ARGS(db_int(turn->id)), err);
	size_t count = 0;
	int rc;

	turn->unfinished = xcalloc(1, sizeof(*turn->unfinished));
	if (!row)
		return -1;
	while ((rc = db_next(db, row, err)) > 0) {
		turn->unfinished = xrealloc(turn->unfinished, (count + 2) * sizeof(*turn->unfinished));
		turn->unfinished[count++] = db_column_text(row, 0);
		turn->unfinished[count] = NULL;
	}
	return rc;
}

static const struct db_field turn_fields[] = {
    {DB_INT64, offsetof(struct store_turn, id), 0},
    {DB_INT64, offsetof(struct store_turn, session), 0},
    {DB_UINT, offsetof(struct store_turn, attempts), 0},
    {DB_UINT, offsetof(struct store_turn, rounds), 0},
    {DB_INT64, offsetof(struct store_turn, waiting_since_ms), 0},
    {DB_TEXT, offsetof(struct store_turn, preview), 0},
    {DB_TEXT, offsetof(struct store_turn, person), 0},
};

static int resume_run(struct job *job, struct db *db, struct error *err)
{
	/* The plus sign: not by id, past all turns. */
	static const char find[] =
	    "SELECT turns.id, session, attempts + 1, rounds, waits_ms, preview, person FROM sessions CROSS "
	    "JOIN turns WHERE turns.session = sessions.id AND turns.state = 0"
	    " AND channel = ?1 AND chat = ?2 AND thread = ?3 ORDER BY +turns.id LIMIT 1";
	static const char count[] = "UPDATE turns SET attempts = ?2 WHERE id = ?1";
	struct turn_job *j = (struct turn_job *)job;
	const struct address *a = &j->where;
	struct store_turn *turn = &j->turn;
	struct db_row *row;
	int rc;

	store_turn_clear(turn);
	j->found = false;
	row = db_select(db, find, DB_ARGS(db_text(a->channel), db_text(a->chat), db_text(a->thread)), err);
	if (!row || (rc = db_next(db, row, err)) < 0)
		return -1;
	if (rc == 0)
		return 0;
	j->found = true;
	rc = db_read(db, row, 0, turn_fields, ARRAY_LEN(turn_fields), turn, err);
	db_end(row);
	if (rc != 0 || db_run(db, count, DB_ARGS(db_int(turn->id), db_int(turn->attempts)), err) < 0 ||
	    inbox_read_claimed(db, turn->id, &turn->inbound, &turn->inbound_count, &turn->asked, err) != 0)
		return -1;
	ensure_asked(turn, a);
	return chats_read(db, a, &turn->model, &turn->instructions, err) != 0 ?
	    -1 :
	    read_unfinished(db, turn, err);
}

int store_turn_resume(
    struct task *t, struct store *s, const struct address *where, struct store_turn *turn, struct error *err)
{
	struct turn_job *j = turn_job(resume_run);
	int found;

	j->where = *where;
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	found = j->found;
	if (found) {
		*turn = j->turn;
		j->turn = (struct store_turn){0};
	}
	job_free(&j->job);
	return found;
}

/* Refuses to continue a turn that has ended. With a bare state = 0, PostgreSQL would take the index of open
 * turns for small, and read all of it. */
static int update_open(struct turn_job *j, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE turns SET rounds = ?2, state = ?3, ended_ms = ?4 " DB_FROM_ROWS
				  " WHERE id = ?1 AND +state = 0 AND session = ?5";
	int64_t ended_ms = j->state == STORE_TURN_OPEN ? 0 : j->job.now_ms;
	int changed;

	changed = db_run_batched_presumed(db, sql,
	    DB_ARGS(db_int(j->turn.id), db_int(j->turn.rounds), db_int(j->state), db_int(ended_ms),
		db_int(j->turn.session)),
	    err);
	if (changed == 0)
		return error_set(
		    err, ERROR_REFUSED, "the turn %lld has ended already", (long long)j->turn.id);
	return changed < 0 ? -1 : usage_add(db, j->turn.session, &j->turn.spent, j->job.now_ms, err);
}

static int append_run(struct job *job, struct db *db, struct error *err)
{
	struct turn_job *j = (struct turn_job *)job;

	if (update_open(j, db, err) != 0)
		return -1;
	return transcript_insert(db, &j->messages, j->turn.session, j->turn.id, err);
}

/* Returns a job for the caller's turn, with its numbers only. */
static struct turn_job *job_of(
    const struct store_turn *turn, int (*run)(struct job *job, struct db *db, struct error *err))
{
	struct turn_job *j = turn_job(run);

	j->turn = (struct store_turn){
	    .id = turn->id, .session = turn->session, .rounds = turn->rounds, .spent = turn->spent};
	return j;
}

int store_turn_append(struct task *t, struct store *s, const struct store_turn *turn,
    struct llm_message *const *messages, size_t count, struct error *err)
{
	struct turn_job *j = job_of(turn, append_run);

	transcript_copy(&j->messages, messages, count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	transcript_return(&j->messages, messages);
	search_index_added(s, &j->messages);
	job_free(&j->job);
	return 0;
}

static int join_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE turns SET person = ?2 WHERE id = ?1";
	struct turn_job *j = (struct turn_job *)job;
	const struct store_turn *turn = &j->turn;

	if (update_open(j, db, err) != 0 ||
	    db_run_later(db, sql, DB_ARGS(db_int(turn->id), db_text(turn->person)), err) < 0)
		return -1;
	return take_messages(j, db, err);
}

/* Adds the messages that joined the turn. */
static void keep_joined(struct store_turn *turn, struct store_turn *joined)
{
	turn->inbound = xrealloc(
	    turn->inbound, (turn->inbound_count + joined->inbound_count + 1) * sizeof(*turn->inbound));
	for (size_t i = 0; i < joined->inbound_count; i++)
		turn->inbound[turn->inbound_count++] = joined->inbound[i];
	message_free(turn->asked);
	turn->asked = joined->asked;
	joined->asked = NULL;
	free(turn->person);
	turn->person = joined->person;
	joined->person = NULL;
}

int store_turn_join(struct task *t, struct store *s, struct store_turn *turn,
    const struct message *const *inbound, size_t inbound_count, struct llm_message *user, const char *person,
    struct error *err)
{
	struct turn_job *j = job_of(turn, join_run);

	j->turn.person = xstrdup(person);
	set_inbound(&j->turn, inbound, inbound_count);
	transcript_copy(&j->messages, &user, 1, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	transcript_return(&j->messages, &user);
	search_index_added(s, &j->messages);
	keep_joined(turn, &j->turn);
	job_free(&j->job);
	return 0;
}

static int preview_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "UPDATE turns SET preview = ?2 WHERE id = ?1 AND +state = 0";
	const struct store_turn *turn = &((struct turn_job *)job)->turn;

	return db_run_later(db, sql, DB_ARGS(db_int(turn->id), db_text(turn->preview)), err) < 0 ? -1 : 0;
}

int store_turn_preview(
    struct task *t, struct store *s, const struct store_turn *turn, const char *message_id, struct error *err)
{
	struct turn_job *j = job_of(turn, preview_run);

	j->turn.preview = xstrdup(message_id);
	return job_queue_finish(t, &s->queue, &j->job, err);
}

static int calls_run(struct job *job, struct db *db, struct error *err)
{
	static const char sql[] = "INSERT INTO calls (turn, call_id, started_ms) VALUES (?1, ?2, ?3) ON "
				  "CONFLICT (turn, call_id) DO NOTHING";
	struct turn_job *j = (struct turn_job *)job;
	int changed;

	if (update_open(j, db, err) != 0)
		return -1;
	for (size_t i = 0; i < j->call_count; i++) {
		changed = db_run_presumed(
		    db, sql, DB_ARGS(db_int(j->turn.id), db_text(j->calls[i]), db_int(job->now_ms)), err);
		if (changed == 0)
			return error_set(err, ERROR_REFUSED, "the call %s of turn %lld was started before",
			    j->calls[i], (long long)j->turn.id);
		if (changed < 0)
			return -1;
	}
	return 0;
}

int store_calls_start(struct task *t, struct store *s, const struct store_turn *turn,
    const char *const *call_ids, size_t count, struct error *err)
{
	struct turn_job *j = job_of(turn, calls_run);

	j->calls = xcalloc(count + 1, sizeof(*j->calls));
	j->call_count = count;
	for (size_t i = 0; i < count; i++)
		j->calls[i] = xstrdup(call_ids[i]);
	return job_queue_finish(t, &s->queue, &j->job, err);
}

static int end_run(struct job *job, struct db *db, struct error *err)
{
	static const char forget[] = "DELETE FROM calls WHERE turn = ?1";
	struct turn_job *j = (struct turn_job *)job;
	int64_t turn = j->turn.id;

	if (j->state == STORE_TURN_OPEN)
		return error_set(err, ERROR_OURS, "a turn cannot end as open");
	if (update_open(j, db, err) != 0 ||
	    transcript_insert(db, &j->messages, j->turn.session, turn, err) != 0 ||
	    outbox_insert(db, &j->rows, err) != 0)
		return -1;
	if (j->state == STORE_TURN_DEAD && inbox_end_dead(db, turn, job->now_ms, err) != 0)
		return -1;
	/* Calls are started in rounds. */
	if (j->turn.rounds > 0 && db_run_later(db, forget, DB_ARGS(db_int(turn)), err) < 0)
		return -1;
	return 0;
}

int store_turn_end(struct task *t, struct store *s, const struct store_turn *turn,
    enum store_turn_state state, struct llm_message *const *messages, size_t count,
    struct outbound *const *rows, size_t row_count, struct error *err)
{
	struct turn_job *j = job_of(turn, end_run);

	j->state = state;
	transcript_copy(&j->messages, messages, count, j->job.now_ms);
	outbox_copy(&j->rows, rows, row_count, j->job.now_ms);
	if (job_queue_run(t, &s->queue, &j->job, err) != 0)
		return -1;
	transcript_return(&j->messages, messages);
	search_index_added(s, &j->messages);
	outbox_return(&j->rows, rows);
	job_free(&j->job);
	return 0;
}
