/* A state that an earlier version wrote (tests/old-state) loses nothing when this one opens it. */
#include "store/store_fixture.h"

#include <sqlite3.h>
#include <time.h>

#include "bus/journal.h"
#include "bus/message.h"
#include "lib/old_state.h"
#include "llm/history.h"
#include "llm/llm.h"
#include "store/background_jobs.h"
#include "store/budgets.h"
#include "store/chats.h"
#include "store/conversations.h"
#include "store/grants.h"
#include "store/plans.h"
#include "store/questions.h"
#include "store/schedules.h"
#include "store/search.h"
#include "store/turn/turns.h"
#include "store/sqlite/upgrade.h"
#include "store/usage.h"

#define ANN    "telegram:77"
#define BOSS   "telegram:78"
#define CY     "telegram:79"
#define CLUB   "telegram:-1000000000400" /* was telegram:-400 */
#define NUMBER "524631109167157655"      /* a private chat of Discord */
#define DM     "discord:524631109167157655"

static void load(const struct fixture *p)
{
	const struct old_state_place here = {.dir = p->dir, .url = "http://127.0.0.1:1"};

	old_state_database(&here, fixture_path(p, "myna.db"));
}

static void open_old(struct task *t, struct fixture *p)
{
	fixture_close(t, p);
	load(p);
	fixture_open(t, p);
	assert_string_equal(p->notices.data, "");
}

/* Every row of the copy is in the database. */
static void a_copy_is_kept_and_each_table_has_its_rows(struct task *t, struct fixture *p)
{
	static const char tables[] =
	    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'said_words_%'";
	char **copies;
	sqlite3 *db;
	sqlite3_stmt *row;
	size_t count = 0;

	open_old(t, p);
	fixture_close(t, p);
	assert_int_equal(upgrade_copies(p->dir, &copies), 1);
	assert_non_null(strstr(copies[0], "myna.db.version-23-"));
	char *attach = xasprintf("ATTACH '%s/%s' AS old", p->dir, copies[0]);
	assert_int_equal(sqlite3_open(fixture_path(p, "myna.db"), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, attach, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, tables, -1, &row, NULL), SQLITE_OK);
	for (; sqlite3_step(row) == SQLITE_ROW; count++) {
		const char *name = (const char *)sqlite3_column_text(row, 0);
		char *sql = xasprintf(
		    "SELECT (SELECT count(*) FROM old.%s) - (SELECT count(*) FROM main.%s)", name, name);
		sqlite3_stmt *lost;
		/* A table of a later version has no rows to lose. */
		if (sqlite3_prepare_v2(db, sql, -1, &lost, NULL) == SQLITE_OK) {
			assert_int_equal(sqlite3_step(lost), SQLITE_ROW);
			if (strcmp(name, "meta") != 0 && sqlite3_column_int(lost, 0) != 0)
				fail_msg("%s lacks %d rows", name, sqlite3_column_int(lost, 0));
		}
		sqlite3_finalize(lost);
		free(sql);
	}
	sqlite3_finalize(row);
	sqlite3_close(db);
	assert_true(count > 20);
	free(attach);
	free(copies[0]);
	free(copies);
	assert_int_equal(fixture_number(p, "PRAGMA user_version") > 23, 1);
	fixture_open(t, p);
}

static void work_that_was_not_done_is_known(struct task *t, struct fixture *p)
{
	static const char *const open[] = {ANN, BOSS, CY, "slack:D0VDGSVOYB2", DM};
	struct address *pending;
	struct store_background_job *jobs;
	struct store_turn turn;
	struct error err;

	open_old(t, p);
	struct journal j = store_journal(p->store);
	struct store_counts counts = fixture_counts(t, p);
	assert_int_equal(counts.inbox_pending, 2);
	assert_int_equal(counts.turns_open, 5);
	assert_int_equal(counts.approvals_open, 2);
	assert_int_equal(counts.outbox_queued, 1);
	assert_int_equal(counts.outbox_uncertain, 1);
	assert_int_equal(counts.outbox_failed, 2);
	assert_int_equal(counts.unclean_stops, 1);
	assert_string_equal(fixture_pending(t, p, CY), "63 64");
	assert_int_equal(j.ops->pending_addresses(t, j.self, &pending, &err), ARRAY_LEN(open));
	free(pending);
	for (size_t i = 0; i < ARRAY_LEN(open); i++) {
		const struct address where = fixture_address(open[i]);
		assert_int_equal(store_turn_resume(t, p->store, &where, &turn, &err), 1);
		/* Waiting for a person does not count. */
		assert_int_equal(turn.attempts, strcmp(open[i], CY) == 0 ? 2 : 1);
		assert_int_equal(turn.inbound_count, 1);
		assert_string_equal(turn.model ? turn.model : "", strcmp(open[i], BOSS) == 0 ? "big" : "");
		/* Two wait for a person's answer, and so their calls have begun. */
		assert_int_equal(turn.unfinished[0] != NULL, i == 0 || i == 4);
		store_turn_clear(&turn);
	}
	assert_int_equal(store_background_jobs(t, p->store, &jobs, &err), 1);
	assert_string_equal(jobs[0].what, "sail far");
	assert_string_equal(jobs[0].where.chat, "79");
	store_background_job_clear(&jobs[0]);
	free(jobs);
}

/* text: what it begins with. */
static void expect_row(
    struct task *t, struct fixture *p, int64_t id, enum outbound_state state, const char *text)
{
	struct journal j = store_journal(p->store);
	struct error err;
	struct outbound *row = j.ops->get_outbound(t, j.self, id, &err);

	assert_non_null(row);
	assert_int_equal(row->state, state);
	assert_memory_equal(row->text, text, strlen(text));
	assert_false(row->notice_owed);
	outbound_free(row);
}

static void deliveries_have_their_states(struct task *t, struct fixture *p)
{
	open_old(t, p);
	expect_row(t, p, 42, OUTBOUND_SENT, "Answer to lambda.");
	expect_row(t, p, 50, OUTBOUND_QUEUED, "Held until morning.");
	expect_row(t, p, 52, OUTBOUND_UNCERTAIN, "May have arrived.");
	expect_row(t, p, 54, OUTBOUND_FAILED, "Not delivered, or not known to be:");
	/* Held: it has a time before which it is in nobody's way. */
	assert_string_equal(fixture_queued(t, p, "telegram", "-1001"), "");
}

static void questions_are_open(struct task *t, struct fixture *p)
{
	static const struct {
		const char *action, *chat, *person, *data;
	} expected[] = {
	    {"pair", "78", "", "CYARHA3D"},
	    {"approval", "78", "", "\"new_text\": \"two\""},
	    {"approval", "D0VDGSVOYB2", "", "\"query\": \"office\""},
	    {"ask", "77", "77", "\"SQLite\""},
	    {"ask", NUMBER, "377", "\"Blue\""},
	};
	struct store_question *q;
	struct error err;
	int64_t after = 0;

	open_old(t, p);
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		if (i > 0 && strcmp(expected[i].action, expected[i - 1].action) != 0)
			after = 0;
		assert_int_equal(store_question_open(t, p->store, expected[i].action, after, &q, &err), 1);
		assert_string_equal(q->where.chat, expected[i].chat);
		assert_string_equal(q->person, expected[i].person);
		assert_non_null(strstr(q->data, expected[i].data));
		assert_true(q->expires_ms > (int64_t)time(NULL) * 1000);
		assert_int_equal(q->call_id != NULL, i > 0);
		after = q->id;
		store_question_free(q);
	}
}

static void people_have_their_roles(struct task *t, struct fixture *p)
{
	static const struct {
		const char *person;
		int64_t role;
	} expected[] = {{"79", 2}, {"80", 1}, {"81", 0}};
	struct store_grant **grants;
	struct store_pairing **pairings;
	struct error err;

	open_old(t, p);
	assert_int_equal(store_grants(t, p->store, &grants, &err), ARRAY_LEN(expected));
	for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
		assert_string_equal(grants[i]->person, expected[i].person);
		assert_int_equal(grants[i]->role, expected[i].role);
		assert_string_equal(grants[i]->by, "telegram:78");
		store_grant_free(grants[i]);
	}
	free(grants);
	assert_int_equal(store_pairings(t, p->store, &pairings, &err), 1);
	assert_string_equal(pairings[0]->code, "CYARHA3D");
	assert_string_equal(pairings[0]->person, "90");
	assert_int_equal(pairings[0]->state, STORE_PAIRING_OPEN);
	store_pairing_free(pairings[0]);
	free(pairings);
}

static void reminders_come_when_they_were_to_come(struct task *t, struct fixture *p)
{
	const struct address ann = fixture_address(ANN);
	const int64_t now = (int64_t)time(NULL) * 1000;
	struct store_schedule **list;
	struct error err;

	open_old(t, p);
	assert_int_equal(store_schedules(t, p->store, &ann, &list, &err), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_false(list[i]->paused);
		assert_true(list[i]->next_ms > now);
		assert_string_equal(list[i]->person, "77");
		if (list[i]->cron) {
			assert_string_equal(list[i]->cron, "30 8 * * mon-fri");
			assert_string_equal(list[i]->zone, "Europe/Berlin");
			assert_string_equal(list[i]->content, "read the log");
		} else if (list[i]->every_ms > 0) {
			assert_int_equal(list[i]->every_ms, 7200000);
			assert_string_equal(list[i]->content, "water the plants");
		} else {
			assert_int_equal(list[i]->next_ms, list[i]->at_ms);
			assert_string_equal(list[i]->content, "ask reminder");
		}
	}
	store_schedules_free(list, 3);
}

static void chats_have_their_settings_and_plans(struct task *t, struct fixture *p)
{
	const struct address boss = fixture_address(BOSS);
	struct store_chat *chats;
	struct store_plan *plan;
	char *text;
	struct error err;

	open_old(t, p);
	assert_int_equal(store_chats(t, p->store, &chats, &err), 2);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(chats[i].queue, strcmp(chats[i].where.chat, "78") == 0 ? 4 : 3);
	free(chats);
	assert_ok(store_chat_model(t, p->store, &boss, &text, &err), err);
	assert_string_equal(text, "big");
	free(text);
	assert_ok(store_chat_instructions(t, p->store, &boss, &text, &err), err);
	assert_string_equal(text, "Answer in rhymes.");
	free(text);
	assert_int_equal(store_plan_read(t, p->store, 1, &plan, &err), 1);
	assert_false(plan->over);
	assert_int_equal(plan->shown, plan->version);
	assert_non_null(strstr(plan->steps, "\"Packing\",\"status\":\"in_progress\""));
	store_plan_free(plan);
}

static void what_was_spent_and_may_be_spent_stands(struct task *t, struct fixture *p)
{
	const struct store_account ann = {STORE_CHAT, "telegram", "77"}, all = {.scope = STORE_ALL};
	const int64_t ever = 0;
	struct store_usage spent;
	struct store_budgets b;
	struct error err;

	open_old(t, p);
	assert_ok(store_usage_total(t, p->store, &ann, &ever, 1, &spent, &err), err);
	assert_int_equal(spent.turns, 14);
	assert_int_equal(spent.input, 137331);
	assert_ok(store_usage_total(t, p->store, &all, &ever, 1, &spent, &err), err);
	assert_int_equal(spent.requests, 47);
	assert_int_equal(spent.output, 663);
	assert_ok(store_budgets(t, p->store, &b, &err), err);
	assert_int_equal(b.set_count, 2);
	assert_int_equal(b.set[0].limits[STORE_TOKENS], 500000);
	assert_string_equal(b.set[0].account.who, "78");
	assert_int_equal(b.set[1].limits[STORE_TURNS], 20);
	assert_int_equal(b.set[1].account.scope, STORE_PERSON);
	assert_int_equal(b.lift_count, 1);
	store_budgets_clear(&b);
}

static bool history_has(const struct llm_history *h, const char *text)
{
	for (size_t i = 0; i < h->count; i++)
		if (strstr(h->messages[i]->text, text))
			return true;
	return false;
}

static void conversations_go_on_where_they_were(struct task *t, struct fixture *p)
{
	const struct address ann = fixture_address(ANN), club = fixture_address(CLUB);
	struct store_conversation list[20];
	struct store_search_hit *hits;
	struct llm_history h;
	struct error err;
	int64_t session;
	bool more;

	open_old(t, p);
	assert_ok(store_session(t, p->store, &ann, &session, &err), err);
	llm_history_init(&h);
	assert_ok(store_history(t, p->store, session, 1 << 20, &h, &err), err);
	assert_true(history_has(&h, "Ann plans the move to Lisbon on Friday."));
	assert_true(history_has(&h, "Held until morning."));
	assert_false(history_has(&h, "ask beta"));  /* summed up */
	assert_false(history_has(&h, "ask delta")); /* undone */
	llm_history_clear(&h);
	/* Said under the chat's former id. */
	assert_ok(store_session(t, p->store, &club, &session, &err), err);
	assert_ok(store_history(t, p->store, session, 1 << 20, &h, &err), err);
	assert_true(history_has(&h, "Answer to iota."));
	assert_true(history_has(&h, "Answer to kappa."));
	llm_history_clear(&h);
	assert_int_equal(store_conversations(t, p->store, 0, list, ARRAY_LEN(list), &more, &err), 11);
	int found = store_search(t, p->store, &ann, "Answer to gamma", 0, 5, &hits, &err);
	assert_true(found > 0);
	assert_non_null(strstr(hits[0].text, "gamma"));
	store_search_free(hits, (size_t)found);
}

static void platforms_go_on_where_they_were(struct task *t, struct fixture *p)
{
	struct journal_move *moves;
	struct error err;
	char *value;

	open_old(t, p);
	struct journal j = store_journal(p->store);
	assert_ok(j.ops->read_cursor(t, j.self, "telegram:4242424242", "offset", &value, &err), err);
	assert_string_equal(value, "870272783");
	free(value);
	assert_ok(j.ops->read_cursor(t, j.self, "discord:123456789012345678", "gateway", &value, &err), err);
	assert_non_null(strstr(value, "\"seq\":7"));
	free(value);
	assert_int_equal(j.ops->list_moves(t, j.self, &moves, &err), 1);
	assert_string_equal(moves[0].old_chat, "-400");
	assert_string_equal(moves[0].new_chat, "-1000000000400");
	free(moves);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_PLACE(a_copy_is_kept_and_each_table_has_its_rows),
	    IN_PLACE(work_that_was_not_done_is_known),
	    IN_PLACE(deliveries_have_their_states),
	    IN_PLACE(questions_are_open),
	    IN_PLACE(people_have_their_roles),
	    IN_PLACE(reminders_come_when_they_were_to_come),
	    IN_PLACE(chats_have_their_settings_and_plans),
	    IN_PLACE(what_was_spent_and_may_be_spent_stands),
	    IN_PLACE(conversations_go_on_where_they_were),
	    IN_PLACE(platforms_go_on_where_they_were),
	};

	return cmocka_run_group_tests_name("upgrade", tests, NULL, NULL);
}
