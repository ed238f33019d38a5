#include "store/store_fixture.h"

#include "base/secret/secret.h"
#include "bus/message.h"
#include "store/turn/turns.h"

#define CHAT "telegram:1"

static int64_t session_of(struct task *t, struct fixture *p, const char *where)
{
	struct address address = fixture_address(where);
	struct error err;
	int64_t session;

	assert_ok(store_session(t, p->store, &address, &session, &err), err);
	return session;
}

/* Begins a turn in CHAT for the inbound message id, if it is not 0. */
static struct store_turn begin(struct task *t, struct fixture *p, int64_t id, const char *text)
{
	struct llm_message *user = llm_message_new(LLM_USER, text);
	struct message *m = fixture_message("copy", CHAT, text);
	struct store_turn turn;
	struct error err;

	m->id = id;
	assert_ok(store_turn_begin(t, p->store, session_of(t, p, CHAT), (const struct message *const *)&m,
		      id != 0, user, &turn, &err),
	    err);
	assert_true(user->id > 0);
	assert_int_equal(user->turn, turn.id);
	llm_message_free(user);
	message_free(m);
	return turn;
}

static int resume(struct task *t, struct fixture *p, struct store_turn *turn)
{
	struct address where = fixture_address(CHAT);
	struct error err;
	int found = store_turn_resume(t, p->store, &where, turn, &err);

	assert_ok(found, err);
	return found;
}

static struct llm_message *answer(const char *text, const char *call)
{
	struct llm_message *m = llm_message_new(LLM_ASSISTANT, text);

	if (call)
		llm_message_add_call(m, call, "shell", "{\"command\":\"ls\"}");
	m->provider = xstrdup("local");
	m->model = xstrdup("m-1");
	llm_message_set_raw(m, xstrdup("{\"role\":\"assistant\"}"));
	return m;
}

static struct llm_message *result(const char *text, const char *call)
{
	struct llm_message *m = llm_message_new(LLM_TOOL, text);

	m->call_id = xstrdup(call);
	return m;
}

static void append(struct task *t, struct fixture *p, const struct store_turn *turn, struct llm_message *m)
{
	struct error err;

	assert_ok(store_turn_append(t, p->store, turn, &m, 1, &err), err);
	assert_true(m->id > 0);
	llm_message_free(m);
}

static void start_calls(
    struct task *t, struct fixture *p, const struct store_turn *turn, const char *a, const char *b)
{
	const char *const calls[] = {a, b};
	struct error err;

	assert_ok(store_calls_start(t, p->store, turn, calls, b ? 2 : 1, &err), err);
}

static void end(struct task *t, struct fixture *p, const struct store_turn *turn, enum store_turn_state state,
    struct llm_message *m)
{
	struct error err;

	assert_ok(store_turn_end(t, p->store, turn, state, &m, m != NULL, NULL, 0, &err), err);
	llm_message_free(m);
}

/* Texts of what store_history gives, each in [], good until the next call. */
static const char *history(struct task *t, struct fixture *p, size_t max_bytes)
{
	static char text[2000];
	struct llm_history h;
	struct error err;

	llm_history_init(&h);
	assert_ok(store_history(t, p->store, session_of(t, p, CHAT), max_bytes, &h, &err), err);
	text[0] = '\0';
	for (size_t i = 0; i < h.count; i++) {
		size_t at = strlen(text);

		snprintf(text + at, sizeof(text) - at, "[%.20s]", h.messages[i]->text);
		if (i > 0)
			assert_true(h.messages[i]->id > h.messages[i - 1]->id);
	}
	llm_history_clear(&h);
	return text;
}

static void an_address_has_one_session_until_it_is_renewed(struct task *t, struct fixture *p)
{
	struct address where = fixture_address(CHAT);
	struct outbound *row = outbound_new(&where, OUTBOUND_REPLY, "a new session");
	int64_t first = session_of(t, p, CHAT), other = session_of(t, p, "telegram:1/2"), second;
	int64_t asked = fixture_put(t, p, "a", CHAT, "/new");
	struct error err;

	assert_int_not_equal(first, other);
	assert_int_equal(session_of(t, p, CHAT), first);
	assert_ok(store_session_renew(t, p->store, &where, asked, &row, 1, &second, &err), err);
	assert_int_not_equal(second, first);
	assert_true(row->id > 0);
	fixture_reopen(t, p);
	assert_int_equal(session_of(t, p, CHAT), second);
	assert_int_equal(session_of(t, p, "telegram:1/2"), other);
	assert_string_equal(fixture_pending(t, p, CHAT), "");
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1");
	assert_int_equal(fixture_counts(t, p).sessions, 2);

	/* The command again: nothing of it happens. */
	assert_int_equal(store_session_renew(t, p->store, &where, asked, &row, 1, &second, &err), -1);
	assert_int_equal(session_of(t, p, CHAT), second);
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1");
	outbound_free(row);
}

/* Opens the session of the address with a welcome; the id of the welcome. */
static int64_t welcome(struct task *t, struct fixture *p, const char *to, int64_t inbound)
{
	struct address where = fixture_address(to);
	struct outbound *row = outbound_new(&where, OUTBOUND_REPLY, "hello");
	int64_t session, id;
	struct error err;

	assert_ok(store_session_welcome(t, p->store, &where, inbound, &row, 1, &session, &err), err);
	assert_int_equal(session_of(t, p, to), session);
	id = row->id;
	outbound_free(row);
	return id;
}

static void the_first_session_of_a_chat_is_one_commit_with_its_welcome(struct task *t, struct fixture *p)
{
	int64_t opened = fixture_put(t, p, "a", CHAT, ""), again;

	assert_true(welcome(t, p, CHAT, opened) > 0);
	assert_string_equal(fixture_pending(t, p, CHAT), "");
	fixture_reopen(t, p);
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1");
	again = fixture_put(t, p, "b", CHAT, "");
	assert_int_equal(welcome(t, p, CHAT, again), 0);
	assert_string_equal(fixture_pending(t, p, CHAT), "");
	assert_int_equal(welcome(t, p, "telegram:1/2", 0), 0);
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1");
	assert_true(welcome(t, p, "telegram:2/5", 0) > 0);
	assert_int_equal(welcome(t, p, "telegram:2", 0), 0);
}

static void a_turn_takes_its_messages_and_begins_the_transcript(struct task *t, struct fixture *p)
{
	int64_t ids[2] = {fixture_put(t, p, "a", CHAT, "one"), fixture_put(t, p, "b", CHAT, "two")};
	struct message *inbound[2] = {fixture_message("a", CHAT, "one"), fixture_message("b", CHAT, "two")};
	struct llm_message *user = llm_message_new(LLM_USER, "one\ntwo");
	struct store_turn turn;
	struct error err;

	fixture_put(t, p, "c", CHAT, "three");
	inbound[0]->id = ids[0];
	inbound[1]->id = ids[1];
	assert_ok(store_turn_begin(t, p->store, session_of(t, p, CHAT),
		      (const struct message *const *)inbound, 2, user, &turn, &err),
	    err);
	assert_int_equal(turn.attempts, 1);
	assert_int_equal(turn.rounds, 0);
	assert_int_equal(turn.inbound_count, 2);
	assert_int_equal(turn.inbound[1], ids[1]);
	assert_int_equal(turn.asked->id, ids[1]);
	assert_string_equal(turn.asked->text, "");
	assert_null(turn.unfinished[0]);
	assert_string_equal(fixture_pending(t, p, CHAT), "3");
	assert_string_equal(history(t, p, 10000), "[one\ntwo]");
	assert_int_equal(fixture_counts(t, p).turns_open, 1);

	end(t, p, &turn, STORE_TURN_DONE, answer("hello", NULL));
	assert_int_equal(fixture_counts(t, p).turns_open, 0);
	assert_string_equal(history(t, p, 10000), "[one\ntwo][hello]");
	fixture_close(t, p);
	assert_int_equal(
	    fixture_number(p, "SELECT count(*) FROM inbox WHERE state = 2 AND done_ms > 0 AND turn > 0"), 2);
	fixture_open(t, p);
	store_turn_clear(&turn);
	llm_message_free(user);
	message_free(inbound[0]);
	message_free(inbound[1]);
}

static void a_message_is_taken_by_one_turn_only(struct task *t, struct fixture *p)
{
	int64_t id = fixture_put(t, p, "a", CHAT, "one");
	struct store_turn turn = begin(t, p, id, "one"), second;
	struct llm_message *user = llm_message_new(LLM_USER, "one");
	struct message *m = fixture_message("a", CHAT, "one");
	struct error err;

	m->id = id;
	assert_int_equal(store_turn_begin(t, p->store, turn.session, (const struct message *const *)&m, 1,
			     user, &second, &err),
	    -1);
	assert_non_null(strstr(err.text, "has the open turn 1 already"));
	end(t, p, &turn, STORE_TURN_DONE, NULL);
	assert_int_equal(store_turn_begin(t, p->store, turn.session, (const struct message *const *)&m, 1,
			     user, &second, &err),
	    -1);
	assert_non_null(strstr(err.text, "message 1 waits no more"));
	assert_int_equal(fixture_counts(t, p).turns_open, 0);
	assert_int_equal(store_turn_begin(t, p->store, 4711, NULL, 0, user, &second, &err), -1);
	assert_string_equal(err.text, "there is no session 4711");
	store_turn_clear(&turn);
	llm_message_free(user);
	message_free(m);
}

static void an_ended_turn_does_not_go_on(struct task *t, struct fixture *p)
{
	struct store_turn turn = begin(t, p, 0, "hello");
	struct llm_message *late = answer("late", NULL);
	const char *const calls[] = {"c1"};
	struct error err;

	assert_int_equal(store_turn_end(t, p->store, &turn, STORE_TURN_OPEN, NULL, 0, NULL, 0, &err), -1);
	end(t, p, &turn, STORE_TURN_STOPPED, NULL);
	assert_int_equal(store_turn_append(t, p->store, &turn, &late, 1, &err), -1);
	assert_non_null(strstr(err.text, "has ended already"));
	assert_int_equal(store_calls_start(t, p->store, &turn, calls, 1, &err), -1);
	assert_int_equal(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, &late, 1, NULL, 0, &err), -1);
	assert_string_equal(history(t, p, 10000), "[hello]");
	store_turn_clear(&turn);
	llm_message_free(late);
}

static void a_turn_without_messages_is_asked_by_its_chat(struct task *t, struct fixture *p)
{
	struct store_turn turn = begin(t, p, 0, "scheduled"), again;

	assert_string_equal(turn.asked->from.chat, "1");
	fixture_reopen(t, p);
	assert_int_equal(resume(t, p, &again), 1);
	assert_string_equal(again.asked->from.chat, "1");
	assert_int_equal(again.inbound_count, 0);
	store_turn_clear(&turn);
	store_turn_clear(&again);
}

static void an_answer_keeps_all_that_the_wire_formats_need(struct task *t, struct fixture *p)
{
	struct store_turn turn = begin(t, p, 0, "hello");
	struct llm_message *said = answer("looking", "c1"), *tool = result("gone wrong", "c1");
	struct llm_history h;
	struct error err;

	llm_message_add_call(said, "c2", "read", "{\"path\":\"a \\\"b\\\"\"}");
	tool->is_error = true;
	append(t, p, &turn, said);
	append(t, p, &turn, tool);
	fixture_reopen(t, p);
	llm_history_init(&h);
	assert_ok(store_history(t, p->store, turn.session, 10000, &h, &err), err);
	assert_int_equal(h.count, 3);
	said = h.messages[1];
	assert_int_equal(said->role, LLM_ASSISTANT);
	assert_string_equal(said->provider, "local");
	assert_string_equal(said->model, "m-1");
	assert_string_equal(said->raw, "{\"role\":\"assistant\"}");
	assert_int_equal(said->call_count, 2);
	assert_string_equal(said->calls[0].id, "c1");
	assert_string_equal(said->calls[1].name, "read");
	assert_string_equal(said->calls[1].arguments, "{\"path\":\"a \\\"b\\\"\"}");
	assert_true(said->created_ms > 0);
	assert_int_equal(said->turn, turn.id);
	assert_int_equal(h.messages[2]->role, LLM_TOOL);
	assert_true(h.messages[2]->is_error);
	assert_string_equal(h.messages[2]->call_id, "c1");
	assert_null(h.messages[0]->raw);
	assert_int_equal(h.messages[0]->call_count, 0);
	llm_history_clear(&h);
	store_turn_clear(&turn);
}

/* A model may put what it has seen anywhere. */
static void no_part_of_a_call_keeps_a_secret(struct task *t, struct fixture *p)
{
	struct store_turn turn = begin(t, p, 0, "hello");
	struct llm_message *reply = llm_message_new(LLM_ASSISTANT, "");
	struct llm_history h;
	struct error err;

	secret_register("sk-red-team-1");
	llm_message_add_call(reply, "c1", "look_sk-red-team-1", "{\"what\":\"sk-red-team-1\"}");
	append(t, p, &turn, reply);
	secret_forget_all();
	llm_history_init(&h);
	assert_ok(store_history(t, p->store, turn.session, 10000, &h, &err), err);
	assert_string_equal(h.messages[1]->calls[0].name, "redacted");
	assert_string_equal(h.messages[1]->calls[0].arguments, "{\"what\":\"[redacted]\"}");
	llm_history_clear(&h);
	store_turn_clear(&turn);
}

static void history_gives_the_newest_whole_turns_that_fit(struct task *t, struct fixture *p)
{
	struct llm_message *sized = llm_message_new(LLM_USER, "1234567890");
	size_t each = llm_message_bytes(sized);
	struct store_turn turn;
	char text[16];

	assert_string_equal(history(t, p, 10000), "");
	for (int i = 0; i < 3; i++) {
		snprintf(text, sizeof(text), "question %d", i);
		turn = begin(t, p, 0, text);
		append(t, p, &turn, llm_message_new(LLM_ASSISTANT, "thinking.."));
		end(t, p, &turn, STORE_TURN_DONE, llm_message_new(LLM_ASSISTANT, "the answer"));
		store_turn_clear(&turn);
	}
	assert_string_equal(history(t, p, 9 * each),
	    "[question 0][thinking..][the answer][question 1][thinking..][the answer][question "
	    "2][thinking..][the answer]");
	assert_string_equal(history(t, p, 9 * each - 1),
	    "[question 1][thinking..][the answer][question 2][thinking..][the answer]");
	assert_string_equal(history(t, p, 6 * each),
	    "[question 1][thinking..][the answer][question 2][thinking..][the answer]");
	assert_string_equal(history(t, p, 6 * each - 1), "[question 2][thinking..][the answer]");
	assert_string_equal(history(t, p, 1), "[question 2][thinking..][the answer]");
	turn = begin(t, p, 0, "question 3");
	assert_string_equal(history(t, p, 1), "[question 3]");
	assert_string_equal(history(t, p, 4 * each), "[question 2][thinking..][the answer][question 3]");
	store_turn_clear(&turn);
	llm_message_free(sized);
}

static void a_session_does_not_see_another(struct task *t, struct fixture *p)
{
	struct address where = fixture_address(CHAT);
	struct store_turn turn = begin(t, p, 0, "before");
	struct error err;
	int64_t session;

	end(t, p, &turn, STORE_TURN_DONE, NULL);
	store_turn_clear(&turn);
	assert_ok(store_session_renew(t, p->store, &where, 0, NULL, 0, &session, &err), err);
	assert_string_equal(history(t, p, 10000), "");
	turn = begin(t, p, 0, "after");
	assert_string_equal(history(t, p, 10000), "[after]");
	store_turn_clear(&turn);
}

static void a_long_history_comes_whole(struct task *t, struct fixture *p)
{
	struct store_turn turn = begin(t, p, 0, "hello");
	struct llm_history h;
	struct error err;

	for (int i = 0; i < 500; i++)
		append(t, p, &turn, llm_message_new(LLM_ASSISTANT, "more"));
	llm_history_init(&h);
	assert_ok(store_history(t, p->store, turn.session, 1000000, &h, &err), err);
	assert_int_equal(h.count, 501);
	llm_history_clear(&h);
	store_turn_clear(&turn);
}

static void a_call_is_started_once(struct task *t, struct fixture *p)
{
	struct store_turn turn = begin(t, p, 0, "hello");
	const char *const again[] = {"c3", "c1"};
	struct store_turn resumed;
	struct error err;

	append(t, p, &turn, answer("", "c1"));
	start_calls(t, p, &turn, "c1", NULL);
	assert_int_equal(store_calls_start(t, p->store, &turn, again, 2, &err), -1);
	assert_non_null(strstr(err.text, "call c1 of turn 1 was started before"));
	append(t, p, &turn, result("done", "c1"));
	assert_int_equal(store_calls_start(t, p->store, &turn, again, 2, &err), -1);
	assert_int_equal(resume(t, p, &resumed), 1);
	assert_null(resumed.unfinished[0]);
	store_turn_clear(&resumed);

	/* Ids are unique within a turn only. */
	end(t, p, &turn, STORE_TURN_DONE, NULL);
	store_turn_clear(&turn);
	turn = begin(t, p, 0, "hello again");
	start_calls(t, p, &turn, "c1", "c3");
	assert_int_equal(resume(t, p, &resumed), 1);
	assert_string_equal(resumed.unfinished[0], "c1");
	assert_string_equal(resumed.unfinished[1], "c3");
	assert_null(resumed.unfinished[2]);
	store_turn_clear(&resumed);
	store_turn_clear(&turn);
}

static void a_stop_in_good_order_is_no_attempt(struct task *t, struct fixture *p)
{
	int64_t id = fixture_put(t, p, "a", CHAT, "question");
	struct store_turn turn = begin(t, p, id, "question");

	assert_int_equal(turn.attempts, 1);
	for (unsigned attempt = 2; attempt < 4; attempt++) {
		store_turn_clear(&turn);
		assert_int_equal(resume(t, p, &turn), 1);
		assert_int_equal(turn.attempts, attempt);
		store_turn_clear(&turn);
		fixture_reopen(t, p);
		assert_int_equal(resume(t, p, &turn), 1);
		assert_int_equal(turn.attempts, attempt);
	}
	store_turn_clear(&turn);
}

static void a_turn_continues_wherever_a_stop_cut_it_off(struct task *t, struct fixture *p)
{
	int64_t id = fixture_put(t, p, "a", CHAT, "question");
	struct address where = fixture_address(CHAT);
	struct outbound *row = outbound_new(&where, OUTBOUND_REPLY, "the answer");
	struct llm_message *last = llm_message_new(LLM_ASSISTANT, "the answer");
	struct store_turn turn;
	struct error err;

	assert_int_equal(resume(t, p, &turn), 0);
	turn = begin(t, p, id, "question");
	for (unsigned position = 0; position < 5; position++) {
		store_turn_clear(&turn);
		fixture_reopen(t, p);
		assert_int_equal(resume(t, p, &turn), 1);
		assert_int_equal(turn.attempts, 1);
		assert_int_equal(turn.rounds, position == 0 ? 0 : 1);
		assert_int_equal(turn.inbound_count, 1);
		assert_int_equal(turn.inbound[0], id);
		assert_int_equal(turn.asked->id, id);
		assert_string_equal(turn.asked->event_id, "a");
		assert_string_equal(turn.asked->text, "");
		assert_string_equal(fixture_pending(t, p, CHAT), "");
		switch (position) {
		case 0:
			assert_string_equal(history(t, p, 10000), "[question]");
			turn.rounds++;
			append(t, p, &turn, answer("looking", "c1"));
			break;
		case 1:
			assert_string_equal(history(t, p, 10000), "[question][looking]");
			assert_null(turn.unfinished[0]);
			start_calls(t, p, &turn, "c1", "c2");
			break;
		case 2:
			assert_string_equal(turn.unfinished[0], "c1");
			assert_string_equal(turn.unfinished[1], "c2");
			append(t, p, &turn, result("files", "c1"));
			break;
		case 3:
			assert_string_equal(turn.unfinished[0], "c2");
			assert_null(turn.unfinished[1]);
			append(t, p, &turn, result("interrupted", "c2"));
			break;
		default:
			assert_null(turn.unfinished[0]);
			assert_string_equal(history(t, p, 10000), "[question][looking][files][interrupted]");
		}
	}
	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, &last, 1, &row, 1, &err), err);
	assert_true(row->id > 0);
	store_turn_clear(&turn);
	fixture_reopen(t, p);
	assert_int_equal(resume(t, p, &turn), 0);
	assert_string_equal(history(t, p, 10000), "[question][looking][files][interrupted][the answer]");
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1");
	assert_string_equal(fixture_pending(t, p, CHAT), "");
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM calls"), 0);
	fixture_open(t, p);
	llm_message_free(last);
	outbound_free(row);
}

static void a_dead_turn_leaves_its_messages_dead(struct task *t, struct fixture *p)
{
	struct store_turn turn = begin(t, p, fixture_put(t, p, "a", CHAT, "poison"), "poison");

	end(t, p, &turn, STORE_TURN_DEAD, NULL);
	store_turn_clear(&turn);
	assert_string_equal(fixture_pending(t, p, CHAT), "");
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM inbox WHERE state = 3 AND turn > 0"), 1);
	assert_int_equal(fixture_number(p, "SELECT state FROM turns"), STORE_TURN_DEAD);
	fixture_open(t, p);
}

static void an_end_that_fails_leaves_the_turn_open(struct task *t, struct fixture *p)
{
	struct address where = fixture_address(CHAT);
	struct outbound *row = outbound_new(&where, OUTBOUND_REPLY, "the answer");
	struct llm_message *last = answer("the answer", NULL);
	struct store_turn turn = begin(t, p, fixture_put(t, p, "a", CHAT, "hello"), "hello"), again;
	struct error err;

	row->part = -1;
	assert_int_equal(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, &last, 1, &row, 1, &err), -1);
	assert_non_null(strcasestr(err.text, "check constraint"));
	assert_int_equal(last->id, 0);
	assert_int_equal(resume(t, p, &again), 1);
	assert_int_equal(again.inbound_count, 1);
	assert_string_equal(history(t, p, 10000), "[hello]");
	store_turn_clear(&turn);
	store_turn_clear(&again);
	llm_message_free(last);
	outbound_free(row);
}

static void addresses_with_open_turns_are_pending(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct store_turn turn = begin(t, p, fixture_put(t, p, "a", CHAT, "hello"), "hello");
	struct address *found;
	struct error err;

	fixture_put(t, p, "b", "telegram:2", "hello");
	assert_int_equal(j.ops->pending_addresses(t, j.self, &found, &err), 2);
	assert_string_equal(found[0].chat, "1");
	assert_string_equal(found[1].chat, "2");
	free(found);
	fixture_put(t, p, "c", CHAT, "more");
	assert_int_equal(j.ops->pending_addresses(t, j.self, &found, &err), 2);
	free(found);
	end(t, p, &turn, STORE_TURN_DONE, NULL);
	store_turn_clear(&turn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(an_address_has_one_session_until_it_is_renewed),
	    IN_PLACE(the_first_session_of_a_chat_is_one_commit_with_its_welcome),
	    IN_PLACE(a_turn_takes_its_messages_and_begins_the_transcript),
	    IN_PLACE(a_message_is_taken_by_one_turn_only),
	    IN_PLACE(an_ended_turn_does_not_go_on),
	    IN_PLACE(a_turn_without_messages_is_asked_by_its_chat),
	    IN_PLACE(an_answer_keeps_all_that_the_wire_formats_need),
	    IN_PLACE(no_part_of_a_call_keeps_a_secret),
	    IN_PLACE(history_gives_the_newest_whole_turns_that_fit),
	    IN_PLACE(a_session_does_not_see_another),
	    IN_PLACE(a_long_history_comes_whole),
	    IN_PLACE(a_call_is_started_once),
	    IN_PLACE(a_stop_in_good_order_is_no_attempt),
	    IN_PLACE(a_turn_continues_wherever_a_stop_cut_it_off),
	    IN_PLACE(a_dead_turn_leaves_its_messages_dead),
	    IN_PLACE(an_end_that_fails_leaves_the_turn_open),
	    IN_PLACE(addresses_with_open_turns_are_pending),
	};

	return fixture_run_tests("turn", tests, ARRAY_LEN(tests));
}
