/* Each call of SQLite in each write fails once: the caller is told, and nothing of the write is kept. */
#include <sqlite3.h>

#include "bus/message.h"
#include "lib/sql_tap.h"
#include "store/chats.h"
#include "store/grants.h"
#include "store/store_fixture.h"
#include "store/plans.h"
#include "store/questions.h"
#include "store/schedules.h"
#include "store/turn/summaries.h"
#include "store/turn/turns.h"
#include "store/turn/undo.h"
#include "store/background_jobs.h"

#define CHAT "telegram:1"
/* More than any write has. */
#define CALLS_MOST 200

/* What a write is made of. */
struct scene {
	struct fixture *p;
	struct journal journal;
	struct address where;
	int64_t session;
	int64_t asked;          /* a pending message */
	struct store_turn turn; /* an open one, when its id is not 0 */
	struct store_exchange exchange;
	struct store_question prompt;
	struct store_plan plan;
	int64_t work;
};

static char *text_of(const char *text)
{
	return (char *)(uintptr_t)text;
}

static struct message *message_of(const struct scene *s, const char *event)
{
	struct message *m = fixture_message(event, CHAT, "hello");

	m->id = s->asked;
	return m;
}

static struct outbound *answer_row(const struct scene *s, const char *key)
{
	struct outbound *row = outbound_new(&s->where, OUTBOUND_REPLY, "the answer");

	row->key = xstrdup(key);
	row->part = row->parts = 1;
	return row;
}

/* --- what stands before */

static void in_a_turn(struct task *t, struct scene *s)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	struct message *m = message_of(s, "a");
	struct error err;

	assert_ok(store_turn_begin(
		      t, s->p->store, s->session, (const struct message *const *)&m, 1, user, &s->turn, &err),
	    err);
	s->asked = fixture_put(t, s->p, "later", CHAT, "and more");
	message_free(m);
	llm_message_free(user);
}

static void in_a_turn_with_calls(struct task *t, struct scene *s)
{
	const char *const calls[] = {"c1"};
	struct error err;

	in_a_turn(t, s);
	assert_ok(store_calls_start(t, s->p->store, &s->turn, calls, 1, &err), err);
}

static void end_turn(struct task *t, struct scene *s, enum store_turn_state state)
{
	struct llm_message *said = llm_message_new(LLM_ASSISTANT, "hello yourself");
	struct error err;

	assert_ok(store_turn_end(t, s->p->store, &s->turn, state, &said, 1, NULL, 0, &err), err);
	llm_message_free(said);
}

static void behind_an_exchange(struct task *t, struct scene *s)
{
	struct error err;

	in_a_turn(t, s);
	end_turn(t, s, STORE_TURN_DONE);
	assert_int_equal(store_exchange_last(t, s->p->store, &s->where, &s->exchange, &err), 1);
}

static void behind_a_dead_turn(struct task *t, struct scene *s)
{
	in_a_turn(t, s);
	end_turn(t, s, STORE_TURN_DEAD);
}

static int put_prompt(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "question");

	s->prompt = (struct store_question){.where = s->where,
	    .expires_ms = INT64_MAX,
	    .token = text_of("TOKEN"),
	    .person = text_of("77"),
	    .action = text_of("ask"),
	    .data = text_of("{}"),
	    .turn = s->turn.id};
	int rc = store_question_put(t, s->p->store, &s->prompt, s->asked, &row, 1, err);
	outbound_free(row);
	return rc;
}

static void with_a_question(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(put_prompt(t, s, &err), err);
	s->asked = fixture_put(t, s->p, "press", CHAT, "yes");
}

static int put_plan(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "plan");

	s->plan = (struct store_plan){.where = s->where,
	    .session = s->session,
	    .turn = s->turn.id,
	    .call_id = text_of("c1"),
	    .steps = text_of("[]")};
	int rc = store_plan_put(t, s->p->store, &s->plan, row, err);
	outbound_free(row);
	return rc;
}

static void with_a_plan(struct task *t, struct scene *s)
{
	struct error err;

	in_a_turn(t, s);
	assert_ok(put_plan(t, s, &err), err);
	s->plan.call_id = text_of("c2");
	assert_ok(store_plan_put(t, s->p->store, &s->plan, NULL, &err), err);
}

static int begin_work(struct task *t, struct scene *s, struct error *err)
{
	const struct store_background_job w = {
	    .where = s->where, .session = s->session, .turn = 1, .what = text_of("work")};

	return store_background_job_begin(t, s->p->store, &w, &s->work, err);
}

static void with_work(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(begin_work(t, s, &err), err);
}

static struct store_pairing pairing(const struct scene *s, enum store_pairing_state state)
{
	return (struct store_pairing){.where = s->where,
	    .state = state,
	    .created_ms = 1,
	    .expires_ms = INT64_MAX,
	    .code = text_of("CODE"),
	    .person = text_of("99"),
	    .by = text_of(state == STORE_PAIRING_OPEN ? NULL : "78")};
}

static int ask_to_be_let_in(struct task *t, struct scene *s, struct error *err)
{
	struct store_pairing asked = pairing(s, STORE_PAIRING_OPEN);
	struct store_question question = {.where = s->where,
	    .expires_ms = INT64_MAX,
	    .token = text_of("TOKEN"),
	    .person = text_of(""),
	    .action = text_of(STORE_PAIRING_ACTION),
	    .data = text_of("CODE")};
	struct outbound *rows[] = {answer_row(s, "code"), answer_row(s, "notice")};
	const struct store_access_change c = {.inbound = s->asked,
	    .why = "a code",
	    .asked = &asked,
	    .rows = rows,
	    .row_count = 2,
	    .prompts = &question,
	    .question_count = 1,
	    .questions_from = 1};
	int rc = store_access_commit(t, s->p->store, &c, err);

	outbound_free(rows[0]);
	outbound_free(rows[1]);
	return rc;
}

static void with_a_stranger(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(ask_to_be_let_in(t, s, &err), err);
	s->asked = fixture_put(t, s->p, "pair", CHAT, "/pair CODE");
}

/* --- the writes */

static int receive(struct task *t, struct scene *s, struct error *err)
{
	const struct journal_cursor cursor = {"telegram:123456", "offset", "9"};
	struct message *m[] = {fixture_message("x", CHAT, "one"), fixture_message("y", CHAT, "two")};
	int rc = s->journal.ops->put_inbound(t, s->journal.self, m, 2, &cursor, err);

	message_free(m[0]);
	message_free(m[1]);
	return rc;
}

static int finish(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	int rc = s->journal.ops->finish_inbound(t, s->journal.self, &s->asked, 1, "a command", &row, 1, err);

	outbound_free(row);
	return rc;
}

static int move(struct task *t, struct scene *s, struct error *err)
{
	const struct journal_move m = {"telegram", "1", "-1001"};

	return s->journal.ops->move_chat(t, s->journal.self, &m, err);
}

static int queue_rows(
    struct task *t, struct scene *s, const char *first, const char *second, struct error *err)
{
	struct outbound *rows[] = {answer_row(s, first), answer_row(s, second)};
	int rc = s->journal.ops->put_outbound(t, s->journal.self, rows, 2, err);

	outbound_free(rows[0]);
	outbound_free(rows[1]);
	return rc;
}

static int queue_two(struct task *t, struct scene *s, struct error *err)
{
	return queue_rows(t, s, "k", "l", err);
}

static int queue_known_and_new(struct task *t, struct scene *s, struct error *err)
{
	return queue_rows(t, s, "k", "m", err);
}

static void with_a_row(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(queue_two(t, s, &err), err);
}

static int mark(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = s->journal.ops->get_outbound(t, s->journal.self, 1, err);

	row->state = OUTBOUND_SENDING;
	int rc = s->journal.ops->mark_outbound(t, s->journal.self, row, err);
	outbound_free(row);
	return rc;
}

static int make_session(struct task *t, struct scene *s, struct error *err)
{
	struct address other = fixture_address("telegram:2");
	int64_t session;

	return store_session(t, s->p->store, &other, &session, NULL, err);
}

static int renew(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	int64_t session;
	int rc = store_session_renew(t, s->p->store, &s->where, s->asked, &row, 1, &session, err);

	outbound_free(row);
	return rc;
}

static int start_as(struct task *t, struct scene *s, int64_t again, bool renewed, struct error *err)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	struct message *m = message_of(s, "a");
	struct outbound *row = answer_row(s, "k");
	struct store_turn turn = {0};
	const struct store_turn_start start = {.session = s->session,
	    .inbound = (const struct message *const *)&m,
	    .inbound_count = 1,
	    .user = user,
	    .person = "77",
	    .again = again,
	    .renew = renewed,
	    .rows = &row,
	    .row_count = 1};
	int rc = store_turn_start(t, s->p->store, &start, &turn, err);

	store_turn_clear(&turn);
	outbound_free(row);
	message_free(m);
	llm_message_free(user);
	return rc;
}

static int start(struct task *t, struct scene *s, struct error *err)
{
	return start_as(t, s, 0, false, err);
}

static int start_in_a_new_session(struct task *t, struct scene *s, struct error *err)
{
	return start_as(t, s, 0, true, err);
}

static int start_again(struct task *t, struct scene *s, struct error *err)
{
	return start_as(t, s, s->exchange.turn, false, err);
}

static int resume(struct task *t, struct scene *s, struct error *err)
{
	struct store_turn turn = {0};
	int rc = store_turn_resume(t, s->p->store, &s->where, &turn, err);

	store_turn_clear(&turn);
	return rc;
}

static int append(struct task *t, struct scene *s, struct error *err)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, "thinking");

	s->turn.spent = (struct store_usage){
	    .requests = 1, .input = 10, .output = 2, .cost = 3, .person = {STORE_PERSON, "telegram", "77"}};
	llm_message_add_call(m, "c1", "shell", "{}");
	int rc = store_turn_append(t, s->p->store, &s->turn, &m, 1, err);
	llm_message_free(m);
	return rc;
}

static int add_result(struct task *t, struct scene *s, struct error *err)
{
	struct llm_message *m = llm_message_new(LLM_TOOL, "{}");

	m->call_id = xstrdup("c1");
	int rc = store_turn_append(t, s->p->store, &s->turn, &m, 1, err);
	llm_message_free(m);
	return rc;
}

static int join(struct task *t, struct scene *s, struct error *err)
{
	struct llm_message *user = llm_message_new(LLM_USER, "and more");
	struct message *m = message_of(s, "later");
	int rc =
	    store_turn_join(t, s->p->store, &s->turn, (const struct message *const *)&m, 1, user, "77", err);

	message_free(m);
	llm_message_free(user);
	return rc;
}

static int preview(struct task *t, struct scene *s, struct error *err)
{
	return store_turn_preview(t, s->p->store, &s->turn, "p1", err);
}

static int start_calls(struct task *t, struct scene *s, struct error *err)
{
	const char *const calls[] = {"c1", "c2"};

	return store_calls_start(t, s->p->store, &s->turn, calls, 2, err);
}

static int wait(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	int rc = store_turn_wait(t, s->p->store, &s->turn, &row, 1, err);

	outbound_free(row);
	return rc;
}

static int excuse(struct task *t, struct scene *s, struct error *err)
{
	return store_turn_uncount_attempt(t, s->p->store, s->turn.id, err);
}

static int end(struct task *t, struct scene *s, struct error *err)
{
	struct llm_message *said = llm_message_new(LLM_ASSISTANT, "hello yourself");
	struct outbound *row = answer_row(s, "k");
	int rc = store_turn_end(t, s->p->store, &s->turn, STORE_TURN_DONE, &said, 1, &row, 1, err);

	outbound_free(row);
	llm_message_free(said);
	return rc;
}

static int undo(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	int rc = store_exchange_undo(t, s->p->store, &s->exchange, s->asked, &row, 1, err);

	outbound_free(row);
	return rc;
}

static int summarize(struct task *t, struct scene *s, struct error *err)
{
	const struct store_usage spent = {.requests = 1, .input = 10};
	const struct store_summary summary = {
	    .session = s->session, .upto = 2, .text = "We said hello.", .spent = &spent};
	struct outbound *row = answer_row(s, "k");
	int rc = store_summary_add(t, s->p->store, &summary, s->asked, &row, 1, err);

	outbound_free(row);
	return rc;
}

static int press(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	struct store_question pressed = s->prompt;

	pressed.state = STORE_QUESTION_PRESSED;
	pressed.choice = text_of("yes");
	pressed.decider = text_of("77");
	pressed.way = text_of("button");
	pressed.press = s->asked;
	int rc = store_question_end(t, s->p->store, &pressed, s->asked, &row, 1, err);
	outbound_free(row);
	return rc;
}

static int let_in(struct task *t, struct scene *s, struct error *err)
{
	struct store_pairing decided = pairing(s, STORE_PAIRING_ADMITTED);
	const struct store_grant grant = {.channel = "telegram",
	    .person = text_of("99"),
	    .role = 2,
	    .private_only = true,
	    .by = text_of("78")};
	struct outbound *row = answer_row(s, "k");
	const struct store_access_change c = {.inbound = s->asked,
	    .why = "a command",
	    .grant = &grant,
	    .decided = &decided,
	    .rows = &row,
	    .row_count = 1};
	int rc = store_access_commit(t, s->p->store, &c, err);

	outbound_free(row);
	return rc;
}

static int show_plan(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	int rc = store_plan_show(t, s->p->store, s->plan.id, 2, row, err);

	outbound_free(row);
	return rc;
}

static int leave_plan(struct task *t, struct scene *s, struct error *err)
{
	return store_plan_skip_version(t, s->p->store, s->plan.id, 2, err);
}

static int finish_work(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	const struct store_background_job_end e = {
	    .id = s->work, .spent = {.requests = 1}, .note = "done", .rows = &row, .row_count = 1};
	int rc = store_background_job_finish(t, s->p->store, &e, err);

	outbound_free(row);
	return rc;
}

static int set_queue(struct task *t, struct scene *s, struct error *err)
{
	const struct store_chat chat = {.where = s->where, .queue = 2};
	struct outbound *row = answer_row(s, "k");
	int rc = store_chat_set_queue(t, s->p->store, &chat, s->asked, &row, 1, err);

	outbound_free(row);
	return rc;
}

static int set_model(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = answer_row(s, "k");
	int rc = store_chat_set_model(t, s->p->store, &s->where, "other", s->asked, &row, 1, err);

	outbound_free(row);
	return rc;
}

static int note_delivery(struct task *t, struct scene *s, struct error *err)
{
	return store_note_delivery(t, s->p->store, s->turn.id, "row:1", "It did not arrive.", err);
}

static int remind(struct task *t, struct scene *s, struct error *err)
{
	const struct store_schedule new = {.where = s->where,
	    .next_ms = 5,
	    .at_ms = 5,
	    .zone = text_of("UTC"),
	    .person = text_of("77"),
	    .content = text_of("drink")};
	struct message *m = message_of(s, "due");
	struct outbound *row = answer_row(s, "k");
	const struct store_schedule_step step = {.after = &new,
	    .most = 5,
	    .message = m,
	    .inbound = s->asked,
	    .why = "a command",
	    .rows = &row,
	    .row_count = 1};
	int64_t id;
	int rc = store_schedule_commit(t, s->p->store, &step, &id, err);

	outbound_free(row);
	message_free(m);
	return rc;
}

static int retry_dead(struct task *t, struct scene *s, struct error *err)
{
	struct address where;
	size_t count;

	return store_dead_turn_retry(t, s->p->store, s->turn.id, &where, &count, err);
}

static int drop_dead(struct task *t, struct scene *s, struct error *err)
{
	return store_dead_turn_drop(t, s->p->store, s->turn.id, err);
}

static const struct {
	const char *name;
	void (*before)(struct task *t, struct scene *s);
	int (*write)(struct task *t, struct scene *s, struct error *err);
} writes[] = {
    {"receive", NULL, receive},
    {"finish", NULL, finish},
    {"move", in_a_turn, move},
    {"queue", NULL, queue_two},
    {"queue what is known", with_a_row, queue_known_and_new},
    {"mark", with_a_row, mark},
    {"make a session", NULL, make_session},
    {"renew", behind_an_exchange, renew},
    {"start", NULL, start},
    {"start in a new session", behind_an_exchange, start_in_a_new_session},
    {"start again", behind_an_exchange, start_again},
    {"resume", in_a_turn_with_calls, resume},
    {"append", in_a_turn, append},
    {"append a result", in_a_turn_with_calls, add_result},
    {"join", in_a_turn, join},
    {"preview", in_a_turn, preview},
    {"start calls", in_a_turn, start_calls},
    {"wait", in_a_turn, wait},
    {"excuse", in_a_turn, excuse},
    {"end", in_a_turn_with_calls, end},
    {"undo", behind_an_exchange, undo},
    {"summarize", behind_an_exchange, summarize},
    {"ask", NULL, put_prompt},
    {"press", with_a_question, press},
    {"ask to be let in", NULL, ask_to_be_let_in},
    {"let in", with_a_stranger, let_in},
    {"plan", in_a_turn, put_plan},
    {"show a plan", with_a_plan, show_plan},
    {"leave a plan", with_a_plan, leave_plan},
    {"begin work", NULL, begin_work},
    {"finish work", with_work, finish_work},
    {"set the queue", NULL, set_queue},
    {"set the model", NULL, set_model},
    {"note a delivery", in_a_turn, note_delivery},
    {"remind", NULL, remind},
    {"retry what is dead", behind_a_dead_turn, retry_dead},
    {"drop what is dead", behind_a_dead_turn, drop_dead},
};

/* --- */

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

/* All rows of the open database, one a line; the caller's. */
static char *contents(const struct fixture *p)
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

/* Again and again, with one call of SQLite after the other that fails, until none does. */
static void sweep(struct task *t, struct scene *s, const char *name,
    int (*write)(struct task *, struct scene *, struct error *))
{
	char *before = contents(s->p), *after;

	for (unsigned call = 1;; call++) {
		struct error err = {0};

		assert_true(call < CALLS_MOST);
		sql_fail_call(call);
		int rc = write(t, s, &err);
		bool failed = sql_failed();
		sql_fail_call(0);
		after = contents(s->p);
		if (!failed) {
			if (rc < 0)
				fail_msg("%s, where nothing fails: %s", name, err.text);
			/* Or it was no write, and what stands above says nothing. */
			if (strcmp(before, after) == 0)
				fail_msg("%s wrote nothing", name);
			break;
		}
		if (rc >= 0)
			fail_msg("%s: call %u failed, and nobody was told", name, call);
		if (err.text[0] == '\0')
			fail_msg("%s: call %u failed without a sentence", name, call);
		if (strcmp(before, after) != 0)
			fail_msg(
			    "%s: call %u failed, and this is kept:\n%s\nof:\n%s", name, call, after, before);
		free(after);
	}
	free(before);
	free(after);
}

static size_t which;

static void sweep_one(struct task *t, struct fixture *p)
{
	struct scene s = {.p = p, .journal = store_journal(p->store), .where = fixture_address(CHAT)};
	struct error err;

	assert_ok(store_session(t, p->store, &s.where, &s.session, NULL, &err), err);
	s.asked = fixture_put(t, p, "a", CHAT, "hello");
	if (writes[which].before)
		writes[which].before(t, &s);
	sweep(t, &s, writes[which].name, writes[which].write);
	store_turn_clear(&s.turn);
	store_exchange_clear(&s.exchange);
}

static void each_failing_call_is_told_and_nothing_is_kept(void **state)
{
	struct fixture_body body = {sweep_one};
	void *one = &body;

	(void)state;
	for (which = 0; which < ARRAY_LEN(writes); which++)
		fixture_run(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_failing_call_is_told_and_nothing_is_kept),
	};

	return cmocka_run_group_tests_name("failing calls", tests, NULL, NULL);
}
