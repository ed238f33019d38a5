/* A turn begins in one commit, or learns what it has to know of its chat first. */
#include "store/store_fixture.h"

#include "base/time/clock.h"
#include "bus/message.h"
#include "store/chats.h"
#include "store/turn/turns.h"

#define CHAT "telegram:1"

static struct store_turn turn;
static struct store_turn_opening opening;

/* As store_turn_start for that inbound message; turn and opening are what it fills. */
static int start_with(struct task *t, struct fixture *p, int64_t id, const struct store_turn_start *with)
{
	struct address where = fixture_address(CHAT);
	struct llm_message *user = llm_message_new(LLM_USER, "the question");
	struct message *m = fixture_message("copy", CHAT, "the question");
	struct store_turn_start start = *with;
	struct error err;

	m->id = id;
	start.where = &where;
	start.context = where.thread;
	start.inbound = (const struct message *const *)&m;
	start.inbound_count = 1;
	start.user = user;
	store_turn_opening_clear(&opening);
	turn = (struct store_turn){0};
	int rc = store_turn_start(t, p->store, &start, &turn, &opening, &err);
	if (rc < 0)
		assert_int_equal(err.kind, ERROR_REFUSED);
	llm_message_free(user);
	message_free(m);
	return rc;
}

static int start(struct task *t, struct fixture *p, int64_t id)
{
	return start_with(t, p, id, &(struct store_turn_start){.history_max = 10000});
}

static int64_t session_of(struct task *t, struct fixture *p)
{
	struct address where = fixture_address(CHAT);
	struct error err;
	int64_t session;

	assert_ok(store_session(t, p->store, &where, &session, &err), err);
	return session;
}

static int64_t put(struct task *t, struct fixture *p, const char *event)
{
	return fixture_put(t, p, event, CHAT, "the question");
}

static void end(struct task *t, struct fixture *p, const char *text)
{
	struct llm_message *last = llm_message_new(LLM_ASSISTANT, text);
	struct error err;

	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, &last, 1, NULL, 0, &err), err);
	llm_message_free(last);
	store_turn_clear(&turn);
}

static void exchange(struct task *t, struct fixture *p, const char *event, const char *answer)
{
	session_of(t, p);
	assert_int_equal(start(t, p, put(t, p, event)), 0);
	end(t, p, answer);
}

static void it_has_its_history_with_its_own_message(struct task *t, struct fixture *p)
{
	int64_t id;

	exchange(t, p, "a", "the answer");
	id = put(t, p, "b");
	assert_int_equal(start(t, p, id), 0);
	assert_true(turn.id > 0);
	assert_int_equal(turn.session, session_of(t, p));
	assert_int_equal(turn.inbound[0], id);
	assert_int_equal(turn.history->count, 3);
	assert_string_equal(turn.history->messages[1]->text, "the answer");
	assert_string_equal(turn.history->messages[2]->text, "the question");
	assert_int_equal(turn.history->messages[2]->turn, turn.id);
	assert_string_equal(fixture_pending(t, p, CHAT), "");
	store_turn_clear(&turn);
	/* One turn at a time. */
	assert_int_equal(start(t, p, put(t, p, "c")), -1);
}

static void a_chat_without_a_conversation_is_not_begun(struct task *t, struct fixture *p)
{
	int64_t id = put(t, p, "a");

	assert_int_equal(start(t, p, id), 1);
	assert_int_equal(opening.session, 0);
	assert_int_equal(fixture_counts(t, p).turns_open, 0);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 1);
	session_of(t, p);
	assert_int_equal(start(t, p, id), 0);
	store_turn_clear(&turn);
}

static void an_expired_conversation_is_not_begun(struct task *t, struct fixture *p)
{
	struct store_turn_start with = {.fresh_ms = clock_wall() + 3600 * 1000};
	int64_t id = put(t, p, "a");

	session_of(t, p);
	/* One in which nothing was said cannot expire. */
	assert_int_equal(start_with(t, p, id, &with), 0);
	end(t, p, "the answer");
	id = put(t, p, "b");
	assert_int_equal(start_with(t, p, id, &with), 1);
	assert_true(opening.expired);
	assert_int_equal(opening.session, session_of(t, p));
	with.session = opening.session;
	with.renew = true;
	with.history_max = 10000;
	assert_int_equal(start_with(t, p, id, &with), 0);
	assert_int_equal(turn.session, session_of(t, p));
	assert_int_not_equal(turn.session, with.session);
	assert_int_equal(turn.history->count, 1);
	store_turn_clear(&turn);
}

static void context_is_to_be_known_first(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	int64_t id = put(t, p, "overheard");
	struct error err;

	session_of(t, p);
	assert_ok(j.ops->finish_inbound(t, j.self, &id, 1, JOURNAL_CONTEXT, NULL, 0, &err), err);
	id = put(t, p, "a");
	assert_int_equal(start(t, p, id), 1);
	assert_int_equal(opening.context_count, 1);
	assert_int_equal(opening.session, session_of(t, p));
	assert_false(opening.expired);
	assert_string_equal(fixture_pending(t, p, CHAT), "2");
	assert_int_equal(start_with(t, p, id, &(struct store_turn_start){.session = opening.session}), 0);
	store_turn_clear(&turn);
}

static void a_long_history_is_read_elsewhere(struct task *t, struct fixture *p)
{
	char *text = xcalloc(1, 100001);

	memset(text, 'a', 100000);
	exchange(t, p, "a", text);
	assert_int_equal(
	    start_with(t, p, put(t, p, "b"), &(struct store_turn_start){.history_max = 1 << 20}), 0);
	assert_null(turn.history);
	end(t, p, "the answer");
	/* The newest turn fits, and more would not be read elsewhere either. */
	assert_int_equal(start_with(t, p, put(t, p, "c"), &(struct store_turn_start){.history_max = 200}), 0);
	assert_int_equal(turn.history->count, 1);
	store_turn_clear(&turn);
	free(text);
}

static void a_chosen_model_reads_what_it_has_room_for(struct task *t, struct fixture *p)
{
	struct address where = fixture_address(CHAT);
	struct error err;

	exchange(t, p, "a", "the answer");
	assert_ok(
	    store_chat_set_model(t, p->store, &where, "large", put(t, p, "/model"), NULL, 0, &err), err);
	assert_int_equal(start(t, p, put(t, p, "b")), 0);
	assert_string_equal(turn.model, "large");
	assert_null(turn.history);
	store_turn_clear(&turn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(it_has_its_history_with_its_own_message),
	    IN_PLACE(a_chat_without_a_conversation_is_not_begun),
	    IN_PLACE(an_expired_conversation_is_not_begun),
	    IN_PLACE(context_is_to_be_known_first),
	    IN_PLACE(a_long_history_is_read_elsewhere),
	    IN_PLACE(a_chosen_model_reads_what_it_has_room_for),
	};

	return fixture_run_tests("opening", tests, ARRAY_LEN(tests));
}
