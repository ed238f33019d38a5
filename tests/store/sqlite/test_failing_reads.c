/* Each call of SQLite in each read fails once: the caller is told, and gets nothing. */
#include <json-c/json.h>

#include "lib/sql_tap.h"
#include "llm/image_input.h"
#include "store/budgets.h"
#include "store/chats.h"
#include "store/conversations.h"
#include "store/journal/context.h"
#include "store/scene.h"
#include "store/schedules.h"
#include "store/search.h"
#include "store/turn/find.h"
#include "store/turn/summaries.h"

/* What an output holds before the call. */
static char before_call[1];
#define UNSET ((void *)before_call)

/* --- what stands before */

static int64_t put(struct task *t, struct scene *s, const char *event)
{
	return fixture_put(t, s->p, event, SCENE_CHAT, "a command");
}

static void with_a_history(struct task *t, struct scene *s)
{
	const struct store_usage spent = {.requests = 1, .input = 10};
	const struct store_summary summary = {
	    .session = s->session, .upto = 1, .text = "We said hello.", .spent = &spent};
	struct error err;

	scene_behind_an_exchange(t, s);
	assert_ok(store_summary_add(t, s->p->store, &summary, 0, NULL, 0, &err), err);
}

static void in_a_turn_that_waits(struct task *t, struct scene *s)
{
	struct error err;

	scene_in_a_turn_with_calls(t, s);
	assert_ok(store_turn_preview(t, s->p->store, &s->turn, "p1", &err), err);
	assert_ok(store_turn_wait(t, s->p->store, &s->turn, NULL, 0, &err), err);
}

static void with_rows(struct task *t, struct scene *s)
{
	struct outbound *file = scene_row(s, "file"), *sent;
	struct error err;

	scene_with_a_row(t, s);
	file->file = xcalloc(1, sizeof(*file->file));
	file->file->path = xstrdup("/file");
	assert_ok(s->journal.ops->put_outbound(t, s->journal.self, &file, 1, &err), err);
	outbound_free(file);
	sent = s->journal.ops->get_outbound(t, s->journal.self, 1, &err);
	sent->state = OUTBOUND_SENT;
	sent->platform_id = xstrdup("p9");
	assert_ok(s->journal.ops->mark_outbound(t, s->journal.self, sent, &err), err);
	outbound_free(sent);
}

static void with_a_grant(struct task *t, struct scene *s)
{
	const struct store_grant grant = {
	    .channel = "telegram", .person = scene_text("98"), .role = 2, .by = scene_text("78")};
	const struct store_access_change c = {.why = "a command", .grant = &grant};
	struct error err;

	scene_with_a_stranger(t, s);
	assert_ok(store_access_commit(t, s->p->store, &c, &err), err);
}

static void with_a_schedule(struct task *t, struct scene *s)
{
	const struct store_schedule new = {.where = s->where,
	    .next_ms = 5,
	    .last_ms = 4,
	    .at_ms = 5,
	    .zone = scene_text("UTC"),
	    .person = scene_text("77"),
	    .content = scene_text("drink")};
	const struct store_schedule_step step = {.after = &new, .max_per_chat = 5};
	struct error err;
	int64_t id;

	assert_ok(store_schedule_commit(t, s->p->store, &step, &id, &err), err);
}

static void with_settings(struct task *t, struct scene *s)
{
	const struct store_chat chat = {.where = s->where, .queue = 2};
	const struct store_budget budget = {.account = {STORE_CHAT, "telegram", "1"}, .limits = {1, 2, 3, 4}};
	const struct store_lift lift = {.account = {STORE_CHAT, "telegram", "1"}, .day = 20261122};
	const struct store_budget_change set = {.set = &budget}, lifted = {.lift = &lift};
	struct store *store = s->p->store;
	struct error err;

	assert_ok(store_chat_set_queue(t, store, &chat, put(t, s, "q"), NULL, 0, &err), err);
	assert_ok(store_chat_set_model(t, store, &s->where, "other", put(t, s, "m"), NULL, 0, &err), err);
	assert_ok(
	    store_chat_set_instructions(t, store, &s->where, "Be brief.", put(t, s, "i"), NULL, 0, &err),
	    err);
	assert_ok(store_budget_commit(t, store, &set, put(t, s, "b"), NULL, 0, &err), err);
	assert_ok(store_budget_commit(t, store, &lifted, put(t, s, "l"), NULL, 0, &err), err);
}

static void with_a_journal(struct task *t, struct scene *s)
{
	const struct journal_cursor cursor = {"telegram:123456", "offset", "9"};
	const struct journal_move moved = {"telegram", "5", "-1001"};
	struct error err;
	int64_t id = put(t, s, "context");

	assert_ok(s->journal.ops->put_inbound(t, s->journal.self, NULL, 0, &cursor, &err), err);
	assert_ok(s->journal.ops->move_chat(t, s->journal.self, &moved, &err), err);
	assert_ok(
	    s->journal.ops->finish_inbound(t, s->journal.self, &id, 1, JOURNAL_CONTEXT, NULL, 0, &err), err);
}

/* --- the reads: each says whether its output holds anything */

static void clear_job(struct store_background_job w)
{
	store_background_job_clear(&w);
}

#define FREE_LIST(name, type, item_free)        \
	static void name(type *list, int count) \
	{                                       \
		for (int i = 0; i < count; i++) \
			item_free(list[i]);     \
		free(list);                     \
	}

FREE_LIST(free_strings, char *, free)
FREE_LIST(free_grants, struct store_grant *, store_grant_free)
FREE_LIST(free_pairings, struct store_pairing *, store_pairing_free)
FREE_LIST(free_background_jobs, struct store_background_job, clear_job)

typedef int read_fn(struct task *t, struct scene *s, bool *any, struct error *err);

/* A read whose output is a pointer, found. */
#define READ(name, type, call, release)                                                \
	static int name(struct task *t, struct scene *s, bool *any, struct error *err) \
	{                                                                              \
		struct store *store = s->p->store;                                     \
		struct journal *j = &s->journal;                                       \
		type *found = UNSET;                                                   \
		int rc = (call);                                                       \
                                                                                       \
		(void)store;                                                           \
		(void)j;                                                               \
		*any = found != NULL;                                                  \
		if (rc >= 0)                                                           \
			release;                                                       \
		return rc;                                                             \
	}

/* clang-format off */
READ(pending_addresses, struct address, j->ops->pending_addresses(t, j->self, &found, err), free(found))
READ(list_moves, struct journal_move, j->ops->list_moves(t, j->self, &found, err), free(found))
READ(read_cursor, char, j->ops->read_cursor(t, j->self, "telegram:123456", "offset", &found, err), free(found))
READ(pending_queues, struct journal_queue, j->ops->pending_queues(t, j->self, &found, err), free(found))
READ(trace_inbound, struct json_object, store_trace(t, store, "1", &found, err), json_object_put(found))
READ(trace_turn, struct json_object, store_trace(t, store, "turn:1", &found, err), json_object_put(found))
READ(trace_message, struct json_object, store_trace(t, store, SCENE_CHAT ":5", &found, err), json_object_put(found))
READ(trace_answer, struct json_object, store_trace(t, store, SCENE_CHAT ":p9", &found, err), json_object_put(found))
READ(dead_turns, struct json_object, store_dead_turns(t, store, &found, err), json_object_put(found))
READ(newest_message, struct message, store_newest_message(t, store, &s->where, &found, err), message_free(found))
READ(question_find, struct store_question, store_question_find(t, store, "TOKEN", &found, err), store_question_free(found))
READ(question_of, struct store_question, store_question_of(t, store, 0, NULL, &found, err), store_question_free(found))
READ(question_open, struct store_question, store_question_open(t, store, "ask", 0, &found, err), store_question_free(found))
READ(question_next, struct store_question, store_question_next(t, store, NULL, &found, err), store_question_free(found))
READ(schedules, struct store_schedule *, store_schedules(t, store, &s->where, &found, err), store_schedules_free(found, rc))
READ(schedules_due, struct store_schedule *, store_schedules_due(t, store, 6, NULL, &found, &s->work, err), store_schedules_free(found, rc))
READ(schedules_ahead, struct store_schedule *, store_schedules_ahead(t, store, 3, &found, err), store_schedules_free(found, rc))
READ(search, struct store_search_hit, store_search(t, store, &s->where, "hello", 0, 9, &found, err), store_search_free(found, (size_t)rc))
READ(plan_read, struct store_plan, store_plan_read(t, store, s->plan.id, &found, err), store_plan_free(found))
READ(plan_next, struct store_plan, store_plan_next(t, store, 0, &found, err), store_plan_free(found))
READ(chats, struct store_chat, store_chats(t, store, &found, err), free(found))
READ(chat_model, char, store_chat_model(t, store, &s->where, &found, err), free(found))
READ(chat_instructions, char, store_chat_instructions(t, store, &s->where, &found, err), free(found))
READ(list_files, char *, j->ops->list_files(t, j->self, &found, err), free_strings(found, rc))
READ(grants, struct store_grant *, store_grants(t, store, &found, err), free_grants(found, rc))
READ(pairings, struct store_pairing *, store_pairings(t, store, &found, err), free_pairings(found, rc))
READ(background_jobs, struct store_background_job, store_background_jobs(t, store, &found, err), free_background_jobs(found, rc))
/* clang-format on */

static void free_messages(struct message **list, int count)
{
	for (int i = 0; i < count; i++)
		message_free(list[i]);
}

static int list_inbound(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct message *list[9];
	int rc = s->journal.ops->list_inbound(t, s->journal.self, &s->where, 0, list, 9, err);

	*any = rc > 0;
	free_messages(list, rc);
	return rc;
}

static int list_outbound(struct task *t, struct scene *s, bool *any, struct error *err)
{
	const struct journal_queue queue = {"telegram", "1"};
	struct outbound *list[9];
	int rc = s->journal.ops->list_outbound(t, s->journal.self, &queue, 0, list, 9, err);

	*any = rc > 0;
	for (int i = 0; i < rc; i++)
		outbound_free(list[i]);
	return rc;
}

static int get_outbound(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct outbound *found = s->journal.ops->get_outbound(t, s->journal.self, 1, err);

	*any = found;
	outbound_free(found);
	return found ? 0 : -1;
}

static int get_part_before(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct outbound *first = s->journal.ops->get_outbound(t, s->journal.self, 1, err), *found;

	*any = first;
	if (!first)
		return -1;
	first->id++;
	first->part++;
	found = s->journal.ops->get_part_before(t, s->journal.self, first, err);
	*any = found;
	outbound_free(first);
	outbound_free(found);
	return found ? 0 : -1;
}

static int count(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct store_counts counts = {0};
	int rc = store_count(t, s->p->store, &counts, err);

	*any = counts.db_bytes > 0;
	return rc;
}

static int context(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct store_turn_opening found = {0};
	int rc = fixture_ask_opening(t, s->p, &s->where, &found, err);

	*any = found.context_count > 0;
	store_turn_opening_clear(&found);
	return rc;
}

static int history(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct llm_history h;

	llm_history_init(&h);
	int rc = store_history(t, s->p->store, s->session, 10000, &h, err);
	*any = h.count > 0;
	llm_history_clear(&h);
	return rc;
}

static int usage_total(struct task *t, struct scene *s, bool *any, struct error *err)
{
	const struct store_account chat = {STORE_CHAT, "telegram", "1"};
	const int64_t periods[] = {202611, 0};
	struct store_usage found[2] = {{0}};
	int rc = store_usage_total(t, s->p->store, &chat, periods, 2, found, err);

	*any = found[1].input > 0;
	return rc;
}

static int budgets(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct store_budgets found = {UNSET, UNSET, 1, 1};
	int rc = store_budgets(t, s->p->store, &found, err);

	*any = rc < 0 ? found.set || found.lifts : found.set && found.lifts;
	if (rc >= 0)
		store_budgets_clear(&found);
	return rc;
}

static int conversations(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct store_conversation list[9];
	bool more;
	int rc = store_conversations(t, s->p->store, 0, list, 9, &more, err);

	*any = rc > 0;
	return rc;
}

static int turn_find(struct task *t, struct scene *s, const char *id, bool *any, struct error *err)
{
	struct store_turn_find found = {0};
	int rc = store_turn_find(t, s->p->store, &s->where, id, &found, err);

	*any = found.turn != 0;
	free(found.sender_id);
	return rc;
}

static int turn_of_message(struct task *t, struct scene *s, bool *any, struct error *err)
{
	return turn_find(t, s, "5", any, err);
}

static int turn_of_preview(struct task *t, struct scene *s, bool *any, struct error *err)
{
	return turn_find(t, s, "p1", any, err);
}

static int turn_attempts(struct task *t, struct scene *s, bool *any, struct error *err)
{
	unsigned attempts = 0;
	int rc = store_turn_attempts(t, s->p->store, &s->where, &attempts, NULL, err);

	*any = rc >= 0;
	return rc;
}

static int turns_waiting(struct task *t, struct scene *s, bool *any, struct error *err)
{
	int64_t sessions[9];
	int rc = store_turns_waiting(t, s->p->store, sessions, 9, err);

	*any = rc > 0;
	return rc;
}

static int exchange_last(struct task *t, struct scene *s, bool *any, struct error *err)
{
	struct store_exchange found = {0};
	int rc = store_exchange_last(t, s->p->store, &s->where, &found, err);

	*any = found.user_text;
	store_exchange_clear(&found);
	return rc;
}

#define R(fn)           \
	{               \
#fn, fn \
	}

static const struct {
	void (*before)(struct task *t, struct scene *s);
	struct read {
		const char *name;
		read_fn *fn;
	} reads[9];
} scenes[] = {
    {with_a_journal,
	{R(list_inbound), R(pending_addresses), R(list_moves), R(read_cursor), R(context), R(newest_message),
	    R(count), R(trace_inbound)}},
    {with_rows,
	{R(list_outbound), R(pending_queues), R(list_files), R(get_outbound), R(get_part_before),
	    R(trace_answer)}},
    {with_a_history,
	{R(history), R(exchange_last), R(conversations), R(usage_total), R(search), R(trace_inbound),
	    R(trace_turn), R(trace_message)}},
    {in_a_turn_that_waits,
	{R(pending_addresses), R(turn_of_message), R(turn_of_preview), R(turn_attempts), R(turns_waiting),
	    R(conversations), R(trace_turn)}},
    {scene_behind_a_dead_turn, {R(dead_turns)}},
    {scene_with_a_question, {R(question_find), R(question_of), R(question_open), R(question_next)}},
    {scene_with_a_plan, {R(plan_read), R(plan_next)}},
    {scene_with_work, {R(background_jobs)}},
    {with_a_grant, {R(grants), R(pairings)}},
    {with_a_schedule, {R(schedules), R(schedules_due), R(schedules_ahead)}},
    {with_settings, {R(chats), R(chat_model), R(chat_instructions), R(budgets)}},
};

/* --- */

/* Again and again, with one call of SQLite after the other that fails, until none does. */
static void sweep(struct task *t, struct scene *s, const char *name, read_fn *read)
{
	for (unsigned call = 1;; call++) {
		struct error err = {0};
		bool any;

		assert_true(call < SCENE_CALLS_MAX);
		sql_fail_call(call);
		int rc = read(t, s, &any, &err);
		bool failed = sql_failed();
		sql_fail_call(0);
		if (!failed && rc < 0)
			fail_msg("%s, where nothing fails: %s", name, err.text);
		/* Or there was nothing to read, and what stands below says nothing. */
		if (!failed && (!any || call == 1))
			fail_msg("%s found nothing", name);
		if (!failed)
			return;
		if (rc >= 0)
			fail_msg("%s: call %u failed, and nobody was told", name, call);
		if (err.text[0] == '\0')
			fail_msg("%s: call %u failed without a sentence", name, call);
		if (any)
			fail_msg("%s: call %u failed, and something was read", name, call);
	}
}

static size_t which;

static void sweep_scene(struct task *t, struct fixture *p)
{
	struct scene s = scene_begin(t, p);

	scenes[which].before(t, &s);
	for (size_t i = 0; i < ARRAY_LEN(scenes[which].reads) && scenes[which].reads[i].fn; i++)
		sweep(t, &s, scenes[which].reads[i].name, scenes[which].reads[i].fn);
	scene_end(&s);
}

static void each_failing_call_is_told_and_nothing_is_read(void **state)
{
	struct fixture_body body = {.fn = sweep_scene};
	void *one = &body;

	(void)state;
	for (which = 0; which < ARRAY_LEN(scenes); which++)
		fixture_run(&one);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_failing_call_is_told_and_nothing_is_read),
	};

	return cmocka_run_group_tests_name("failing reads", tests, NULL, NULL);
}
