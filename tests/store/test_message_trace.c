#include "store/store_fixture.h"

#include "base/json/json.h"
#include "bus/message.h"
#include "store/offline.h"
#include "store/store_internal.h"
#include "store/turn/turns.h"

#define CHAT "telegram:1"

static struct json_object *trace(struct task *t, struct fixture *p, const char *what)
{
	struct json_object *o;
	struct error err;

	assert_ok(store_trace(t, p->store, what, &o, &err), err);
	return o;
}

/* The names of the steps, "a, b, c"; good until the next call. */
static const char *steps(struct json_object *o)
{
	static char out[1024];
	struct json_object *list = json_get_array(o, "steps");
	size_t len = 0;

	out[0] = '\0';
	for (size_t i = 0; i < json_object_array_length(list); i++)
		len += (size_t)snprintf(out + len, sizeof(out) - len, "%s%s", i > 0 ? ", " : "",
		    json_get_str(json_object_array_get_idx(list, i), "step"));
	return out;
}

static void expect(struct json_object *o, const char *wanted)
{
	assert_non_null(o);
	assert_string_equal(steps(o), wanted);
	json_object_put(o);
}

static int64_t put(struct task *t, struct fixture *p, const char *event, const char *message_id)
{
	struct message *m = fixture_message(event, CHAT, "hello");
	const struct journal j = store_journal(p->store);
	struct error err;
	int64_t id;

	m->sent_ms = 1000;
	m->received_ms = 2000;
	free(m->message_id);
	m->message_id = xstrdup(message_id);
	assert_ok(j.ops->put_inbound(t, j.self, &m, 1, NULL, &err), err);
	id = m->id;
	message_free(m);
	return id;
}

static struct store_turn begin(struct task *t, struct fixture *p, int64_t id)
{
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	struct message *m = fixture_message("copy", CHAT, "hello");
	struct address where = fixture_address(CHAT);
	struct store_turn turn;
	struct error err;
	int64_t session;

	m->id = id;
	assert_ok(store_session(t, p->store, &where, &session, &err), err);
	assert_ok(
	    store_turn_begin(t, p->store, session, (const struct message *const *)&m, 1, user, &turn, &err),
	    err);
	llm_message_free(user);
	message_free(m);
	return turn;
}

static void call_a_tool(struct task *t, struct fixture *p, const struct store_turn *turn)
{
	struct llm_message *asks = llm_message_new(LLM_ASSISTANT, ""),
			   *result = llm_message_new(LLM_TOOL, "{}");
	const char *id = "c1";
	struct error err;

	llm_message_add_call(asks, id, "read_file", "{}");
	asks->provider = xstrdup("local");
	asks->model = xstrdup("m");
	asks->began_ms = 3000;
	result->call_id = xstrdup(id);
	assert_ok(store_turn_append(t, p->store, turn, &asks, 1, &err), err);
	assert_ok(store_calls_start(t, p->store, turn, &id, 1, &err), err);
	assert_ok(store_turn_append(t, p->store, turn, &result, 1, &err), err);
	llm_message_free(asks);
	llm_message_free(result);
}

static void answer(struct task *t, struct fixture *p, const struct store_turn *turn, const char *platform_id)
{
	struct address where = fixture_address(CHAT);
	struct llm_message *last = llm_message_new(LLM_ASSISTANT, "well");
	struct outbound *row = outbound_new(&where, OUTBOUND_REPLY, "well");
	const struct journal j = store_journal(p->store);
	struct error err;

	row->turn = turn->id;
	row->parts = row->part = 1;
	assert_ok(store_turn_end(t, p->store, turn, STORE_TURN_DONE, &last, 1, &row, 1, &err), err);
	row->state = OUTBOUND_SENDING;
	row->attempts = 1;
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	row->state = OUTBOUND_SENT;
	row->platform_id = xstrdup(platform_id);
	assert_ok(j.ops->mark_outbound(t, j.self, row, &err), err);
	outbound_free(row);
	llm_message_free(last);
}

/* Steps of one millisecond stand in the order in which they are looked up. */
static void expect_whole(struct json_object *o)
{
	static const char *const all[] = {"said", "received", "committed", "turn begun", "model asked",
	    "model answered", "call begun", "call ended", "our words", "turn ended", "done", "to be sent",
	    "sending", "sent"};
	const char *found = steps(o);

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (!strstr(found, all[i]))
			fail_msg("\"%s\" is missing in %s", all[i], found);
	assert_int_equal(json_object_array_length(json_get_array(o, "steps")), ARRAY_LEN(all));
	assert_true(json_get_int(json_object_array_get_idx(json_get_array(o, "steps"), 0), "at_ms", 0) > 0);
	for (size_t i = 1; i < ARRAY_LEN(all); i++)
		assert_true(
		    json_get_int(json_object_array_get_idx(json_get_array(o, "steps"), i - 1), "at_ms", 0) <=
		    json_get_int(json_object_array_get_idx(json_get_array(o, "steps"), i), "at_ms", 0));
	json_object_put(o);
}

static void every_name_of_a_message_leads_to_its_whole_way(struct task *t, struct fixture *p)
{
	int64_t other = put(t, p, "e0", "54"), id = put(t, p, "e1", "55");
	const struct offline_place place = {p->dir, &p->engine};
	struct store_turn turn = begin(t, p, id);
	struct json_object *o;
	struct error err;
	char name[32];

	call_a_tool(t, p, &turn);
	answer(t, p, &turn, "900");
	snprintf(name, sizeof(name), "%lld", (long long)id);
	expect_whole(trace(t, p, name));
	snprintf(name, sizeof(name), "turn:%lld", (long long)turn.id);
	expect_whole(trace(t, p, name));
	expect_whole(trace(t, p, "telegram:1:55"));
	/* The answer's own id, too. */
	expect_whole(trace(t, p, "telegram:1:900"));
	expect_whole(trace(t, p, "900"));
	assert_null(trace(t, p, "telegram:2:55"));
	assert_null(trace(t, p, "slack:1:55"));
	assert_null(trace(t, p, "56"));
	assert_null(trace(t, p, "turn:99"));
	assert_null(trace(t, p, "' OR 1"));
	snprintf(name, sizeof(name), "%lld", (long long)other);
	expect(trace(t, p, name), "said, received, committed, waits");
	store_turn_clear(&turn);
	/* And when nobody runs. A server lets others read meanwhile. */
	if (p->engine.engine == STORE_SQLITE) {
		assert_int_equal(offline_trace(&place, "telegram:1:55", &o, &err), -1);
		assert_non_null(strstr(err.text, "uses the state directory"));
	}
	fixture_close(t, p);
	assert_ok(offline_trace(&place, "telegram:1:55", &o, &err), err);
	expect_whole(o);
	assert_ok(offline_trace(&place, "57", &o, &err), err);
	assert_null(o);
	fixture_open(t, p);
}

static void a_message_among_thousands_is_found_in_slices(struct task *t, struct fixture *p)
{
	int64_t id = put(t, p, "old", "old-1"), last;

	fixture_close(t, p);
	fixture_do(p,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3500) INSERT INTO "
	    "inbox (account, event_id, kind, channel, chat, thread, chat_kind, sender_is_chat, "
	    "sender_is_bot, addressed, sent_ms, received_ms, message_id, text, state) SELECT 'a', i, 0, 'c', "
	    "'d', '', 0, 0, 0, 1, 1, 1, 'm' || i, 'x', 2 FROM n");
	last = fixture_number(p, "SELECT id FROM inbox WHERE message_id = 'm3500'");
	assert_true(p->engine.engine == STORE_POSTGRES || last == id + 3500);
	fixture_open(t, p);
	struct json_object *o = trace(t, p, "old-1");
	assert_int_equal(json_get_int(o, "inbound", 0), id);
	json_object_put(o);
	o = trace(t, p, "m3500");
	assert_int_equal(json_get_int(o, "inbound", 0), last);
	json_object_put(o);
}

#define SLICES_MAX 20

static int count_slices(struct db *db, void *arg, struct error *err)
{
	struct trace *tr = message_trace_new(arg);
	size_t count = 0;
	int rc;

	while ((rc = message_trace_slice(tr, db, err)) > 0 && count < SLICES_MAX)
		count++;
	assert_ok(rc, *err);
	assert_true(count < SLICES_MAX);
	expect(message_trace_result(tr), "said, received, committed, waits");
	message_trace_free(tr);
	return 0;
}

/* As a recovery leaves the ids. */
static void a_gap_of_a_billion_ids_takes_no_time(struct task *t, struct fixture *p)
{
	const struct offline_place place = {p->dir, &p->engine};
	struct error err;

	put(t, p, "e1", "55");
	put(t, p, "e2", "56");
	fixture_send(t, p, CHAT, "hello", NULL);
	fixture_send(t, p, CHAT, "hello", NULL);
	fixture_close(t, p);
	fixture_do(p, "UPDATE inbox SET id = 1790000000 WHERE event_id = 'e2'");
	fixture_do(p, "UPDATE outbox SET id = 1790000000 WHERE id = (SELECT max(id) FROM outbox)");
	assert_ok(offline_read(&place, count_slices, (char[]){"telegram:1:55"}, &err), err);
	fixture_open(t, p);
}

static void a_message_that_needed_no_turn_shows_why_and_its_answer(struct task *t, struct fixture *p)
{
	int64_t id = put(t, p, "e1", "55");
	const struct journal j = store_journal(p->store);
	struct address where = fixture_address(CHAT);
	struct outbound *row = outbound_new(&where, OUTBOUND_REPLY, "I am well");
	char name[32], *text;
	struct error err;

	row->key = xasprintf("inbound:%lld", (long long)id);
	assert_ok(j.ops->finish_inbound(t, j.self, &id, 1, "command", &row, 1, &err), err);
	snprintf(name, sizeof(name), "%lld", (long long)id);
	struct json_object *o = trace(t, p, name);
	text = json_text(o);
	assert_non_null(strstr(text, ": command"));
	free(text);
	assert_non_null(strstr(steps(o), "done"));
	assert_non_null(strstr(steps(o), "to be sent, waits"));
	json_object_put(o);
	outbound_free(row);
}

/* A turn that was given up. */
static int64_t die(struct task *t, struct fixture *p, int64_t id)
{
	struct store_turn turn = begin(t, p, id);
	struct llm_message *last = llm_message_new(LLM_ASSISTANT, "sorry");
	struct error err;
	int64_t dead = turn.id;

	assert_ok(store_turn_end(t, p->store, &turn, STORE_TURN_DEAD, &last, 1, NULL, 0, &err), err);
	llm_message_free(last);
	store_turn_clear(&turn);
	return dead;
}

static size_t dead_count(struct task *t, struct fixture *p)
{
	struct json_object *list;
	struct error err;
	size_t count;

	assert_ok(store_dead_turns(t, p->store, &list, &err), err);
	count = json_object_array_length(list);
	json_object_put(list);
	return count;
}

static void a_dead_letter_can_be_tried_again_or_dropped_once(struct task *t, struct fixture *p)
{
	int64_t first = put(t, p, "e1", "55"), one = die(t, p, first), second = put(t, p, "e2", "56"),
		two = die(t, p, second);
	struct json_object *list;
	struct address where;
	struct error err;
	char wanted[32];
	size_t count;

	assert_ok(store_dead_turns(t, p->store, &list, &err), err);
	assert_int_equal(json_object_array_length(list), 2);
	assert_int_equal(json_get_int(json_object_array_get_idx(list, 1), "turn", 0), one);
	assert_string_equal(json_get_str(json_object_array_get_idx(list, 1), "chat"), CHAT);
	assert_string_equal(json_get_str(json_object_array_get_idx(list, 1), "text"), "hello");
	json_object_put(list);
	assert_ok(store_dead_turn_retry(t, p->store, one, &where, &count, &err), err);
	assert_int_equal(count, 1);
	assert_string_equal(where.chat, "1");
	snprintf(wanted, sizeof(wanted), "%lld", (long long)first);
	assert_string_equal(fixture_pending(t, p, CHAT), wanted);
	assert_int_equal(store_dead_turn_retry(t, p->store, one, &where, &count, &err), -1);
	assert_int_equal(err.kind, ERROR_REFUSED);
	assert_ok(store_dead_turn_drop(t, p->store, two, &err), err);
	assert_int_equal(store_dead_turn_drop(t, p->store, two, &err), -1);
	assert_int_equal(store_dead_turn_drop(t, p->store, 99, &err), -1);
	assert_int_equal(dead_count(t, p), 0);
	assert_int_equal(fixture_counts(t, p).turns_dead, 0);
	assert_string_equal(fixture_pending(t, p, CHAT), wanted);
	fixture_close(t, p);
	/* Nothing of them is told to a model again. */
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM transcript"), 0);
	fixture_open(t, p);
}

static void only_dead_turns_are_dead_letters(struct task *t, struct fixture *p)
{
	int64_t id = put(t, p, "e1", "55");
	struct store_turn turn = begin(t, p, id);
	struct address where;
	struct error err;
	size_t count;

	assert_int_equal(store_dead_turn_drop(t, p->store, turn.id, &err), -1);
	assert_int_equal(store_dead_turn_retry(t, p->store, turn.id, &where, &count, &err), -1);
	assert_int_equal(fixture_counts(t, p).turns_open, 1);
	store_turn_clear(&turn);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(every_name_of_a_message_leads_to_its_whole_way),
	    IN_PLACE(a_message_among_thousands_is_found_in_slices),
	    IN_PLACE(a_gap_of_a_billion_ids_takes_no_time),
	    IN_PLACE(a_message_that_needed_no_turn_shows_why_and_its_answer),
	    IN_PLACE(a_dead_letter_can_be_tried_again_or_dropped_once),
	    IN_PLACE(only_dead_turns_are_dead_letters),
	};

	return fixture_run_tests("trace", tests, ARRAY_LEN(tests));
}
