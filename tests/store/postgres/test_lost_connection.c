/*
 * A connection to PostgreSQL that is cut: before a request reaches the server, while it works on it, and when
 * its answer is lost, at each request of each call that writes. The call succeeds, and what is stored, and
 * what the caller gets, is what an undisturbed call leaves: nothing is lost, and nothing is there twice.
 */
#include "store/scene.h"

#include <unistd.h>

#include "base/time/clock.h"
#include "lib/postgres.h"
#include "lib/postgres_proxy.h"
#include "lib/sample.h"
#include "lib/until.h"
#include "store/db.h"
#include "store/store_internal.h"
#include "store/wrapped_jobs.h"

#define NOW_MS INT64_C(1790000000000)

struct cut {
	unsigned nth;
	const char *holds;
	enum postgres_cut how;
};

/* The store of the fixture, behind a proxy. */
static struct postgres_proxy *open_behind_proxy(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = postgres_proxy_new(postgres_server(POSTGRES_FAST), p->dir);
	char *direct = p->engine.url, *database = postgres_database_of(direct);

	p->engine.url = postgres_url(p->dir, database);
	fixture_open(t, p);
	free(p->engine.url);
	free(database);
	p->engine.url = direct;
	return proxy;
}

/* Makes the write with one request cut; returns what it leaves and tells, malloc'd. */
static char *write_one(struct task *t, struct fixture *p, struct postgres_proxy *proxy,
    const struct scene_write *w, const struct cut *cut, bool *has_cut)
{
	struct scene s;
	struct error err;
	char *rows, *left;

	fixture_empty(p);
	clock_fake(NOW_MS, 1);
	s = scene_begin(t, p);
	if (w->before)
		w->before(t, &s);
	postgres_proxy_cut(proxy, cut->nth, cut->holds, cut->how);
	if (w->write(t, &s, &err) < 0)
		fail_msg("%s, with request %u cut (%d): %s", w->name, cut->nth, cut->how, err.text);
	*has_cut = postgres_proxy_has_cut(proxy);
	postgres_proxy_cut(proxy, 0, NULL, cut->how);
	rows = fixture_contents(p);
	left = xasprintf("told: %s\n%s", s.told.data, rows);
	free(rows);
	scene_end(&s);
	return left;
}

/* Returns false when there was no such request. */
static bool try_cut(struct task *t, struct fixture *p, struct postgres_proxy *proxy,
    const struct scene_write *w, const struct cut *cut, const char *wanted)
{
	bool has_cut;
	char *left = write_one(t, p, proxy, w, cut, &has_cut);

	if (strcmp(left, wanted) != 0)
		fail_msg("%s, with request %u cut (%d), left:\n%s\ninstead of:\n%s", w->name, cut->nth,
		    cut->how, left, wanted);
	free(left);
	return has_cut;
}

/* What each message needs is cut in every way; of the others each request in one, and each commit in every
 * way, which takes half a minute. Without a sample: all. */
static bool is_thorough(const struct scene_write *w)
{
	static const char *const hot[] = {
	    "receive", "start in the chat", "append a result", "start calls", "end", "mark"};

	for (size_t i = 0; i < ARRAY_LEN(hot); i++)
		if (strcmp(w->name, hot[i]) == 0)
			return true;
	return sample_step(1, 2) == 1;
}

/* Cuts one request after the other, until there are no more. Returns how many cuts there were. */
static unsigned sweep(struct task *t, struct fixture *p, struct postgres_proxy *proxy, size_t which)
{
	const struct scene_write *w = &scene_writes[which];
	const struct cut none = {0, NULL, POSTGRES_BEFORE};
	unsigned count = 0;
	bool more = false;
	char *wanted = write_one(t, p, proxy, w, &none, &more);

	for (unsigned how = 0; how < POSTGRES_CUTS; how++) {
		more = true;
		for (unsigned k = 1; more; k++) {
			const struct cut statement = {k, NULL, (enum postgres_cut)how};

			if (!is_thorough(w) && (k + which) % POSTGRES_CUTS != how)
				continue;
			more = try_cut(t, p, proxy, w, &statement, wanted);
			count += more;
		}
		more = true;
		for (unsigned k = 1; more; k++) {
			const struct cut commit = {k, "COMMIT", (enum postgres_cut)how};

			more = try_cut(t, p, proxy, w, &commit, wanted);
			count += more;
		}
	}
	free(wanted);
	assert_true(count > POSTGRES_CUTS);
	return count;
}

static void each_write_is_stored_once_wherever_it_is_cut(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy;
	unsigned cuts = 0;

	fixture_close(t, p);
	proxy = open_behind_proxy(t, p);
	for (size_t i = 0; i < scene_write_count; i++)
		cuts += sweep(t, p, proxy, i);
	print_message("           %zu writes, cut at %u places\n", scene_write_count, cuts);
	fixture_close(t, p);
	postgres_proxy_free(proxy);
	fixture_open(t, p);
}

/* Each waits for the server: on a network that is what a message costs. A turn here begins without what the
 * gateway keeps in memory; the mark first reads its row. */
static void each_step_of_a_message_takes_few_round_trips(struct task *t, struct fixture *p)
{
	static const struct {
		const char *name;
		unsigned most;
	} steps[] = {{"receive", 1}, {"start in the chat", 6}, {"end", 3}, {"mark", 3}};
	struct postgres_proxy *proxy;

	jobs_run_instead(NULL);
	fixture_close(t, p);
	proxy = open_behind_proxy(t, p);
	/* The first time, each takes a block of ids besides. */
	for (size_t i = 0; i < 2 * ARRAY_LEN(steps); i++) {
		const struct scene_write *w = scene_writes;
		const char *name = steps[i % ARRAY_LEN(steps)].name;
		unsigned most = steps[i % ARRAY_LEN(steps)].most + (i < ARRAY_LEN(steps));
		struct scene s;
		struct error err;
		unsigned trips;

		while (strcmp(w->name, name) != 0)
			w++;
		fixture_empty(p);
		s = scene_begin(t, p);
		if (w->before)
			w->before(t, &s);
		postgres_proxy_cut(proxy, 0, NULL, POSTGRES_BEFORE);
		assert_ok(w->write(t, &s, &err), err);
		trips = postgres_proxy_requests(proxy);
		print_message("           %s: %u\n", w->name, trips);
		if (trips > most)
			fail_msg("%s takes %u round trips, more than %u", w->name, trips, most);
		scene_end(&s);
	}
	fixture_close(t, p);
	postgres_proxy_free(proxy);
	fixture_open(t, p);
	jobs_run_instead(jobs_run_with_the_same_ids);
}

#define CHATS 40

/* One of many chats that ask at the same time. */
struct asker {
	struct fixture *fixture;
	struct address where;
	struct message *asked;
	struct store_turn turn;
	struct outbound *answer;
};

static void receive(struct task *t, void *arg)
{
	struct asker *a = arg;
	struct journal j = store_journal(a->fixture->store);
	struct error err;

	assert_ok(j.ops->put_inbound(t, j.self, &a->asked, 1, NULL, &err), err);
}

static void begin(struct task *t, void *arg)
{
	struct asker *a = arg;
	struct llm_message *user = llm_message_new(LLM_USER, "hello");
	const struct store_turn_start start = {.where = &a->where,
	    .context = a->where.thread,
	    .inbound = (const struct message *const *)&a->asked,
	    .inbound_count = 1,
	    .user = user};
	struct store_turn_opening opening = {0};
	struct error err;

	assert_ok(store_turn_start(t, a->fixture->store, &start, &a->turn, &opening, &err), err);
	llm_message_free(user);
}

static void end(struct task *t, void *arg)
{
	struct asker *a = arg;
	struct llm_message *said = llm_message_new(LLM_ASSISTANT, "hello yourself");
	struct error err;

	a->answer = outbound_new(&a->where, OUTBOUND_REPLY, "hello yourself");
	a->answer->key = xasprintf("turn:%lld", (long long)a->turn.id);
	a->answer->part = a->answer->parts = 1;
	a->answer->state = OUTBOUND_SENDING;
	assert_ok(
	    store_turn_end(t, a->fixture->store, &a->turn, STORE_TURN_DONE, &said, 1, &a->answer, 1, &err),
	    err);
	assert_int_equal(a->answer->state, OUTBOUND_SENDING);
	llm_message_free(said);
}

static void mark(struct task *t, void *arg)
{
	struct asker *a = arg;
	struct journal j = store_journal(a->fixture->store);
	struct error err;

	a->answer->state = OUTBOUND_SENT;
	assert_ok(j.ops->mark_outbound(t, j.self, a->answer, &err), err);
}

/* Returns how many round trips it takes to answer so many chats. What a turn needs of earlier ones is in
 * memory.
 */
static unsigned answer(struct task *t, struct fixture *p, struct postgres_proxy *proxy, unsigned count)
{
	void (*const steps[])(struct task * t, void *arg) = {receive, begin, end, mark};
	struct asker askers[CHATS] = {0};
	struct task_group group;
	struct error err;
	static unsigned events;
	char name[24];
	int64_t session;

	for (unsigned i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "telegram:%u", i + 1);
		askers[i].fixture = p;
		askers[i].where = fixture_address(name);
		assert_ok(store_session(t, p->store, &askers[i].where, &session, &err), err);
		askers[i].asked = fixture_message(NULL, name, "hello");
		askers[i].asked->event_id = xasprintf("%u", events++);
	}
	task_until(t, p->store->queue.open == 0);
	postgres_proxy_cut(proxy, 0, NULL, POSTGRES_BEFORE);
	for (size_t k = 0; k < ARRAY_LEN(steps); k++) {
		task_group_init(&group);
		for (size_t i = 0; i < count; i++)
			task_start(&group, "asker", steps[k], &askers[i]);
		assert_int_equal(task_group_wait(t, &group, NULL), 0);
	}
	for (size_t i = 0; i < count; i++) {
		message_free(askers[i].asked);
		outbound_free(askers[i].answer);
		store_turn_clear(&askers[i].turn);
	}
	return postgres_proxy_requests(proxy);
}

static void a_message_takes_few_round_trips_and_many_share_theirs(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy;
	unsigned many, one;

	jobs_run_instead(NULL);
	fixture_close(t, p);
	proxy = open_behind_proxy(t, p);
	/* The first time, blocks of ids are taken. */
	answer(t, p, proxy, CHATS);
	many = answer(t, p, proxy, CHATS);
	one = answer(t, p, proxy, 1);
	print_message(
	    "           %u alone, %.2f for each of %u messages\n", one, many / (double)CHATS, CHATS);
	assert_true(one <= 6 && 10 * many <= 3 * CHATS);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM outbox WHERE state = 2"), 2 * CHATS + 1);
	fixture_close(t, p);
	postgres_proxy_free(proxy);
	fixture_open(t, p);
	jobs_run_instead(jobs_run_with_the_same_ids);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_POSTGRES(each_step_of_a_message_takes_few_round_trips),
	    IN_POSTGRES(a_message_takes_few_round_trips_and_many_share_theirs),
	    IN_POSTGRES(each_write_is_stored_once_wherever_it_is_cut),
	};

	jobs_run_instead(jobs_run_with_the_same_ids);
	return fixture_run_tests("lost connection", tests, ARRAY_LEN(tests));
}
