#include "store/store_fixture.h"

#include "base/secret/secret.h"
#include "bus/message.h"
#include "store/db.h"

#define HOUR_MS 3600000

static int put(struct task *t, struct fixture *p, struct message *const *messages, size_t count,
    const struct journal_cursor *cursor)
{
	struct journal j = store_journal(p->store);
	struct error err;
	int rc = j.ops->put_inbound(t, j.self, messages, count, cursor, &err);

	assert_ok(rc, err);
	return rc;
}

static struct message *first_pending(struct task *t, struct fixture *p, const char *from)
{
	struct journal j = store_journal(p->store);
	struct address address = fixture_address(from);
	struct message *found;
	struct error err;

	assert_int_equal(j.ops->list_inbound(t, j.self, &address, 0, &found, 1, &err), 1);
	return found;
}

static void set(char **field, const char *value)
{
	free(*field);
	*field = xstrdup(value);
}

static void every_field_comes_back(struct task *t, struct fixture *p)
{
	struct message *m = fixture_message("ev", "telegram:-100/42", "text \xc3\xbc"), *found;

	m->kind = MESSAGE_EDIT;
	m->chat_kind = CHAT_CHANNEL;
	m->sender_is_chat = m->addressed = m->to_another = m->continues = true;
	m->sent_ms = 1111;
	m->received_ms = 2222;
	set(&m->chat_title, "title");
	set(&m->sender_name, "name");
	set(&m->reply_to, "4");
	set(&m->reply_text, "before");
	set(&m->reply_sender_id, "78");
	set(&m->reply_sender_name, "Bea");
	set(&m->press_id, "4382");
	put(t, p, &m, 1, NULL);
	fixture_reopen(t, p);

	found = first_pending(t, p, "telegram:-100/42");
	assert_int_equal(found->id, m->id);
	assert_string_equal(found->account, "telegram:123456");
	assert_string_equal(found->event_id, "ev");
	assert_int_equal(found->kind, MESSAGE_EDIT);
	assert_true(address_equal(&found->from, &m->from));
	assert_int_equal(found->chat_kind, CHAT_CHANNEL);
	assert_string_equal(found->chat_title, "title");
	assert_string_equal(found->sender_id, "77");
	assert_string_equal(found->sender_name, "name");
	assert_true(found->sender_is_chat);
	assert_true(found->to_another);
	assert_true(found->continues);
	assert_false(found->sender_is_bot);
	assert_string_equal(found->message_id, "5");
	assert_string_equal(found->reply_to, "4");
	assert_string_equal(found->reply_text, "before");
	assert_string_equal(found->reply_sender_id, "78");
	assert_string_equal(found->reply_sender_name, "Bea");
	assert_string_equal(found->press_id, "4382");
	assert_true(found->addressed);
	assert_string_equal(found->text, "text \xc3\xbc");
	assert_int_equal(found->sent_ms, 1111);
	assert_int_equal(found->received_ms, 2222);
	message_free(found);
	message_free(m);
}

static void what_is_not_known_stays_null(struct task *t, struct fixture *p)
{
	struct message *found;

	fixture_put(t, p, "e", "telegram:1", "");
	found = first_pending(t, p, "telegram:1");
	assert_null(found->chat_title);
	assert_null(found->sender_name);
	assert_null(found->reply_to);
	assert_null(found->reply_text);
	assert_null(found->reply_sender_id);
	assert_null(found->reply_sender_name);
	assert_string_equal(found->text, "");
	assert_true(found->received_ms > 0);
	message_free(found);
}

static void a_redelivered_event_is_stored_once(struct task *t, struct fixture *p)
{
	struct message *batch[3] = {
	    fixture_message("a", "telegram:1", "one"),
	    fixture_message("b", "telegram:1", "two"),
	    fixture_message("a", "telegram:1", "one again"),
	};

	batch[2]->id = 99;
	put(t, p, batch, 3, NULL);
	assert_int_equal(batch[0]->id, 1);
	assert_int_equal(batch[1]->id, 2);
	assert_int_equal(batch[2]->id, 0);
	assert_int_equal(fixture_put(t, p, "b", "telegram:1", "two again"), 0);
	fixture_reopen(t, p);
	assert_int_equal(fixture_put(t, p, "a", "telegram:1", "one at last"), 0);
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "1 2");

	set(&batch[2]->account, "telegram:654321");
	put(t, p, &batch[2], 1, NULL);
	assert_true(batch[2]->id > 0);
	for (size_t i = 0; i < 3; i++)
		message_free(batch[i]);
}

static void pending_messages_come_by_address_in_order(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address from = fixture_address("telegram:1");
	struct message *found[2];
	struct error err;

	fixture_put(t, p, "a", "telegram:1", "");
	fixture_put(t, p, "b", "telegram:1/7", "");
	fixture_put(t, p, "c", "telegram:1", "");
	fixture_put(t, p, "d", "slack:1", "");
	fixture_put(t, p, "e", "telegram:1", "");
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "1 3 5");
	assert_string_equal(fixture_pending(t, p, "telegram:1/7"), "2");
	assert_string_equal(fixture_pending(t, p, "telegram:2"), "");
	assert_int_equal(j.ops->list_inbound(t, j.self, &from, 1, found, 2, &err), 2);
	assert_int_equal(found[0]->id, 3);
	assert_int_equal(found[1]->id, 5);
	message_free(found[0]);
	message_free(found[1]);
	assert_int_equal(j.ops->list_inbound(t, j.self, &from, 5, found, 2, &err), 0);
}

static void a_long_list_comes_whole(struct task *t, struct fixture *p)
{
	enum { COUNT = 1234 };
	struct journal j = store_journal(p->store);
	struct address from = fixture_address("telegram:1");
	struct message **batch = xcalloc(COUNT, sizeof(*batch)),
		       **found = xcalloc(COUNT + 10, sizeof(*found));
	struct error err;
	char event[16];

	for (int i = 0; i < COUNT; i++) {
		snprintf(event, sizeof(event), "%d", i);
		batch[i] = fixture_message(event, "telegram:1", event);
	}
	put(t, p, batch, COUNT, NULL);
	assert_int_equal(j.ops->list_inbound(t, j.self, &from, 0, found, COUNT + 10, &err), COUNT);
	for (int i = 0; i < COUNT; i++) {
		assert_int_equal(found[i]->id, batch[i]->id);
		assert_string_equal(found[i]->text, batch[i]->text);
		message_free(found[i]);
	}
	assert_int_equal(j.ops->list_inbound(t, j.self, &from, 0, found, 700, &err), 700);
	for (int i = 0; i < 700; i++)
		message_free(found[i]);
	for (int i = 0; i < COUNT; i++)
		message_free(batch[i]);
	free(batch);
	free(found);
}

static void a_message_that_cannot_be_stored_takes_its_batch_along(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	const struct journal_cursor cursor = {"telegram:123456", "offset", "9"};
	struct message *batch[2] = {
	    fixture_message("a", "telegram:1", ""), fixture_message("b", "telegram:1", "")};
	struct error err;
	char *value;

	free(batch[1]->event_id);
	batch[1]->event_id = NULL;
	assert_int_equal(j.ops->put_inbound(t, j.self, batch, 2, &cursor, &err), -1);
	assert_non_null(strstr(err.text, "event_id"));
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "");
	assert_int_equal(j.ops->read_cursor(t, j.self, "telegram:123456", "offset", &value, &err), 0);
	assert_null(value);
	message_free(batch[0]);
	message_free(batch[1]);
}

static uint64_t claim(struct task *t, struct fixture *p, const char *who, uint64_t gap_ms)
{
	const struct journal_cursor cursor = {"discord:1", "identify 0", who};
	struct journal j = store_journal(p->store);
	struct error err;
	uint64_t wait_ms;

	assert_ok(j.ops->claim(t, j.self, &cursor, gap_ms, &wait_ms, &err), err);
	return wait_ms;
}

static void a_claim_keeps_others_away_for_its_time(struct task *t, struct fixture *p)
{
	assert_int_equal(claim(t, p, "a", HOUR_MS), 0);
	assert_in_range(claim(t, p, "b", HOUR_MS), 1, HOUR_MS);
	/* Whoever has it renews it. */
	assert_int_equal(claim(t, p, "a", HOUR_MS), 0);
	fixture_reopen(t, p);
	assert_in_range(claim(t, p, "b", HOUR_MS), 1, HOUR_MS);
	task_sleep(t, 20, NULL);
	assert_int_equal(claim(t, p, "b", 10), 0);
	assert_in_range(claim(t, p, "a", HOUR_MS), 1, HOUR_MS);
}

static void a_cursor_is_committed_with_its_messages(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct journal_cursor cursor = {"telegram:123456", "offset", "100"};
	struct message *m = fixture_message("a", "telegram:1", "");
	struct error err;
	char *value;

	put(t, p, &m, 1, &cursor);
	cursor.value = "101";
	put(t, p, NULL, 0, &cursor);
	put(t, p, &(struct message *){m}, 1, &(struct journal_cursor){"slack:T1", "offset", "7"});
	fixture_reopen(t, p);
	j = store_journal(p->store);
	assert_int_equal(j.ops->read_cursor(t, j.self, "telegram:123456", "offset", &value, &err), 0);
	assert_string_equal(value, "101");
	free(value);
	assert_int_equal(j.ops->read_cursor(t, j.self, "telegram:123456", "other", &value, &err), 0);
	assert_null(value);
	message_free(m);
}

static void a_finished_message_is_pending_no_more_and_its_answers_wait(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *answer = outbound_new(&to, OUTBOUND_REPLY, "done");
	int64_t ids[] = {1, 2};
	struct error err;

	fixture_put(t, p, "a", "telegram:1", "/new");
	fixture_put(t, p, "b", "telegram:1", "/help");
	fixture_put(t, p, "c", "telegram:1", "hello");
	assert_ok(j.ops->finish_inbound(t, j.self, ids, 2, "command", &answer, 1, &err), err);
	assert_int_equal(answer->id, 1);
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "3");
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "1");
	fixture_close(t, p);
	assert_int_equal(
	    fixture_number(p, "SELECT count(*) FROM inbox WHERE state = 2 AND why = 'command'"), 2);
	fixture_open(t, p);
	outbound_free(answer);
}

static void a_message_is_finished_once(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address to = fixture_address("telegram:1");
	struct outbound *answer = outbound_new(&to, OUTBOUND_REPLY, "done");
	int64_t ids[] = {2, 1};
	struct error err;

	fixture_put(t, p, "a", "telegram:1", "/new");
	fixture_put(t, p, "b", "telegram:1", "/new");
	assert_ok(j.ops->finish_inbound(t, j.self, &ids[1], 1, "command", NULL, 0, &err), err);
	assert_int_equal(j.ops->finish_inbound(t, j.self, ids, 2, "command", &answer, 1, &err), -1);
	assert_non_null(strstr(err.text, "message 1 waits no more"));
	assert_string_equal(fixture_pending(t, p, "telegram:1"), "2");
	assert_string_equal(fixture_queued(t, p, "telegram", "1"), "");
	assert_int_equal(answer->id, 0);
	outbound_free(answer);
}

static void every_address_with_pending_messages_is_found_once(struct task *t, struct fixture *p)
{
	struct journal j = store_journal(p->store);
	struct address *found;
	struct error err;
	char event[16], from[32];
	int count;

	assert_int_equal(j.ops->pending_addresses(t, j.self, &found, &err), 0);
	free(found);
	for (int i = 0; i < 700; i++) {
		snprintf(event, sizeof(event), "%d", i);
		snprintf(
		    from, sizeof(from), "%s:%d%s", i % 2 ? "slack" : "telegram", i / 3, i % 5 ? "" : "/1");
		fixture_put(t, p, event, from, "");
	}
	count = j.ops->pending_addresses(t, j.self, &found, &err);
	assert_ok(count, err);
	for (int i = 1; i < count; i++)
		for (int k = 0; k < i; k++)
			assert_false(address_equal(&found[i], &found[k]));
	free(found);
	fixture_close(t, p);
	assert_int_equal(
	    fixture_number(
		p, "SELECT count(*) FROM (SELECT DISTINCT channel, chat, thread FROM inbox) AS places"),
	    count);
	fixture_open(t, p);
}

static void secrets_do_not_reach_the_disk(struct task *t, struct fixture *p)
{
	struct message *found;
	char command[200], *rows;

	secret_register("CANARY-4711-SECRET");
	fixture_put(t, p, "a", "telegram:1", "my key is CANARY-4711-SECRET, keep it");
	fixture_send(t, p, "telegram:1", "you said CANARY-4711-SECRET", NULL);
	found = first_pending(t, p, "telegram:1");
	assert_string_equal(found->text, "my key is [redacted], keep it");
	message_free(found);
	rows = fixture_contents(p);
	assert_non_null(strstr(rows, "keep it"));
	assert_null(strstr(rows, "CANARY-4711"));
	free(rows);
	fixture_close(t, p);
	snprintf(command, sizeof(command), "grep -q 'keep it' %s/myna.db", p->dir);
	if (p->engine.engine == STORE_SQLITE)
		assert_int_equal(system(command), 0);
	snprintf(command, sizeof(command), "grep -q CANARY-4711 %s/*", p->dir);
	assert_int_not_equal(system(command), 0);
	secret_forget_all();
	fixture_open(t, p);
}

static int64_t put_next(struct task *t, struct fixture *p)
{
	static unsigned events;
	char event[16];

	snprintf(event, sizeof(event), "next %u", events++);
	return fixture_put(t, p, event, "telegram:1", "hello");
}

/* Platforms have been given them. */
static void ids_rise_and_none_is_given_again(struct task *t, struct fixture *p)
{
	int64_t last = 0, id;

	for (int i = 0; i < 3 * DB_BLOCK; i++) {
		id = put_next(t, p);
		assert_true(id > last);
		last = id;
		if (i % DB_BLOCK == DB_BLOCK / 2) {
			fixture_close(t, p);
			fixture_do(p, "DELETE FROM inbox");
			fixture_open(t, p);
		}
	}
	/* Nothing is left out by a clean stop, as far as the program alone decides. */
	fixture_reopen(t, p);
	id = put_next(t, p);
	assert_true(p->engine.engine == STORE_SQLITE ? id == last + 1 : id > last);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(every_field_comes_back),
	    IN_PLACE(what_is_not_known_stays_null),
	    IN_PLACE(a_redelivered_event_is_stored_once),
	    IN_PLACE(pending_messages_come_by_address_in_order),
	    IN_PLACE(a_long_list_comes_whole),
	    IN_PLACE(a_message_that_cannot_be_stored_takes_its_batch_along),
	    IN_PLACE(a_claim_keeps_others_away_for_its_time),
	    IN_PLACE(a_cursor_is_committed_with_its_messages),
	    IN_PLACE(a_finished_message_is_pending_no_more_and_its_answers_wait),
	    IN_PLACE(a_message_is_finished_once),
	    IN_PLACE(every_address_with_pending_messages_is_found_once),
	    IN_PLACE(secrets_do_not_reach_the_disk),
	    IN_PLACE(ids_rise_and_none_is_given_again),
	};

	return fixture_run_tests("inbox", tests, ARRAY_LEN(tests));
}
