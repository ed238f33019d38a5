/* What was said in a chat and needs no answer, and chats that get another id. */
#include "store/store_fixture.h"

#include "base/time/clock.h"
#include "bus/bus.h"
#include "store/budgets.h"
#include "store/turn/turns.h"

static struct address at(const char *text)
{
	return fixture_address(text);
}

/* A message that becomes context; its row. */
static int64_t overhear(
    struct task *t, struct fixture *p, const char *event, const char *from, const char *text)
{
	struct journal j = store_journal(p->store);
	int64_t id = fixture_put(t, p, event, from, text);
	struct error err;

	assert_ok(j.ops->finish_inbound(t, j.self, &id, 1, JOURNAL_CONTEXT, NULL, 0, &err), err);
	return id;
}

/* The texts of the context, separated by blanks; good until the next call. */
static const char *context(struct task *t, struct fixture *p, const char *where)
{
	static char out[1024];
	struct store_turn_opening found = {0};
	struct address a = at(where);
	struct error err;

	if (fixture_ask_opening(t, p, &a, &found, &err) < 0)
		assert_int_equal(err.kind, ERROR_REFUSED);
	out[0] = '\0';
	for (size_t i = 0; i < found.context_count; i++)
		snprintf(out + strlen(out), sizeof(out) - strlen(out), "%s%s", i ? " " : "",
		    found.context[i]->text);
	store_turn_opening_clear(&found);
	return out;
}

static int begin(struct task *t, struct fixture *p, const char *where, const int64_t *ids, size_t count,
    struct store_turn *turn, struct error *err)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	const struct message *inbound[4] = {NULL};
	struct message *rows[4] = {NULL};
	struct address a = at(where);
	int64_t session;
	int rc;

	for (size_t i = 0; i < count; i++) {
		inbound[i] = rows[i] = message_new();
		rows[i]->from = a;
		rows[i]->id = ids[i];
	}
	assert_ok(store_session(t, p->store, &a, &session, err), *err);
	rc = store_turn_begin(t, p->store, session, inbound, count, user, turn, err);
	llm_message_free(user);
	for (size_t i = 0; i < count; i++)
		message_free(rows[i]);
	return rc;
}

static void what_was_overheard_is_kept_per_chat_and_thread(struct task *t, struct fixture *p)
{
	overhear(t, p, "1", "telegram:-1", "a");
	overhear(t, p, "2", "telegram:-1/5", "b");
	overhear(t, p, "3", "telegram:-2", "c");
	overhear(t, p, "4", "telegram:-1", "d");
	fixture_reopen(t, p);
	assert_string_equal(context(t, p, "telegram:-1"), "a d");
	assert_string_equal(context(t, p, "telegram:-1/5"), "b");
	assert_string_equal(context(t, p, "telegram:-2"), "c");
	assert_string_equal(context(t, p, "telegram:-3"), "");
	assert_string_equal(fixture_pending(t, p, "telegram:-1"), "");
}

static void the_newest_are_kept_and_the_text_of_others_is_forgotten(struct task *t, struct fixture *p)
{
	for (int i = 1; i <= JOURNAL_CONTEXT_MAX + 5; i++) {
		char text[16];

		snprintf(text, sizeof(text), "n%d", i);
		overhear(t, p, text, "telegram:-1", text);
	}
	assert_memory_equal(context(t, p, "telegram:-1"), "n6 n7 ", 6);
	assert_non_null(strstr(context(t, p, "telegram:-1"), " n35"));
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM inbox WHERE state = 2 AND text = ''"), 5);
	fixture_open(t, p);
}

static void a_turn_takes_context_once(struct task *t, struct fixture *p)
{
	int64_t ids[2] = {overhear(t, p, "1", "telegram:-1", "a")};
	struct store_turn turn, again;
	struct error err;

	ids[1] = fixture_put(t, p, "2", "telegram:-1", "you there?");
	/* Said later, but not to us. */
	int64_t late[3] = {ids[0], overhear(t, p, "3", "telegram:-1", "b"), ids[1]};
	assert_ok(begin(t, p, "telegram:-1", late, 3, &turn, &err), err);
	assert_string_equal(context(t, p, "telegram:-1"), "");
	store_turn_clear(&turn);
	fixture_reopen(t, p);
	struct address a = at("telegram:-1");
	assert_int_equal(store_turn_resume(t, p->store, &a, &turn, &err), 1);
	assert_int_equal(turn.inbound_count, 3);
	assert_int_equal(turn.asked->id, ids[1]);
	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, NULL, 0, NULL, 0, &err), err);
	assert_string_equal(context(t, p, "telegram:-1"), "");
	ids[1] = fixture_put(t, p, "4", "telegram:-1", "and now?");
	assert_int_equal(begin(t, p, "telegram:-1", ids, 2, &again, &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	store_turn_clear(&turn);
}

static void a_new_conversation_forgets_what_was_said_before(struct task *t, struct fixture *p)
{
	struct address a = at("telegram:-1");
	struct error err;
	int64_t asked, session;

	overhear(t, p, "1", "telegram:-1", "a");
	overhear(t, p, "2", "telegram:-2", "c");
	asked = fixture_put(t, p, "3", "telegram:-1", "/new");
	overhear(t, p, "4", "telegram:-1", "b");
	assert_ok(store_session_renew(t, p->store, &a, asked, NULL, 0, &session, &err), err);
	assert_string_equal(context(t, p, "telegram:-1"), "b");
	assert_string_equal(context(t, p, "telegram:-2"), "c");
}

/* --- moves */

static void move(struct task *t, struct fixture *p, const char *old, const char *new)
{
	struct journal j = store_journal(p->store);
	struct journal_move m = {.channel = "telegram"};
	struct error err;

	str_copy(m.old_chat, sizeof(m.old_chat), old);
	str_copy(m.new_chat, sizeof(m.new_chat), new);
	assert_ok(j.ops->move_chat(t, j.self, &m, &err), err);
}

static int64_t session_of(struct task *t, struct fixture *p, const char *where)
{
	struct address a = at(where);
	struct error err;
	int64_t id;

	assert_ok(store_session(t, p->store, &a, &id, &err), err);
	return id;
}

static void all_that_was_kept_follows_a_chat_to_its_new_id(struct task *t, struct fixture *p)
{
	int64_t session = session_of(t, p, "telegram:-1"), topic = session_of(t, p, "telegram:-1/7");
	struct journal j = store_journal(p->store);
	struct journal_move *moves;
	struct error err;

	overhear(t, p, "1", "telegram:-1", "a");
	fixture_put(t, p, "2", "telegram:-1", "hello");
	fixture_put(t, p, "3", "telegram:-2", "elsewhere");
	for (int i = 0; i < 2; i++) {
		move(t, p, "-1", "-1001");
		assert_string_equal(context(t, p, "telegram:-1001"), "a");
		assert_string_equal(fixture_pending(t, p, "telegram:-1001"), "2");
		assert_string_equal(fixture_pending(t, p, "telegram:-1"), "");
		assert_string_equal(fixture_pending(t, p, "telegram:-2"), "3");
		assert_int_equal(session_of(t, p, "telegram:-1001"), session);
		assert_int_equal(session_of(t, p, "telegram:-1001/7"), topic);
		fixture_reopen(t, p);
		j = store_journal(p->store);
	}
	assert_int_equal(j.ops->list_moves(t, j.self, &moves, &err), 1);
	assert_string_equal(moves[0].channel, "telegram");
	assert_string_equal(moves[0].old_chat, "-1");
	assert_string_equal(moves[0].new_chat, "-1001");
	free(moves);
}

static void a_turn_that_is_open_follows(struct task *t, struct fixture *p)
{
	int64_t id = fixture_put(t, p, "1", "telegram:-1", "hello");
	struct address new = at("telegram:-1001");
	struct store_turn turn;
	struct error err;

	assert_ok(begin(t, p, "telegram:-1", &id, 1, &turn, &err), err);
	move(t, p, "-1", "-1001");
	assert_ok(store_turn_append(t, p->store, &turn, NULL, 0, &err), err);
	store_turn_clear(&turn);
	fixture_reopen(t, p);
	assert_int_equal(store_turn_resume(t, p->store, &new, &turn, &err), 1);
	assert_string_equal(turn.asked->from.chat, "-1001");
	store_turn_clear(&turn);
}

static void end(struct task *t, struct fixture *p, const char *event, const char *where, const char *words)
{
	int64_t id = fixture_put(t, p, event, where, words);
	struct llm_message *last = llm_message_new(LLM_ASSISTANT, words);
	struct store_turn turn;
	struct error err;

	assert_ok(begin(t, p, where, &id, 1, &turn, &err), err);
	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, &last, 1, NULL, 0, &err), err);
	llm_message_free(last);
	store_turn_clear(&turn);
}

static void a_conversation_begun_in_the_new_chat_gets_the_old_one_before_it(struct task *t, struct fixture *p)
{
	struct llm_history h;
	struct error err;

	end(t, p, "1", "telegram:-1", "old");
	end(t, p, "2", "telegram:-1001", "new");
	move(t, p, "-1", "-1001");
	llm_history_init(&h);
	assert_ok(
	    store_history(t, p->store, session_of(t, p, "telegram:-1001"), SIZE_MAX / 2, &h, &err), err);
	assert_int_equal(h.count, 4);
	assert_string_equal(h.messages[1]->text, "old");
	assert_string_equal(h.messages[3]->text, "new");
	llm_history_clear(&h);
}

static void an_open_turn_keeps_its_conversation_when_two_meet(struct task *t, struct fixture *p)
{
	int64_t id = fixture_put(t, p, "1", "telegram:-1", "hello");
	struct store_turn turn;
	struct error err;

	assert_ok(begin(t, p, "telegram:-1", &id, 1, &turn, &err), err);
	end(t, p, "2", "telegram:-1001", "new");
	move(t, p, "-1", "-1001");
	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, NULL, 0, NULL, 0, &err), err);
	store_turn_clear(&turn);
	fixture_close(t, p);
	assert_int_equal(
	    fixture_number(p, "SELECT count(*) FROM sessions WHERE chat = '-1001' AND closed_ms = 0"), 1);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM inbox WHERE state < 2"), 0);
	fixture_open(t, p);
}

static void set_budget(
    struct task *t, struct fixture *p, const char *chat, enum store_window window, int64_t turns, int64_t day)
{
	struct store_budget budget = {.window = window,
	    .account = {.scope = STORE_CHAT, .channel = "telegram"},
	    .limits = {turns, STORE_NO_LIMIT, STORE_NO_LIMIT, STORE_NO_LIMIT}};
	struct store_lift lift = {.account = {.scope = STORE_CHAT, .channel = "telegram"}, .day = day};
	char *event = xasprintf("%s-%d-%lld", chat, window, (long long)turns);
	int64_t asked = fixture_put(t, p, event, "telegram:9", "/budget");
	struct error err;

	str_copy(budget.account.who, sizeof(budget.account.who), chat);
	lift.account = budget.account;
	assert_ok(store_budget_commit(t, p->store,
		      &(struct store_budget_change){.set = &budget, .lift = &lift}, asked, NULL, 0, &err),
	    err);
	free(event);
}

static void warn(struct task *t, struct fixture *p, const char *chat, int64_t level, bool is_fresh)
{
	struct store_warning w = {.account = {.scope = STORE_CHAT, .channel = "telegram"},
	    .window = STORE_DAY,
	    .measure = STORE_TURNS,
	    .period = 20261122,
	    .limit = 10,
	    .level = level};
	struct error err;
	bool fresh;

	str_copy(w.account.who, sizeof(w.account.who), chat);
	assert_ok(store_budget_warn(t, p->store, &w, NULL, 0, &fresh, &err), err);
	assert_true(fresh == is_fresh);
}

/* What the new chat was given meanwhile, and the old one was not, stays. */
static void the_budgets_of_the_old_chat_replace_those_of_the_new_one(struct task *t, struct fixture *p)
{
	struct store_budgets found;
	struct error err;

	set_budget(t, p, "-1", STORE_DAY, 5, 20261122);
	set_budget(t, p, "-1001", STORE_DAY, 7, 20261123);
	set_budget(t, p, "-1001", STORE_MONTH, 70, 20261123);
	warn(t, p, "-1", 80, true);
	warn(t, p, "-1001", 90, true);
	for (int i = 0; i < 2; i++) {
		move(t, p, "-1", "-1001");
		assert_ok(store_budgets(t, p->store, &found, &err), err);
		assert_int_equal(found.set_count, 2);
		for (size_t k = 0; k < found.set_count; k++) {
			assert_string_equal(found.set[k].account.who, "-1001");
			assert_int_equal(
			    found.set[k].limits[STORE_TURNS], found.set[k].window == STORE_DAY ? 5 : 70);
		}
		assert_int_equal(found.lift_count, 1);
		assert_string_equal(found.lifts[0].account.who, "-1001");
		assert_int_equal(found.lifts[0].day, 20261122);
		store_budgets_clear(&found);
	}
	warn(t, p, "-1001", 80, false);
	warn(t, p, "-1001", 90, true);
}

/* Puts a message of the turn, and gives it its end. */
static void leave(struct task *t, struct fixture *p, int64_t turn, enum outbound_kind kind,
    enum outbound_state state, int64_t took_ms, const char *reason)
{
	struct journal j = store_journal(p->store);
	struct address to = at("telegram:5");
	struct outbound *row = outbound_new(&to, kind, "text");
	struct error err;

	row->turn = turn;
	row->created_ms = clock_wall() - took_ms;
	assert_ok(j.ops->put_outbound(t, j.self, &row, 1, &err), err);
	row->state = state;
	row->reason = xstrdup(reason);
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	outbound_free(row);
}

static void what_was_not_delivered_is_told_once(struct task *t, struct fixture *p)
{
	int64_t id = fixture_put(t, p, "e1", "telegram:7", "tell them");
	struct store_turn turn;
	struct error err;

	assert_ok(begin(t, p, "telegram:7", &id, 1, &turn, &err), err);
	leave(t, p, turn.id, OUTBOUND_REPLY, OUTBOUND_FAILED, 0, "blocked");
	leave(t, p, turn.id, OUTBOUND_NOTIFICATION, OUTBOUND_UNCERTAIN, 60000, NULL);
	leave(t, p, turn.id, OUTBOUND_NOTIFICATION, OUTBOUND_FAILED, 0, "told by the tool");
	leave(t, p, turn.id, OUTBOUND_NOTIFICATION, OUTBOUND_SENT, 60000, NULL);
	leave(t, p, turn.id, OUTBOUND_REPLY, OUTBOUND_FAILED, 0, BUS_PART_LOST);
	leave(t, p, 0, OUTBOUND_REPLY, OUTBOUND_FAILED, 0, "of no turn");
	assert_ok(store_note_delivery(t, p->store, turn.id, "row:1", "told before", &err), err);
	for (int i = 0; i < 2; i++)
		assert_ok(store_note_undelivered(t, p->store, clock_wall() - 3600000, 4900, &err), err);
	assert_string_equal(context(t, p, "telegram:7"),
	    "told before What became of a message that you sent: telegram:5: uncertain");
	assert_string_equal(context(t, p, "telegram:5"), "");
	store_turn_clear(&turn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(what_was_overheard_is_kept_per_chat_and_thread),
	    IN_PLACE(what_was_not_delivered_is_told_once),
	    IN_PLACE(the_newest_are_kept_and_the_text_of_others_is_forgotten),
	    IN_PLACE(a_turn_takes_context_once),
	    IN_PLACE(a_new_conversation_forgets_what_was_said_before),
	    IN_PLACE(all_that_was_kept_follows_a_chat_to_its_new_id),
	    IN_PLACE(a_turn_that_is_open_follows),
	    IN_PLACE(a_conversation_begun_in_the_new_chat_gets_the_old_one_before_it),
	    IN_PLACE(an_open_turn_keeps_its_conversation_when_two_meet),
	    IN_PLACE(the_budgets_of_the_old_chat_replace_those_of_the_new_one),
	};

	return fixture_run_tests("context", tests, ARRAY_LEN(tests));
}
