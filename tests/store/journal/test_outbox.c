#include "store/store_fixture.h"

#include "base/secret/secret.h"
#include "base/time/clock.h"

#include "bus/message.h"

static struct outbound *row_of(struct task *t, struct fixture *p, int64_t id)
{
	struct journal j = store_journal(p->store);
	struct outbound *row;
	struct error err;

	row = j.ops->get_outbound(t, j.self, id, &err);
	if (!row)
		fail_msg("row %lld: %s", (long long)id, err.text);
	return row;
}

static void mark(struct task *t, struct fixture *p, int64_t id, enum outbound_state state)
{
	struct journal j = store_journal(p->store);
	struct outbound *row = row_of(t, p, id);
	struct error err;

	row->state = state;
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	outbound_free(row);
}

static void what_waits_for_its_time_holds_up_nothing(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("slack:C1");
	struct outbound *rows[3];
	struct journal_queue *queues;
	struct error err;

	for (size_t i = 0; i < 3; i++) {
		rows[i] = outbound_new(&to, OUTBOUND_NOTIFICATION, "text");
		rows[i]->not_before_ms = i == 1 ? 0 : clock_wall() + 3600 * 1000;
	}
	rows[2]->attempts = 1; /* tried already: it keeps its fixture */
	assert_ok(j.ops->put_outbound(t, j.self, rows, 3, &err), err);
	assert_string_equal(fixture_queued(t, p, "slack", "C1"), "2 3");
	fixture_reopen(t, p);
	j = store_journal(p->store);
	assert_int_equal(j.ops->pending_queues(t, j.self, &queues, &err), 1);
	free(queues);
	for (size_t i = 0; i < 3; i++)
		outbound_free(rows[i]);
}

static void every_field_comes_back(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("slack:C1/1355517523.000005");
	struct outbound *row = outbound_new(&to, OUTBOUND_NOTIFICATION, "text \xc3\xbc"), *found;
	struct error err;

	row->reply_to = xstrdup("9");
	row->buttons = xstrdup("[]");
	row->key = xstrdup("k");
	row->part = 2;
	row->parts = 3;
	row->turn = 7;
	row->created_ms = 1111;
	assert_ok(j.ops->put_outbound(t, j.self, &row, 1, &err), err);
	row->state = OUTBOUND_SENDING;
	row->attempts = 4;
	row->repeat = true;
	row->not_before_ms = 3333;
	row->platform_id = xstrdup("m1");
	row->reason = xstrdup("because");
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	fixture_reopen(t, p);

	found = row_of(t, p, row->id);
	assert_int_equal(found->kind, OUTBOUND_NOTIFICATION);
	assert_int_equal(found->state, OUTBOUND_SENDING);
	assert_true(address_equal(&found->to, &to));
	assert_string_equal(found->text, "text \xc3\xbc");
	assert_string_equal(found->reply_to, "9");
	assert_string_equal(found->buttons, "[]");
	assert_string_equal(found->key, "k");
	assert_int_equal(found->part, 2);
	assert_int_equal(found->parts, 3);
	assert_int_equal(found->turn, 7);
	assert_int_equal(found->attempts, 4);
	assert_true(found->repeat);
	assert_int_equal(found->not_before_ms, 3333);
	assert_string_equal(found->platform_id, "m1");
	assert_string_equal(found->reason, "because");
	assert_int_equal(found->created_ms, 1111);
	assert_true(found->updated_ms > 1111);
	outbound_free(found);
	outbound_free(row);
}

static void rows_of_one_call_get_ids_in_their_order(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *rows[3];
	struct error err;

	for (size_t i = 0; i < 3; i++)
		rows[i] = outbound_new(&to, OUTBOUND_REPLY, "part");
	assert_ok(j.ops->put_outbound(t, j.self, rows, 3, &err), err);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(rows[i]->id, (int)i + 1);
		assert_true(rows[i]->created_ms > 0);
		outbound_free(rows[i]);
	}
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1 2 3");
}

static void a_known_key_changes_nothing_and_says_what_became_of_it(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *rows[2] =
	    {
		outbound_new(&to, OUTBOUND_REPLY, "again"),
		outbound_new(&to, OUTBOUND_REPLY, "and again"),
	    },
			*found;
	struct error err;

	assert_int_equal(fixture_send(t, p, "telegram:1", "first", "k"), 1);
	mark(t, p, 1, OUTBOUND_SENT);
	rows[0]->key = xstrdup("k");
	rows[1]->key = xstrdup("k");
	assert_ok(j.ops->put_outbound(t, j.self, rows, 2, &err), err);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(rows[i]->id, 1);
		assert_int_equal(rows[i]->state, OUTBOUND_SENT);
		outbound_free(rows[i]);
	}
	found = row_of(t, p, 1);
	assert_string_equal(found->text, "first");
	outbound_free(found);
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "");
}

/* The parts that another text of the same key would have beyond those of the first must not be sent alone. */
static void the_key_of_the_first_part_stands_for_the_whole_text(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *rows[3];
	struct error err;

	assert_int_equal(fixture_send(t, p, "telegram:1", "short", "k"), 1);
	mark(t, p, 1, OUTBOUND_SENT);
	for (int i = 0; i < 3; i++) {
		rows[i] = outbound_new(&to, OUTBOUND_NOTIFICATION, "long");
		rows[i]->part = i + 1;
		rows[i]->parts = 3;
		rows[i]->key = i == 0 ? xstrdup("k") : xasprintf("k/%d", i + 1);
	}
	assert_ok(j.ops->put_outbound(t, j.self, rows, 3, &err), err);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(rows[i]->id, 1);
		assert_int_equal(rows[i]->state, OUTBOUND_SENT);
		outbound_free(rows[i]);
	}
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "");
}

static void one_key_twice_in_one_call_is_one_row(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *rows[3];
	struct error err;

	for (size_t i = 0; i < 3; i++) {
		rows[i] = outbound_new(&to, OUTBOUND_REPLY, "text");
		rows[i]->key = i < 2 ? xstrdup("k") : NULL;
	}
	assert_ok(j.ops->put_outbound(t, j.self, rows, 3, &err), err);
	assert_int_equal(rows[0]->id, rows[1]->id);
	assert_int_not_equal(rows[0]->id, rows[2]->id);
	for (size_t i = 0; i < 3; i++)
		outbound_free(rows[i]);
}

static void a_queue_lists_what_is_not_final(struct task *t, struct fixture *p)
{
	for (int i = 0; i < 5; i++)
		fixture_send(t, p, i == 2 ? "telegram:1/9" : "telegram:1", "text", NULL);
	fixture_send(t, p, "telegram:2", "text", NULL);
	fixture_send(t, p, "slack:1", "text", NULL);
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1 2 3 4 5");
	mark(t, p, 1, OUTBOUND_SENDING);
	mark(t, p, 2, OUTBOUND_SENT);
	mark(t, p, 4, OUTBOUND_UNCERTAIN);
	mark(t, p, 5, OUTBOUND_FAILED);
	fixture_reopen(t, p);
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1 3");
	assert_string_equal(fixture_queued(t, p, "telegram", "2"), "6");
}

static void a_list_begins_after_an_id_and_ends_at_its_limit(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct outbound *found[600];
	struct error err;

	for (int i = 0; i < 450; i++)
		fixture_send(t, p, "telegram:1", "text", NULL);
	assert_int_equal(
	    j.ops->list_outbound(t, j.self, &(struct journal_queue){"telegram", "1"}, 100, found, 600, &err),
	    350);
	for (int i = 0; i < 350; i++) {
		assert_int_equal(found[i]->id, 101 + i);
		outbound_free(found[i]);
	}
	assert_int_equal(
	    j.ops->list_outbound(t, j.self, &(struct journal_queue){"telegram", "1"}, 100, found, 3, &err),
	    3);
	for (int i = 0; i < 3; i++)
		outbound_free(found[i]);
}

static void every_queue_with_rows_to_send_is_found_once(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct journal_queue *queues;
	struct error err;
	char to[32];
	int count;

	assert_int_equal(j.ops->pending_queues(t, j.self, &queues, &err), 0);
	free(queues);
	for (int i = 0; i < 500; i++) {
		snprintf(to, sizeof(to), "%s:%d/%d", i % 2 ? "slack" : "telegram", i / 2 % 210, i);
		fixture_send(t, p, to, "text", NULL);
	}
	mark(t, p, 209, OUTBOUND_SENT);
	count = j.ops->pending_queues(t, j.self, &queues, &err);
	assert_int_equal(count, 419);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < i; k++)
			assert_memory_not_equal(&queues[i], &queues[k], sizeof(queues[i]));
	free(queues);
}

/* Whatever was stored between them. */
static void a_part_finds_the_one_before(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1"), other = fixture_address("telegram:2");
	struct outbound *rows[4], *before;
	struct error err;

	for (int i = 0; i < 4; i++) {
		rows[i] = outbound_new(i == 1 ? &other : &to, OUTBOUND_REPLY, "text");
		rows[i]->part = i > 1 ? i : 1;
		rows[i]->parts = i == 1 ? 1 : 3;
		rows[i]->created_ms = 5;
	}
	assert_ok(j.ops->put_outbound(t, j.self, rows, 4, &err), err);
	for (int i = 2; i < 4; i++) {
		before = j.ops->get_part_before(t, j.self, rows[i], &err);
		assert_non_null(before);
		assert_int_equal(before->id, rows[i == 2 ? 0 : 2]->id);
		assert_int_equal(before->part, rows[i]->part - 1);
		outbound_free(before);
	}
	assert_null(j.ops->get_part_before(t, j.self, rows[0], &err));
	assert_int_equal(err.kind, ERROR_REFUSED);
	for (int i = 0; i < 4; i++)
		outbound_free(rows[i]);
}

static void a_row_that_does_not_exist_is_an_error(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, "text");
	struct error err;

	assert_null(j.ops->get_outbound(t, j.self, 9, &err));
	assert_string_equal(err.text, "there is no outbound message 9");
	assert_int_equal(err.kind, ERROR_REFUSED);
	row->id = 9;
	assert_int_equal(j.ops->mark_outbound(t, j.self, row, &err), -1);
	assert_string_equal(err.text, "there is no outbound message 9");
	outbound_free(row);
}

/* Rows that wait, with one id after the other. Returns the first: that one on SQLite, where none is left out
 * when a commit has to run again. */
static int64_t queued_from(struct task *t, struct fixture *p, const char *chat, int64_t first, int count)
{
	const char *ids = fixture_queued(t, p, "telegram", chat);
	int64_t id = strtoll(ids, NULL, 10);
	struct buf want = BUF_INIT;

	assert_true(p->engine.engine == STORE_POSTGRES || id == first);
	for (int i = 0; i < count; i++)
		buf_addf(&want, "%s%lld", i > 0 ? " " : "", (long long)id + i);
	assert_string_equal(ids, want.data);
	buf_clear(&want);
	return id;
}

/* An answer that may be missing. */
static void owe(struct task *t, struct fixture *p, const char *where)
{
	struct journal j = store_journal(p->store);
	struct outbound *row = row_of(t, p, fixture_send(t, p, where, "missing", NULL));
	struct error err;

	row->state = OUTBOUND_UNCERTAIN;
	row->notice_owed = true;
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	outbound_free(row);
}

static void the_next_reply_comes_with_a_word_of_what_may_be_missing(struct task *t, struct fixture *p)
{
	struct journal_move move = {"telegram", "2", "-2"};
	struct outbound *said;
	struct error err;
	int64_t first;

	owe(t, p, "telegram:1/9");
	owe(t, p, "telegram:2");
	fixture_reopen(t, p);
	struct journal j = store_journal(p->store);
	fixture_send(t, p, "telegram:3", "to another chat", NULL);
	fixture_send(t, p, "telegram:1", "next", NULL);
	first = queued_from(t, p, "1", 4, 2);
	said = row_of(t, p, first);
	assert_string_equal(said->text, JOURNAL_ANSWER_MISSING);
	assert_string_equal(said->to.thread, "9");
	outbound_free(said);
	/* Once. */
	fixture_send(t, p, "telegram:1", "and the next", NULL);
	assert_int_equal(queued_from(t, p, "1", 4, 3), first);
	/* Also after the chat has moved. */
	assert_ok(j.ops->move_chat(t, j.self, &move, &err), err);
	fixture_send(t, p, "telegram:-2", "next", NULL);
	said = row_of(t, p, queued_from(t, p, "-2", 7, 2));
	assert_string_equal(said->text, JOURNAL_ANSWER_MISSING);
	outbound_free(said);
}

/* The conversation of the old chat becomes part of that of the new one. */
static void conversations_are_counted_as_they_come_and_go(struct task *t, struct fixture *p)
{
	const struct journal_move move = {"telegram", "1", "-2"};
	struct journal j = store_journal(p->store);
	struct address where[] = {
	    fixture_address("telegram:1"), fixture_address("telegram:-2"), fixture_address("telegram:3")};
	struct error err;
	int64_t session;

	for (size_t i = 0; i < ARRAY_LEN(where); i++)
		for (int again = 0; again < 2; again++)
			assert_ok(store_session(t, p->store, &where[i], &session, &err), err);
	assert_int_equal(fixture_counts(t, p).sessions, 3);
	assert_ok(store_session_renew(t, p->store, &where[2], 0, NULL, 0, &session, &err), err);
	assert_int_equal(fixture_counts(t, p).sessions, 3);
	assert_ok(j.ops->move_chat(t, j.self, &move, &err), err);
	assert_int_equal(fixture_counts(t, p).sessions, 2);
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM sessions WHERE closed_ms = 0"), 2);
	fixture_open(t, p);
}

static void the_counts_say_what_is_where(struct task *t, struct fixture *p)
{
	struct store_counts counts;

	for (int i = 0; i < 6; i++)
		fixture_send(t, p, "telegram:1", "text", NULL);
	fixture_put(t, p, "a", "telegram:1", "text");
	mark(t, p, 1, OUTBOUND_SENDING);
	mark(t, p, 2, OUTBOUND_SENT);
	mark(t, p, 3, OUTBOUND_UNCERTAIN);
	mark(t, p, 4, OUTBOUND_FAILED);
	mark(t, p, 5, OUTBOUND_FAILED);
	counts = fixture_counts(t, p);
	assert_int_equal(counts.inbox_pending, 1);
	assert_int_equal(counts.outbox_queued, 2);
	assert_int_equal(counts.outbox_uncertain, 1);
	assert_int_equal(counts.outbox_failed, 2);
	assert_int_equal(counts.turns_open, 0);
	assert_int_equal(counts.sessions, 0);
	assert_true(counts.db_bytes > 4096);
	/* It arrived after all, and another one is tried again. */
	mark(t, p, 3, OUTBOUND_SENT);
	mark(t, p, 4, OUTBOUND_QUEUED);
	mark(t, p, 5, OUTBOUND_FAILED);
	counts = fixture_counts(t, p);
	assert_int_equal(counts.outbox_queued, 3);
	assert_int_equal(counts.outbox_uncertain, 0);
	assert_int_equal(counts.outbox_failed, 1);
}

/* Puts a row that is to be sent as soon as it is committed; its state then. */
static enum outbound_state begin(
    struct task *t, struct fixture *p, const char *where, const char *key, int64_t *id)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address(where);
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, "text");
	struct error err;

	row->state = OUTBOUND_SENDING;
	row->attempts = 1;
	row->key = xstrdup(key);
	assert_ok(j.ops->put_outbound(t, j.self, &row, 1, &err), err);
	enum outbound_state state = row->state;
	*id = row->id;
	outbound_free(row);
	row = row_of(t, p, *id);
	assert_int_equal(row->state, state);
	assert_int_equal(row->attempts, state == OUTBOUND_SENDING);
	outbound_free(row);
	return state;
}

static void what_nothing_stands_before_is_committed_as_sending(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *held = outbound_new(&to, OUTBOUND_NOTIFICATION, "text");
	struct error err;
	int64_t id, third, other;
	char queued[64];

	held->not_before_ms = clock_wall() + 3600 * 1000;
	assert_ok(j.ops->put_outbound(t, j.self, &held, 1, &err), err);
	outbound_free(held);
	assert_int_equal(begin(t, p, "telegram:1/9", "a", &id), OUTBOUND_SENDING);
	assert_int_equal(begin(t, p, "telegram:2", NULL, &other), OUTBOUND_SENDING);
	/* The first is not final yet. */
	assert_int_equal(begin(t, p, "telegram:1", NULL, &third), OUTBOUND_QUEUED);
	/* A repeat: what became of the first may be in doubt. */
	assert_int_equal(begin(t, p, "telegram:1", "a", &other), OUTBOUND_SENDING);
	assert_int_equal(other, id);
	mark(t, p, id, OUTBOUND_SENT);
	/* But the third is not. */
	assert_int_equal(begin(t, p, "telegram:1", NULL, &id), OUTBOUND_QUEUED);
	snprintf(queued, sizeof(queued), "%lld %lld", (long long)third, (long long)id);
	fixture_reopen(t, p);
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), queued);
}

static void the_word_of_what_may_be_missing_stands_before_it(struct task *t, struct fixture *p)
{
	struct outbound *said;
	int64_t id;

	owe(t, p, "telegram:1");
	assert_int_equal(begin(t, p, "telegram:1", NULL, &id), OUTBOUND_QUEUED);
	said = row_of(t, p, queued_from(t, p, "1", 2, 2));
	assert_string_equal(said->text, JOURNAL_ANSWER_MISSING);
	outbound_free(said);
}

static void a_notification_leaves_that_word_to_the_next_reply(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *row = outbound_new(&to, OUTBOUND_NOTIFICATION, "notice"), *said;
	struct error err;

	owe(t, p, "telegram:1");
	row->state = OUTBOUND_SENDING;
	row->attempts = 1;
	assert_ok(j.ops->put_outbound(t, j.self, &row, 1, &err), err);
	assert_int_equal(row->state, OUTBOUND_SENDING);
	/* The only one that is not final. */
	assert_int_equal(queued_from(t, p, "1", 2, 1), row->id);
	mark(t, p, row->id, OUTBOUND_SENT);
	outbound_free(row);
	fixture_send(t, p, "telegram:1", "next", NULL);
	said = row_of(t, p, queued_from(t, p, "1", 3, 2));
	assert_string_equal(said->text, JOURNAL_ANSWER_MISSING);
	outbound_free(said);
}

#define AT_ONCE 40

struct put {
	struct fixture *p;
	const char *text;
	char where[24];
	struct outbound *row;
};

static void put_one(struct task *t, void *arg)
{
	struct put *put = arg;
	struct journal j = store_journal(put->p->store);
	struct address to = fixture_address(put->where);
	struct error err;

	put->row = outbound_new(&to, OUTBOUND_REPLY, put->text);
	put->row->state = OUTBOUND_SENDING;
	put->row->attempts = 1;
	assert_ok(j.ops->put_outbound(t, j.self, &put->row, 1, &err), err);
}

/* Of so many that are put at once, to as many chats, one is sent to each chat, and all are stored. */
static void put_at_once(struct task *t, struct fixture *p, size_t chats)
{
	/* PostgreSQL gets those of one commit as arrays, in which each of these would be another. */
	static const char *const texts[] = {"\\a \\\\", "NULL", "", "{b}", "c,d", " \xc3\xa9\n\t'?' "};
	struct put puts[AT_ONCE] = {0};
	unsigned sent[AT_ONCE] = {0};
	struct task_group group;

	task_group_init(&group);
	for (size_t i = 0; i < AT_ONCE; i++) {
		puts[i].p = p;
		puts[i].text = texts[i % ARRAY_LEN(texts)];
		snprintf(puts[i].where, sizeof(puts[i].where), "telegram:%zu", i % chats + 1);
		task_start(&group, "put", put_one, &puts[i]);
	}
	task_group_wait(t, &group, NULL);
	for (size_t i = 0; i < AT_ONCE; i++) {
		struct outbound *row = row_of(t, p, puts[i].row->id);

		assert_string_equal(row->text, puts[i].text);
		assert_string_equal(row->to.chat, puts[i].where + strlen("telegram:"));
		assert_int_equal(row->state, puts[i].row->state);
		sent[i % chats] += row->state == OUTBOUND_SENDING;
		outbound_free(row);
		outbound_free(puts[i].row);
	}
	for (size_t i = 0; i < chats; i++)
		assert_int_equal(sent[i], 1);
}

static void what_comes_at_once_is_stored_as_it_is(struct task *t, struct fixture *p)
{
	put_at_once(t, p, AT_ONCE);
}

static void of_those_that_come_at_once_one_is_sent(struct task *t, struct fixture *p)
{
	put_at_once(t, p, 8);
}

/* It is sent without being read again. */
static void a_row_comes_back_without_secrets(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *row = outbound_new(&to, OUTBOUND_REPLY, "say sk-red-team-1");
	struct error err;

	secret_register("sk-red-team-1");
	assert_ok(j.ops->put_outbound(t, j.self, &row, 1, &err), err);
	secret_forget_all();
	assert_string_equal(row->text, "say [redacted]");
	outbound_free(row);
}

static void when_it_was_tried_is_committed_with_it(struct task *t, struct fixture *p)
{
	int64_t id;

	begin(t, p, "telegram:1", NULL, &id);
	begin(t, p, "telegram:1", NULL, &id);
	fixture_close(t, p);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM outbox WHERE tried_ms > 0"), 1);
	fixture_open(t, p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(every_field_comes_back),
	    IN_PLACE(what_waits_for_its_time_holds_up_nothing),
	    IN_PLACE(rows_of_one_call_get_ids_in_their_order),
	    IN_PLACE(a_known_key_changes_nothing_and_says_what_became_of_it),
	    IN_PLACE(the_key_of_the_first_part_stands_for_the_whole_text),
	    IN_PLACE(one_key_twice_in_one_call_is_one_row),
	    IN_PLACE(a_queue_lists_what_is_not_final),
	    IN_PLACE(a_list_begins_after_an_id_and_ends_at_its_limit),
	    IN_PLACE(every_queue_with_rows_to_send_is_found_once),
	    IN_PLACE(a_part_finds_the_one_before),
	    IN_PLACE(a_row_that_does_not_exist_is_an_error),
	    IN_PLACE(the_next_reply_comes_with_a_word_of_what_may_be_missing),
	    IN_PLACE(what_nothing_stands_before_is_committed_as_sending),
	    IN_PLACE(what_comes_at_once_is_stored_as_it_is),
	    IN_PLACE(of_those_that_come_at_once_one_is_sent),
	    IN_PLACE(the_word_of_what_may_be_missing_stands_before_it),
	    IN_PLACE(a_notification_leaves_that_word_to_the_next_reply),
	    IN_PLACE(a_row_comes_back_without_secrets),
	    IN_PLACE(when_it_was_tried_is_committed_with_it),
	    IN_PLACE(conversations_are_counted_as_they_come_and_go),
	    IN_PLACE(the_counts_say_what_is_where),
	};

	return fixture_run_tests("outbox", tests, ARRAY_LEN(tests));
}
