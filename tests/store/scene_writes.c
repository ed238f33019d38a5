#include "store/scene.h"

#include "llm/history.h"
#include "store/budgets.h"
#include "store/chats.h"
#include "store/schedules.h"
#include "store/turn/images.h"
#include "store/turn/summaries.h"

static void tell(struct scene *s, int64_t number)
{
	buf_addf(&s->told, "%lld ", (long long)number);
}

static void tell_turn(struct scene *s, const struct store_turn *turn)
{
	const int64_t numbers[] = {turn->id, turn->session, turn->attempts, (int64_t)turn->inbound_count,
	    turn->asked != NULL, turn->history ? (int64_t)turn->history->count : -1};

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		tell(s, numbers[i]);
	for (size_t i = 0; turn->unfinished && turn->unfinished[i]; i++)
		buf_addf(&s->told, "%s ", turn->unfinished[i]);
}

static int receive(struct task *t, struct scene *s, struct error *err)
{
	const struct journal_cursor cursor = {"telegram:123456", "offset", "9"};
	/* One comes again. */
	struct message *m[] = {fixture_message("x", SCENE_CHAT, "one"),
	    fixture_message("x", SCENE_CHAT, "one"), fixture_message("y", SCENE_CHAT, "two")};
	int rc = s->journal.ops->put_inbound(t, s->journal.self, m, ARRAY_LEN(m), &cursor, err);

	for (size_t i = 0; i < ARRAY_LEN(m); i++) {
		tell(s, m[i]->id != 0);
		message_free(m[i]);
	}
	return rc;
}

static int finish(struct task *t, struct scene *s, struct error *err)
{
	return s->journal.ops->finish_inbound(t, s->journal.self, &s->asked, 1, "a command", &s->row, 1, err);
}

static int move(struct task *t, struct scene *s, struct error *err)
{
	const struct journal_move m = {"telegram", "1", "-1001"};

	return s->journal.ops->move_chat(t, s->journal.self, &m, err);
}

static int queue_known_and_new(struct task *t, struct scene *s, struct error *err)
{
	return scene_queue(t, s, "k", "m", err);
}

static int mark(struct task *t, struct scene *s, struct error *err)
{
	struct journal_queue queue = {"telegram", "1"};
	struct outbound *row;

	if (s->journal.ops->list_outbound(t, s->journal.self, &queue, 0, &row, 1, err) != 1)
		return -1;
	row->state = OUTBOUND_SENDING;
	int rc = s->journal.ops->mark_outbound(t, s->journal.self, row, err);
	outbound_free(row);
	return rc;
}

static int make_session(struct task *t, struct scene *s, struct error *err)
{
	struct address other = fixture_address("telegram:2");
	int64_t session = 0;
	int rc = store_session(t, s->p->store, &other, &session, err);

	tell(s, session);
	return rc;
}

static int welcome(struct task *t, struct scene *s, struct error *err)
{
	struct address other = fixture_address("telegram:2");
	int64_t session;

	return store_session_welcome(t, s->p->store, &other, s->asked, &s->row, 1, &session, err);
}

static int renew(struct task *t, struct scene *s, struct error *err)
{
	int64_t session = 0;
	int rc = store_session_renew(t, s->p->store, &s->where, s->asked, &s->row, 1, &session, err);

	tell(s, session);
	return rc;
}

static int start_as(struct task *t, struct scene *s, int64_t again, bool renewed, struct error *err)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	struct message *m = scene_message(s, "a");
	struct store_turn turn = {0};
	const struct store_turn_start start = {.session = s->session,
	    .inbound = (const struct message *const *)&m,
	    .inbound_count = 1,
	    .user = user,
	    .person = "77",
	    .again = again,
	    .renew = renewed,
	    .rows = &s->row,
	    .row_count = 1};

	int rc = store_turn_start(t, s->p->store, &start, &turn, NULL, err);

	tell_turn(s, &turn);
	store_turn_clear(&turn);
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

static int start_in_the_chat(struct task *t, struct scene *s, struct error *err)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	struct message *m = scene_message(s, "a");
	struct store_turn turn = {0};
	const struct store_turn_start start = {.where = &s->where,
	    .context = s->where.thread,
	    .history_max = 10000,
	    .inbound = (const struct message *const *)&m,
	    .inbound_count = 1,
	    .user = user};
	struct store_turn_opening opening = {0};

	int rc = store_turn_start(t, s->p->store, &start, &turn, &opening, err);

	if (rc == 0)
		assert_int_equal(turn.history->count, 3);
	tell_turn(s, &turn);
	store_turn_clear(&turn);
	message_free(m);
	llm_message_free(user);
	return rc;
}

static int start_again(struct task *t, struct scene *s, struct error *err)
{
	return start_as(t, s, s->exchange.turn, false, err);
}

static int resume(struct task *t, struct scene *s, struct error *err)
{
	struct store_turn turn = {0};
	int rc = store_turn_resume(t, s->p->store, &s->where, &turn, err);

	tell_turn(s, &turn);
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
	struct message *m = scene_message(s, "later");
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
	return store_turn_wait(t, s->p->store, &s->turn, &s->row, 1, err);
}

static int excuse(struct task *t, struct scene *s, struct error *err)
{
	return store_turn_uncount_attempt(t, s->p->store, s->turn.id, err);
}

static int end(struct task *t, struct scene *s, struct error *err)
{
	struct llm_message *said = llm_message_new(LLM_ASSISTANT, "hello yourself");

	int rc = store_turn_end(t, s->p->store, &s->turn, STORE_TURN_DONE, &said, 1, &s->row, 1, err);

	llm_message_free(said);
	return rc;
}

static int undo(struct task *t, struct scene *s, struct error *err)
{
	return store_exchange_undo(t, s->p->store, &s->exchange, s->asked, &s->row, 1, err);
}

static int summarize(struct task *t, struct scene *s, struct error *err)
{
	const struct store_usage spent = {.requests = 1, .input = 10};
	const struct store_summary summary = {
	    .session = s->session, .upto = 2, .text = "We said hello.", .spent = &spent};

	return store_summary_add(t, s->p->store, &summary, s->asked, &s->row, 1, err);
}

static int press(struct task *t, struct scene *s, struct error *err)
{
	struct store_question pressed = s->prompt;

	pressed.state = STORE_QUESTION_PRESSED;
	pressed.choice = scene_text("yes");
	pressed.decider = scene_text("77");
	pressed.ended_by = scene_text("button");
	pressed.press = s->asked;
	return store_question_end(t, s->p->store, &pressed, s->asked, &s->row, 1, err);
}

static int let_in(struct task *t, struct scene *s, struct error *err)
{
	struct store_pairing decided = scene_pairing(s, STORE_PAIRING_ADMITTED);
	const struct store_grant grant = {.channel = "telegram",
	    .person = scene_text("99"),
	    .role = 2,
	    .private_only = true,
	    .by = scene_text("78")};
	const struct store_access_change c = {.inbound = s->asked,
	    .why = "a command",
	    .grant = &grant,
	    .decision = &decided,
	    .rows = &s->row,
	    .row_count = 1};

	return store_access_commit(t, s->p->store, &c, err);
}

static int show_plan(struct task *t, struct scene *s, struct error *err)
{
	return store_plan_show(t, s->p->store, s->plan.id, 2, s->row, err);
}

static int leave_plan(struct task *t, struct scene *s, struct error *err)
{
	return store_plan_skip_version(t, s->p->store, s->plan.id, 2, err);
}

static int finish_work(struct task *t, struct scene *s, struct error *err)
{
	const struct store_background_job_end e = {
	    .id = s->work, .spent = {.requests = 1}, .note = "done", .rows = &s->row, .row_count = 1};

	return store_background_job_finish(t, s->p->store, &e, err);
}

static int set_queue(struct task *t, struct scene *s, struct error *err)
{
	const struct store_chat chat = {.where = s->where, .queue = 2};

	return store_chat_set_queue(t, s->p->store, &chat, s->asked, &s->row, 1, err);
}

static int set_model(struct task *t, struct scene *s, struct error *err)
{
	return store_chat_set_model(t, s->p->store, &s->where, "other", s->asked, &s->row, 1, err);
}

static int note_delivery(struct task *t, struct scene *s, struct error *err)
{
	return store_note_delivery(t, s->p->store, s->turn.id, "row:1", "It did not arrive.", err);
}

static void with_a_failed_answer(struct task *t, struct scene *s)
{
	struct outbound *row = scene_row(s, "k");
	struct error err;

	scene_in_a_turn(t, s);
	row->turn = s->turn.id;
	assert_ok(s->journal.ops->put_outbound(t, s->journal.self, &row, 1, &err), err);
	row->state = OUTBOUND_FAILED;
	assert_ok(s->journal.ops->mark_outbound(t, s->journal.self, row, &err), err);
	outbound_free(row);
}

static int note_undelivered(struct task *t, struct scene *s, struct error *err)
{
	return store_note_undelivered(t, s->p->store, 0, 1000, err);
}

static int set_instructions(struct task *t, struct scene *s, struct error *err)
{
	return store_chat_set_instructions(t, s->p->store, &s->where, "Be brief.", s->asked, &s->row, 1, err);
}

#define ACCOUNT                             \
	{                                   \
		STORE_CHAT, "telegram", "1" \
	}

static int change_budget(
    struct task *t, struct scene *s, const struct store_budget_change *c, struct error *err)
{
	return store_budget_commit(t, s->p->store, c, s->asked, &s->row, 1, err);
}

static int set_budget(struct task *t, struct scene *s, struct error *err)
{
	const struct store_budget set = {.account = ACCOUNT, .limits = {1, 2, 3, 4}};

	return change_budget(t, s, &(struct store_budget_change){.set = &set}, err);
}

static int lift_budget(struct task *t, struct scene *s, struct error *err)
{
	const struct store_lift lift = {.account = ACCOUNT, .day = 20261122};

	return change_budget(t, s, &(struct store_budget_change){.lift = &lift}, err);
}

static int restore_budget(struct task *t, struct scene *s, struct error *err)
{
	const struct store_account account = ACCOUNT;

	return change_budget(t, s, &(struct store_budget_change){.restore = &account}, err);
}

static int warn(struct task *t, struct scene *s, struct error *err)
{
	const struct store_warning warning = {.account = ACCOUNT, .limit = 10, .level = 80};
	bool fresh = false;
	int rc = store_budget_warn(t, s->p->store, &warning, &s->row, 1, &fresh, err);

	tell(s, fresh);
	return rc;
}

static int spend(struct task *t, struct scene *s, struct error *err)
{
	const struct store_usage spent = {.requests = 1, .person = {STORE_PERSON, "telegram", "77"}};

	return store_usage_add(t, s->p->store, s->session, &spent, err);
}

static int put_images(struct task *t, struct scene *s, struct error *err)
{
	struct llm_image image = {.path = scene_text("/copy"), .mime = scene_text("image/png")};
	const struct llm_message m = {.id = 1, .images = &image, .image_count = 1};

	return store_images_put(t, s->p->store, &m, err);
}

static int reserve(struct task *t, struct scene *s, struct error *err)
{
	int64_t id = 0;
	int rc = store_schedule_reserve(t, s->p->store, &id, err);

	tell(s, id);
	return rc;
}

static int remind(struct task *t, struct scene *s, struct error *err)
{
	const struct store_schedule new = {.where = s->where,
	    .next_ms = 5,
	    .at_ms = 5,
	    .zone = scene_text("UTC"),
	    .person = scene_text("77"),
	    .content = scene_text("drink")};
	struct message *m = scene_message(s, "due");
	const struct store_schedule_step step = {.after = &new,
	    .max_per_chat = 5,
	    .message = m,
	    .inbound = s->asked,
	    .why = "a command",
	    .rows = &s->row,
	    .row_count = 1};
	int64_t id;

	int rc = store_schedule_commit(t, s->p->store, &step, &id, err);

	message_free(m);
	return rc;
}

static void with_a_reminder(struct task *t, struct scene *s)
{
	struct error err;

	assert_ok(remind(t, s, &err), err);
}

/* The reminder is due: what is left of it, NULL for nothing, and perhaps what it says. */
static int follow(struct task *t, struct scene *s, bool goes_on, struct error *err)
{
	struct store_schedule **due, *after = NULL;
	struct message *m = scene_message(s, "due again");
	int64_t next_ms, id;
	int rc = store_schedules_due(t, s->p->store, 10, NULL, &due, &next_ms, err);

	if (rc == 1) {
		after = store_schedule_copy(due[0]);
		after->next_ms = 20;
		after->fired++;
		const struct store_schedule_step step = {
		    .before = due[0], .after = goes_on ? after : NULL, .message = goes_on ? m : NULL};

		rc = store_schedule_commit(t, s->p->store, &step, &id, err);
		store_schedule_free(after);
		store_schedules_free(due, 1);
	} else if (rc >= 0) {
		store_schedules_free(due, rc);
		rc = -1;
	}
	message_free(m);
	return rc;
}

static int remind_again(struct task *t, struct scene *s, struct error *err)
{
	return follow(t, s, true, err);
}

static int remind_no_more(struct task *t, struct scene *s, struct error *err)
{
	return follow(t, s, false, err);
}

static int claim(struct task *t, struct scene *s, struct error *err)
{
	const struct journal_cursor cursor = {"discord:1", "identify", "1"};
	uint64_t wait_ms;
	int rc = s->journal.ops->claim(t, s->journal.self, &cursor, 5000, &wait_ms, err);

	tell(s, rc == 0 && wait_ms == 0);
	return rc;
}

static int retry_dead(struct task *t, struct scene *s, struct error *err)
{
	struct address where;
	size_t count = 0;
	int rc = store_dead_turn_retry(t, s->p->store, s->turn.id, &where, &count, err);

	tell(s, (int64_t)count);
	return rc;
}

static int drop_dead(struct task *t, struct scene *s, struct error *err)
{
	return store_dead_turn_drop(t, s->p->store, s->turn.id, err);
}

const struct scene_write scene_writes[] = {
    {"receive", NULL, receive},
    {"finish", NULL, finish},
    {"move", scene_in_a_turn, move},
    {"queue", NULL, scene_queue_two},
    {"queue what is known", scene_with_a_row, queue_known_and_new},
    {"mark", scene_with_a_row, mark},
    {"make a session", NULL, make_session},
    {"welcome", NULL, welcome},
    {"renew", scene_behind_an_exchange, renew},
    {"start", NULL, start},
    {"start in a new session", scene_behind_an_exchange, start_in_a_new_session},
    {"start in the chat", scene_behind_an_exchange, start_in_the_chat},
    {"start again", scene_behind_an_exchange, start_again},
    {"resume", scene_in_a_turn_with_calls, resume},
    {"append", scene_in_a_turn, append},
    {"append a result", scene_in_a_turn_with_calls, add_result},
    {"join", scene_in_a_turn, join},
    {"preview", scene_in_a_turn, preview},
    {"start calls", scene_in_a_turn, start_calls},
    {"wait", scene_in_a_turn, wait},
    {"excuse", scene_in_a_turn, excuse},
    {"end", scene_in_a_turn_with_calls, end},
    {"undo", scene_behind_an_exchange, undo},
    {"summarize", scene_behind_an_exchange, summarize},
    {"ask", NULL, scene_ask},
    {"press", scene_with_a_question, press},
    {"ask to be let in", NULL, scene_ask_to_be_let_in},
    {"let in", scene_with_a_stranger, let_in},
    {"plan", scene_in_a_turn, scene_put_plan},
    {"show a plan", scene_with_a_plan, show_plan},
    {"leave a plan", scene_with_a_plan, leave_plan},
    {"begin work", NULL, scene_begin_work},
    {"finish work", scene_with_work, finish_work},
    {"set the queue", NULL, set_queue},
    {"set the model", NULL, set_model},
    {"note a delivery", scene_in_a_turn, note_delivery},
    {"note what failed", with_a_failed_answer, note_undelivered},
    {"set the instructions", NULL, set_instructions},
    {"set a budget", NULL, set_budget},
    {"lift a budget", NULL, lift_budget},
    {"restore budgets", NULL, restore_budget},
    {"warn", NULL, warn},
    {"spend", NULL, spend},
    {"put images", scene_in_a_turn, put_images},
    {"remind", NULL, remind},
    {"reserve a reminder", NULL, reserve},
    {"remind again", with_a_reminder, remind_again},
    {"remind no more", with_a_reminder, remind_no_more},
    {"claim a time", NULL, claim},
    {"retry what is dead", scene_behind_a_dead_turn, retry_dead},
    {"drop what is dead", scene_behind_a_dead_turn, drop_dead},
};

const size_t scene_write_count = ARRAY_LEN(scene_writes);
