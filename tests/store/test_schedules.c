/* Reminders as the store keeps them. */
#include "store/store_fixture.h"

#include "store/schedules.h"

static struct store_schedule entry(const char *chat, int64_t next_ms)
{
	struct store_schedule e = {.where = fixture_address(chat),
	    .next_ms = next_ms,
	    .created_ms = 1,
	    .every_ms = 10,
	    .zone = (char *)(uintptr_t) "UTC",
	    .person = (char *)(uintptr_t) "5",
	    .content = (char *)(uintptr_t) "drink"};

	return e;
}

static int64_t add(struct task *t, struct fixture *p, const char *chat, int64_t next_ms)
{
	struct store_schedule e = entry(chat, next_ms);
	const struct store_schedule_step step = {.after = &e, .max_per_chat = 1000};
	struct error err;
	int64_t id;

	assert_ok(store_schedule_commit(t, p->store, &step, &id, &err), err);
	return id;
}

/* The only one of a chat. */
static struct store_schedule *only(struct task *t, struct fixture *p, const char *chat)
{
	struct address where = fixture_address(chat);
	struct store_schedule **list, *found;
	struct error err;

	assert_int_equal(store_schedules(t, p->store, &where, &list, &err), 1);
	found = list[0];
	free(list);
	return found;
}

static void an_entry_is_kept_as_it_was_given(struct task *t, struct fixture *p)
{
	struct store_schedule e = entry("a:1/2", 77), *found;
	const struct store_schedule_step step = {.after = &e, .max_per_chat = 1};
	struct error err;

	e.chat_kind = CHAT_GROUP;
	e.cron = (char *)(uintptr_t) "0 9 * * *";
	e.person_name = (char *)(uintptr_t) "Ann";
	assert_ok(store_schedule_commit(t, p->store, &step, NULL, &err), err);
	fixture_reopen(t, p);
	found = only(t, p, "a:1");
	assert_string_equal(found->where.thread, "2");
	assert_int_equal(found->chat_kind, CHAT_GROUP);
	assert_string_equal(found->cron, "0 9 * * *");
	assert_string_equal(found->person_name, "Ann");
	assert_null(found->chat_title);
	assert_int_equal(found->next_ms, 77);
	store_schedule_free(found);
}

static void a_chat_has_no_more_than_it_may(struct task *t, struct fixture *p)
{
	struct store_schedule e = entry("a:1", 77), other = entry("a:2", 77);
	struct store_schedule_step step = {.after = &e, .max_per_chat = 1};
	struct error err;

	assert_ok(store_schedule_commit(t, p->store, &step, NULL, &err), err);
	assert_int_equal(store_schedule_commit(t, p->store, &step, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMITED);
	step.after = &other;
	assert_ok(store_schedule_commit(t, p->store, &step, NULL, &err), err);
}

static void what_is_due_comes_in_order_by_pages(struct task *t, struct fixture *p)
{
	struct store_schedule **list, *behind = NULL;
	struct error err;
	int64_t next_ms, last = 0;
	int count, all = 0;

	for (int i = 0; i < 100; i++)
		add(t, p, "a:1", 1000 - i / 2);
	add(t, p, "a:1", 2000);
	do {
		count = store_schedules_due(t, p->store, 1000, behind, &list, &next_ms, &err);
		assert_in_range(count, 1, STORE_SCHEDULES_AT_ONCE);
		for (int i = 0; i < count; last = list[i++]->next_ms)
			assert_true(list[i]->next_ms >= last);
		store_schedule_free(behind);
		behind = list[--count];
		store_schedules_free(list, count);
		all += count + 1;
	} while (all < 100);
	assert_int_equal(next_ms, 2000);
	assert_int_equal(store_schedules_due(t, p->store, 1000, behind, &list, &next_ms, &err), 0);
	store_schedule_free(behind);
	free(list);
}

static struct message *due(int number)
{
	struct message *m = fixture_message("x", "a:1", "drink");

	free(m->event_id);
	m->event_id = xasprintf("1:%d", number);
	m->kind = MESSAGE_SCHEDULE;
	return m;
}

static void a_step_and_its_message_are_one_commit_that_happens_once(struct task *t, struct fixture *p)
{
	struct store_schedule *before, *after;
	struct message *m = due(1);
	struct error err;

	add(t, p, "a:1", 10);
	before = only(t, p, "a:1");
	after = store_schedule_copy(before);
	after->next_ms = 20;
	after->fired = 1;
	const struct store_schedule_step step = {.before = before, .after = after, .message = m};
	assert_ok(store_schedule_commit(t, p->store, &step, NULL, &err), err);
	assert_true(m->id > 0);
	assert_int_equal(store_schedule_commit(t, p->store, &step, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	fixture_reopen(t, p);
	assert_string_equal(fixture_pending(t, p, "a:1"), "1");
	store_schedule_free(before);
	before = only(t, p, "a:1");
	assert_int_equal(before->next_ms, 20);
	/* Without the end of what asked for it, nothing happens. */
	const struct store_schedule_step asked = {.before = before, .inbound = 99, .why = "command"};
	assert_int_equal(store_schedule_commit(t, p->store, &asked, NULL, &err), -1);
	store_schedule_free(after);
	after = only(t, p, "a:1");
	store_schedule_free(after);
	store_schedule_free(before);
	message_free(m);
}

static void a_reserved_number_is_nobody_elses(struct task *t, struct fixture *p)
{
	struct error err;
	int64_t first, second;

	assert_ok(store_schedule_reserve(t, p->store, &first, &err), err);
	assert_ok(store_schedule_reserve(t, p->store, &second, &err), err);
	assert_true(second > first);
	assert_true(add(t, p, "a:1", 5) > second);
}

static void reminders_follow_a_chat_that_gets_another_id(struct task *t, struct fixture *p)
{
	const struct journal_move move = {.channel = "a", .old_chat = "1", .new_chat = "-100"};
	struct journal j = store_journal(p->store);
	struct store_schedule *e;
	struct error err;

	add(t, p, "a:1", 5);
	assert_ok(j.ops->move_chat(t, j.self, &move, &err), err);
	e = only(t, p, "a:-100");
	store_schedule_free(e);
}

static void count_change(void *arg)
{
	++*(int *)arg;
}

static void a_change_is_told(struct task *t, struct fixture *p)
{
	int told = 0;

	store_schedules_watch(p->store, count_change, &told);
	add(t, p, "a:1", 5);
	assert_int_equal(told, 1);
	store_schedules_watch(p->store, NULL, NULL);
	add(t, p, "a:1", 5);
	assert_int_equal(told, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(an_entry_is_kept_as_it_was_given),
	    IN_PLACE(a_chat_has_no_more_than_it_may),
	    IN_PLACE(what_is_due_comes_in_order_by_pages),
	    IN_PLACE(a_step_and_its_message_are_one_commit_that_happens_once),
	    IN_PLACE(a_reserved_number_is_nobody_elses),
	    IN_PLACE(reminders_follow_a_chat_that_gets_another_id),
	    IN_PLACE(a_change_is_told),
	};

	return fixture_run_tests("schedules", tests, ARRAY_LEN(tests));
}
