#include "store/scene.h"

#include "store/store_internal.h"

struct scene scene_begin(struct task *t, struct fixture *p)
{
	struct scene s = {.p = p,
	    .journal = store_journal(p->store),
	    .where = fixture_address(SCENE_CHAT),
	    .told = BUF_INIT};
	struct error err;

	assert_ok(store_session(t, p->store, &s.where, &s.session, &err), err);
	s.asked = fixture_put(t, p, "a", SCENE_CHAT, "hello");
	s.row = scene_row(&s, "k");
	while (p->store->queue.open > 0)
		task_yield(t, NULL);
	return s;
}

void scene_end(struct scene *s)
{
	outbound_free(s->row);
	store_turn_clear(&s->turn);
	store_exchange_clear(&s->exchange);
	buf_clear(&s->told);
}

char *scene_text(const char *text)
{
	return (char *)(uintptr_t)text;
}

struct message *scene_message(const struct scene *s, const char *event)
{
	struct message *m = fixture_message(event, SCENE_CHAT, "hello");

	m->id = s->asked;
	return m;
}

struct outbound *scene_row(const struct scene *s, const char *key)
{
	struct outbound *row = outbound_new(&s->where, OUTBOUND_REPLY, "the answer");

	row->key = xstrdup(key);
	row->part = row->parts = 1;
	return row;
}

void scene_in_a_turn(struct task *t, struct scene *s)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	struct message *m = scene_message(s, "a");
	struct error err;

	assert_ok(store_turn_begin(
		      t, s->p->store, s->session, (const struct message *const *)&m, 1, user, &s->turn, &err),
	    err);
	s->asked = fixture_put(t, s->p, "later", SCENE_CHAT, "and more");
	message_free(m);
	llm_message_free(user);
}

void scene_in_a_turn_with_calls(struct task *t, struct scene *s)
{
	const char *const calls[] = {"c1"};
	struct error err;

	scene_in_a_turn(t, s);
	assert_ok(store_calls_start(t, s->p->store, &s->turn, calls, 1, &err), err);
}

static void end_turn(struct task *t, struct scene *s, enum store_turn_state state)
{
	struct llm_message *said = llm_message_new(LLM_ASSISTANT, "hello yourself");
	struct error err;

	assert_ok(store_turn_end(t, s->p->store, &s->turn, state, &said, 1, NULL, 0, &err), err);
	llm_message_free(said);
}

void scene_behind_an_exchange(struct task *t, struct scene *s)
{
	struct error err;

	scene_in_a_turn(t, s);
	end_turn(t, s, STORE_TURN_DONE);
	assert_int_equal(store_exchange_last(t, s->p->store, &s->where, &s->exchange, &err), 1);
}

void scene_behind_a_dead_turn(struct task *t, struct scene *s)
{
	scene_in_a_turn(t, s);
	end_turn(t, s, STORE_TURN_DEAD);
}

int scene_ask(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = scene_row(s, "question");

	s->prompt = (struct store_question){.where = s->where,
	    .expires_ms = INT64_MAX,
	    .token = scene_text("TOKEN"),
	    .person = scene_text("77"),
	    .action = scene_text("ask"),
	    .data = scene_text("{}"),
	    .turn = s->turn.id};
	int rc = store_question_put(t, s->p->store, &s->prompt, s->asked, &row, 1, err);
	outbound_free(row);
	return rc;
}

void scene_with_a_question(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(scene_ask(t, s, &err), err);
	s->asked = fixture_put(t, s->p, "press", SCENE_CHAT, "yes");
}

int scene_put_plan(struct task *t, struct scene *s, struct error *err)
{
	struct outbound *row = scene_row(s, "plan");

	s->plan = (struct store_plan){.where = s->where,
	    .session = s->session,
	    .turn = s->turn.id,
	    .call_id = scene_text("c1"),
	    .steps = scene_text("[]")};
	int rc = store_plan_put(t, s->p->store, &s->plan, row, err);
	outbound_free(row);
	return rc;
}

void scene_with_a_plan(struct task *t, struct scene *s)
{
	struct error err;

	scene_in_a_turn(t, s);
	assert_ok(scene_put_plan(t, s, &err), err);
	int64_t id = s->plan.id;
	s->plan.call_id = scene_text("c2");
	s->plan.steps = scene_text("[1]");
	assert_ok(store_plan_put(t, s->p->store, &s->plan, NULL, &err), err);
	assert_int_equal(s->plan.id, id);
}

int scene_begin_work(struct task *t, struct scene *s, struct error *err)
{
	const struct store_background_job w = {
	    .where = s->where, .session = s->session, .turn = 1, .what = scene_text("work")};

	return store_background_job_begin(t, s->p->store, &w, &s->work, err);
}

void scene_with_work(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(scene_begin_work(t, s, &err), err);
}

struct store_pairing scene_pairing(const struct scene *s, enum store_pairing_state state)
{
	return (struct store_pairing){.where = s->where,
	    .state = state,
	    .created_ms = 1,
	    .expires_ms = INT64_MAX,
	    .code = scene_text("CODE"),
	    .person = scene_text("99"),
	    .by = scene_text(state == STORE_PAIRING_OPEN ? NULL : "78")};
}

int scene_ask_to_be_let_in(struct task *t, struct scene *s, struct error *err)
{
	struct store_pairing asked = scene_pairing(s, STORE_PAIRING_OPEN);
	struct store_question question = {.where = s->where,
	    .expires_ms = INT64_MAX,
	    .token = scene_text("TOKEN"),
	    .person = scene_text(""),
	    .action = scene_text(STORE_PAIRING_ACTION),
	    .data = scene_text("CODE")};
	struct outbound *rows[] = {scene_row(s, "code"), scene_row(s, "notice")};
	const struct store_access_change c = {.inbound = s->asked,
	    .why = "a code",
	    .new_request = &asked,
	    .rows = rows,
	    .row_count = 2,
	    .questions = &question,
	    .question_count = 1,
	    .questions_from = 1};
	int rc = store_access_commit(t, s->p->store, &c, err);

	outbound_free(rows[0]);
	outbound_free(rows[1]);
	return rc;
}

void scene_with_a_stranger(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(scene_ask_to_be_let_in(t, s, &err), err);
	s->asked = fixture_put(t, s->p, "pair", SCENE_CHAT, "/pair CODE");
}

int scene_queue(struct task *t, struct scene *s, const char *first, const char *second, struct error *err)
{
	struct outbound *rows[] = {scene_row(s, first), scene_row(s, second)};
	int rc = s->journal.ops->put_outbound(t, s->journal.self, rows, 2, err);

	outbound_free(rows[0]);
	outbound_free(rows[1]);
	return rc;
}

int scene_queue_two(struct task *t, struct scene *s, struct error *err)
{
	return scene_queue(t, s, "k", "l", err);
}

void scene_with_a_row(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(scene_queue_two(t, s, &err), err);
}
