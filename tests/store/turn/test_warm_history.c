/* The history of a conversation stays in memory between two turns, as long as it is what the store has. */
#include "store/store_fixture.h"

#include "base/secret/secret.h"
#include "base/time/clock.h"
#include "bus/message.h"
#include "store/store_internal.h"
#include "store/turn/summaries.h"
#include "store/turn/undo.h"
#include "store/turn/warm_history.h"

#define CHAT        "telegram:1"
#define OLD_CHAT    "telegram:2"
#define HISTORY_MAX 10000

static struct store_turn turn;
static const char *chat = CHAT; /* of what follows */

static void begin_with(struct task *t, struct fixture *p, const char *event, struct store_turn_start start)
{
	struct address where = fixture_address(chat);
	struct message *m = fixture_message("copy", chat, event);
	struct llm_message *user = llm_message_new(LLM_USER, event);
	struct store_turn_opening opening = {0};
	struct error err;
	int64_t session;

	m->id = fixture_put(t, p, event, chat, event);
	assert_ok(store_session(t, p->store, &where, &session, &err), err);
	start.where = &where;
	start.context = where.thread;
	start.inbound = (const struct message *const *)&m;
	start.inbound_count = 1;
	start.user = user;
	assert_ok(store_turn_start(t, p->store, &start, &turn, &opening, &err), err);
	assert_true(turn.id > 0);
	llm_message_free(user);
	message_free(m);
}

static void begin(struct task *t, struct fixture *p, const char *event)
{
	begin_with(t, p, event, (struct store_turn_start){.history_max = HISTORY_MAX});
}

static void end_with(struct task *t, struct fixture *p, struct llm_message *last)
{
	struct address where = fixture_address(chat);
	struct error err;

	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DONE, &last, 1, NULL, 0, &err), err);
	if (turn.history) {
		llm_history_add(turn.history, last);
		store_turn_keep_history(p->store, &turn, &where, turn.history);
		assert_int_equal(turn.history->count, 0);
	} else {
		llm_message_free(last);
	}
	store_turn_clear(&turn);
}

static void exchange(struct task *t, struct fixture *p, const char *event)
{
	begin(t, p, event);
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
}

/* The message in memory with which the next turn would begin; NULL for none. */
static const struct llm_message *kept(const struct fixture *p)
{
	struct address where = fixture_address(chat);
	struct warm_history warm;
	const struct llm_message *first;

	if (!warm_history_take(&p->store->warm, &where, &warm))
		return NULL;
	first = warm.history.messages[0];
	warm_history_put(&p->store->warm, &where, &warm);
	return first;
}

/* Begins a turn, whose history must be what the store has. Returns whether it is the one that was kept. */
static bool begin_from(struct task *t, struct fixture *p, const char *event)
{
	const struct llm_message *first = kept(p);
	struct llm_history read;
	struct error err;

	begin(t, p, event);
	llm_history_init(&read);
	assert_ok(store_history(t, p->store, turn.session, HISTORY_MAX, &read, &err), err);
	assert_int_equal(turn.history->count, read.count);
	for (size_t i = 0; i < read.count; i++) {
		const struct llm_message *a = turn.history->messages[i], *b = read.messages[i];

		assert_int_equal(a->id, b->id);
		assert_int_equal(a->turn, b->turn);
		assert_int_equal(a->role, b->role);
		assert_int_equal(a->created_ms, b->created_ms);
		assert_string_equal(a->text, b->text);
		assert_string_equal(a->raw ? a->raw : "", b->raw ? b->raw : "");
		assert_int_equal(a->call_count, b->call_count);
	}
	llm_history_clear(&read);
	return first && turn.history->messages[0] == first;
}

static void it_is_used_and_is_what_would_be_read(struct task *t, struct fixture *p)
{
	struct llm_message *last = llm_message_new(LLM_ASSISTANT, "said");

	assert_false(begin_from(t, p, "a"));
	llm_message_set_raw(last, xstrdup("{\"role\":\"assistant\",\"content\":\"said\"}"));
	end_with(t, p, last);
	for (int i = 0; i < 3; i++) {
		char event[] = {(char)('b' + i), '\0'};

		assert_true(begin_from(t, p, event));
		assert_int_equal(turn.history->count, 2 * i + 3);
		end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
	}
}

static void another_limit_reads_it_again(struct task *t, struct fixture *p)
{
	const struct llm_message *first;

	exchange(t, p, "a");
	first = kept(p);
	begin_with(t, p, "b", (struct store_turn_start){.history_max = HISTORY_MAX + 1});
	assert_non_null(first);
	assert_ptr_not_equal(turn.history->messages[0], first);
	store_turn_clear(&turn);
}

static void a_turn_that_was_not_kept_makes_it_old(struct task *t, struct fixture *p)
{
	exchange(t, p, "a");
	begin_with(t, p, "b", (struct store_turn_start){0});
	assert_null(turn.history);
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
	assert_non_null(kept(p));
	assert_false(begin_from(t, p, "c"));
	assert_int_equal(turn.history->count, 5);
	store_turn_clear(&turn);
}

static void undone_is_not_in_it(struct task *t, struct fixture *p)
{
	struct address where = fixture_address(chat);
	struct store_exchange x;
	struct error err;

	exchange(t, p, "a");
	exchange(t, p, "b");
	assert_non_null(kept(p));
	assert_int_equal(store_exchange_last(t, p->store, &where, &x, &err), 1);
	assert_ok(
	    store_exchange_undo(t, p->store, &x, fixture_put(t, p, "/undo", chat, "/undo"), NULL, 0, &err),
	    err);
	store_exchange_clear(&x);
	assert_false(begin_from(t, p, "c"));
	assert_int_equal(turn.history->count, 3);
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
	assert_true(begin_from(t, p, "d"));
	store_turn_clear(&turn);
}

static void what_was_asked_again_is_not_in_it(struct task *t, struct fixture *p)
{
	struct store_turn_start again = {0};
	struct error err;
	int64_t last;

	exchange(t, p, "a");
	begin(t, p, "b");
	again.session = turn.session;
	again.again = turn.id;
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
	begin_with(t, p, "/retry", again);
	last = turn.id;
	/* The new turn is dropped, so that the last message is the one that was kept. */
	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DEAD, NULL, 0, NULL, 0, &err), err);
	store_turn_clear(&turn);
	assert_ok(store_dead_turn_drop(t, p->store, last, &err), err);
	assert_false(begin_from(t, p, "c"));
	assert_int_equal(turn.history->count, 3);
	store_turn_clear(&turn);
}

static void a_summary_replaces_it(struct task *t, struct fixture *p)
{
	struct store_summary summary = {.text = "in short"};
	struct error err;

	exchange(t, p, "a");
	begin(t, p, "b");
	summary.session = turn.session;
	summary.upto = turn.history->messages[1]->id;
	/* In the middle of a turn, which knows nothing of it. */
	assert_ok(store_summary_add(t, p->store, &summary, 0, NULL, 0, &err), err);
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
	assert_null(kept(p));
	assert_false(begin_from(t, p, "c"));
	assert_true(turn.history->messages[0]->summary);
	assert_int_equal(turn.history->count, 4);
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
	assert_true(begin_from(t, p, "d"));
	store_turn_clear(&turn);
}

static void what_is_stored_in_another_form_is_not_kept(struct task *t, struct fixture *p)
{
	struct llm_message *last;

	secret_register("the-secret-word");
	begin(t, p, "a");
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "it is the-secret-word"));
	assert_null(kept(p));
	begin(t, p, "b");
	assert_string_equal(turn.history->messages[1]->text, "it is [redacted]");
	llm_message_set_text(turn.history->messages[1], xstrdup("(left out)"));
	end_with(t, p, llm_message_new(LLM_ASSISTANT, "the answer"));
	assert_null(kept(p));
	begin(t, p, "c");
	last = llm_message_new(LLM_ASSISTANT, "the answer");
	last->images = xcalloc(1, sizeof(*last->images));
	last->image_count = 1;
	end_with(t, p, last);
	assert_null(kept(p));
}

static void a_session_that_has_ended_is_not_the_next_one(struct task *t, struct fixture *p)
{
	struct address where = fixture_address(chat);
	struct error err;
	int64_t session;

	exchange(t, p, "a");
	assert_ok(store_session_renew(t, p->store, &where, 0, NULL, 0, &session, &err), err);
	assert_false(begin_from(t, p, "b"));
	assert_int_equal(turn.history->count, 1);
	store_turn_clear(&turn);
}

/* What was said before the move comes first, and its last message is not the newest one. */
static void chats_that_become_one_have_one_history(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct journal_move move = {.channel = "telegram", .old_chat = "2", .new_chat = "1"};
	struct error err;

	chat = OLD_CHAT;
	exchange(t, p, "a");
	chat = CHAT;
	exchange(t, p, "b");
	assert_ok(j.ops->move_chat(t, j.self, &move, &err), err);
	assert_false(begin_from(t, p, "c"));
	assert_int_equal(turn.history->count, 5);
	store_turn_clear(&turn);
}

static void put_one(struct warm_histories *w, unsigned number, size_t bytes)
{
	struct address where = fixture_address(CHAT);
	struct warm_history warm = {.session = number};
	char *text = xcalloc(1, bytes + 1);

	snprintf(where.chat, sizeof(where.chat), "%u", number);
	memset(text, 'x', bytes);
	llm_history_init(&warm.history);
	llm_history_add(&warm.history, llm_message_new(LLM_USER, text));
	free(text);
	warm_history_put(w, &where, &warm);
	assert_int_equal(warm.history.count, 0);
}

static bool has(struct warm_histories *w, unsigned number)
{
	struct address where = fixture_address(CHAT);
	struct warm_history warm;

	snprintf(where.chat, sizeof(where.chat), "%u", number);
	if (!warm_history_take(w, &where, &warm))
		return false;
	assert_int_equal(warm.session, number);
	llm_history_clear(&warm.history);
	return true;
}

static void the_oldest_make_room(void **state)
{
	struct warm_histories w = {0};

	(void)state;
	warm_histories_init(&w);
	for (unsigned number = 1; number <= 100; number++)
		put_one(&w, number, 100 * 1024);
	assert_true(w.bytes <= 4 * 1024 * 1024);
	assert_false(has(&w, 1));
	assert_true(has(&w, 100));
	assert_false(has(&w, 100));
	put_one(&w, 100, 1024 * 1024);
	assert_false(has(&w, 100));
	assert_true(has(&w, 99));
	warm_histories_clear(&w);
	assert_int_equal(w.bytes, 0);
}

static void nobody_talks_for_ten_minutes(void **state)
{
	struct warm_histories w = {0};

	(void)state;
	clock_fake(INT64_C(1764000000000), 1);
	warm_histories_init(&w);
	put_one(&w, 1, 100);
	clock_advance(6 * 60 * 1000);
	put_one(&w, 2, 100);
	put_one(&w, 3, 100);
	clock_advance(5 * 60 * 1000);
	assert_false(has(&w, 1));
	assert_true(has(&w, 2));
	clock_advance(6 * 60 * 1000);
	assert_int_equal(w.bytes, 0);
	assert_false(clock_timer_running(&w.timer));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(it_is_used_and_is_what_would_be_read),
	    IN_PLACE(another_limit_reads_it_again),
	    IN_PLACE(a_turn_that_was_not_kept_makes_it_old),
	    IN_PLACE(undone_is_not_in_it),
	    IN_PLACE(what_was_asked_again_is_not_in_it),
	    IN_PLACE(a_summary_replaces_it),
	    IN_PLACE(what_is_stored_in_another_form_is_not_kept),
	    IN_PLACE(a_session_that_has_ended_is_not_the_next_one),
	    IN_PLACE(chats_that_become_one_have_one_history),
	    cmocka_unit_test(the_oldest_make_room),
	    cmocka_unit_test(nobody_talks_for_ten_minutes),
	};

	return cmocka_run_group_tests_name("warm history", tests, NULL, NULL);
}
