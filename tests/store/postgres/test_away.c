/* A PostgreSQL server that is away: nothing is accepted, nobody waits but those whose commit is in doubt, and
 * work goes on by itself. */
#include "store/store_fixture.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "bus/message.h"
#include "lib/postgres.h"
#include "lib/postgres_proxy.h"
#include "lib/until.h"
#include "store/cluster.h"
#include "store/db.h"
#include "store/postgres/db_postgres.h"
#include "store/store_internal.h"

#define NOW_MS INT64_C(1790000000000)
/* As in store.c: a trouble that has not come back for this long is over. */
#define CALM_MS 10000

static char *url_through(const char *dir, const char *url)
{
	char *database = postgres_database_of(url), *through = postgres_url(dir, database);

	free(database);
	return through;
}

/* Opens the fixture's store again, behind a proxy. */
static struct postgres_proxy *go_behind_proxy(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = postgres_proxy_new(postgres_server(POSTGRES_FAST), p->dir);
	char *direct = p->engine.url, *through = url_through(p->dir, direct);

	fixture_close(t, p);
	p->engine.url = through;
	fixture_open(t, p);
	p->engine.url = direct;
	free(through);
	/* What the hour brings has commits, too. */
	task_until(t, p->store->queue.open == 0);
	return proxy;
}

static void leave_proxy(struct task *t, struct fixture *p, struct postgres_proxy *proxy)
{
	fixture_close(t, p);
	postgres_proxy_free(proxy);
	fixture_open(t, p);
}

/* Puts one message; several may wait at once. */
struct writer {
	struct fixture *fixture;
	char event[16];
	int64_t id;
	int rc;
	struct error err;
	bool done;
};

static void write_one(struct task *t, void *arg)
{
	struct writer *w = arg;
	struct journal j = store_journal(w->fixture->store);
	struct message *m = fixture_message(w->event, "telegram:1", "hello");

	w->rc = j.ops->put_inbound(t, j.self, &m, 1, NULL, &w->err);
	w->id = m->id;
	w->done = true;
	message_free(m);
}

static struct writer put(struct task *t, struct fixture *p, const char *event)
{
	struct writer w = {.fixture = p};

	str_copy(w.event, sizeof(w.event), event);
	write_one(t, &w);
	return w;
}

static int64_t stored(const struct fixture *p)
{
	return fixture_number(p, "SELECT count(*) FROM inbox");
}

static void while_it_is_away_nothing_is_accepted(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = go_behind_proxy(t, p);
	struct store_counts counts;
	struct writer w;
	struct error err;
	uint64_t began_us;
	int64_t accepted = 1;
	char event[16];

	assert_int_equal(put(t, p, "before").rc, 0);
	for (int round = 0; round < 2; round++) {
		postgres_proxy_refuse(proxy, true);
		began_us = clock_measure_us();
		for (int i = 0; i < 20; i++) {
			snprintf(event, sizeof(event), "%d-%d", round, i);
			w = put(t, p, event);
			assert_int_equal(w.rc, -1);
			assert_int_equal(w.id, 0);
			assert_int_equal(w.err.kind, ERROR_OURS);
			if (!strstr(w.err.text, "nothing was accepted that is not stored"))
				fail_msg("%d-%d: %s", round, i, w.err.text);
			assert_int_equal(store_count(t, p->store, &counts, &err), -1);
		}
		/* Nobody waits for a time limit. */
		assert_true(clock_measure_us() - began_us < 10000000);
		assert_int_equal(stored(p), accepted);
		postgres_proxy_refuse(proxy, false);
		/* What failed is delivered again. */
		task_until(t, put(t, p, "0-0").rc == 0);
		for (int i = 0; i < 20; i++) {
			snprintf(event, sizeof(event), "%d-%d", round, i);
			assert_int_equal(put(t, p, event).rc, 0);
		}
		accepted += 20;
		assert_int_equal(stored(p), accepted);
	}
	assert_non_null(strstr(p->notices.data, "does not answer: nothing is accepted until it does."));
	assert_null(strstr(p->notices.data, "answers again"));
	clock_fake(NOW_MS, 1);
	clock_advance(CALM_MS);
	assert_non_null(strstr(p->notices.data, "answers again"));
	leave_proxy(t, p, proxy);
}

/* Cuts the next commit in that way, and lets nobody connect. */
static void cut_the_commit(struct postgres_proxy *proxy, enum postgres_cut cut)
{
	postgres_proxy_cut(proxy, 1, "COMMIT", cut);
	postgres_proxy_refuse_after_cut(proxy);
}

static void a_commit_in_doubt_waits_until_the_database_tells(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = go_behind_proxy(t, p);
	struct writer doubtful[POSTGRES_CUTS] = {
	    {.event = "before"}, {.event = "middle"}, {.event = "after"}};
	struct task_group group;

	for (int cut = 0; cut < POSTGRES_CUTS; cut++) {
		doubtful[cut].fixture = p;
		cut_the_commit(proxy, (enum postgres_cut)cut);
		task_group_init(&group);
		task_start(&group, "writer", write_one, &doubtful[cut]);
		task_until(t, postgres_proxy_has_cut(proxy));
		/* Others are told at once. */
		for (int i = 0; i < 5; i++) {
			assert_int_equal(put(t, p, "other").rc, -1);
			assert_false(doubtful[cut].done);
		}
		postgres_proxy_refuse(proxy, false);
		assert_int_equal(task_group_wait(t, &group, NULL), 0);
		if (doubtful[cut].rc != 0)
			fail_msg("%s: %s", doubtful[cut].event, doubtful[cut].err.text);
		assert_true(doubtful[cut].id > 0);
		assert_int_equal(stored(p), cut + 1);
		/* It is the row that was confirmed. */
		assert_int_equal(fixture_number(p, "SELECT max(id) FROM inbox"), doubtful[cut].id);
		postgres_proxy_cut(proxy, 0, NULL, POSTGRES_BEFORE);
	}
	leave_proxy(t, p, proxy);
}

static int note_run(struct job *job, struct db *db, struct error *err)
{
	(void)job;
	return db_begin(db, err) == 0 &&
		db_run(db, "INSERT INTO meta (name, value) VALUES ('noted', 1)", DB_NO_ARGS, err) >= 0 &&
		db_commit(db, err) == 0 ?
	    0 :
	    -1;
}

static void note_free(struct job *job)
{
	free(job);
}

/* Whether the idle job's commit happened says nothing of the next write. */
static void an_idle_job_in_doubt_leaves_no_other_in_doubt(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = go_behind_proxy(t, p);
	struct writer w = {.fixture = p, .event = "next"};
	struct task_group group;

	cut_the_commit(proxy, POSTGRES_AFTER);
	job_queue_put(&p->store->queue, job_new(sizeof(struct job), JOB_IDLE, note_run, note_free));
	task_until(t, postgres_proxy_has_cut(proxy) && p->store->queue.open == 0);
	task_group_init(&group);
	task_start(&group, "writer", write_one, &w);
	task_until(t, w.done);
	assert_int_equal(w.rc, -1);
	assert_int_equal(stored(p), 0);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	postgres_proxy_refuse(proxy, false);
	task_until(t, put(t, p, "next").rc == 0);
	assert_int_equal(stored(p), 1);
	leave_proxy(t, p, proxy);
}

static void a_stop_leaves_it_in_doubt(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = go_behind_proxy(t, p);
	struct writer w = {.fixture = p, .event = "a"};
	struct task_group group;

	cut_the_commit(proxy, POSTGRES_AFTER);
	task_group_init(&group);
	task_start(&group, "writer", write_one, &w);
	task_until(t, postgres_proxy_has_cut(proxy));
	assert_int_equal(put(t, p, "other").rc, -1);
	fixture_close(t, p);
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	assert_int_equal(w.rc, -1);
	assert_true(w.err.uncertain);
	postgres_proxy_free(proxy);
	fixture_open(t, p);
	/* As after a kill: the platform delivers it again, and it is known. */
	assert_int_equal(put(t, p, "a").rc, 0);
	assert_int_equal(stored(p), 1);
}

static void another_gateway_that_took_over_is_not_disturbed(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = go_behind_proxy(t, p);
	struct fixture other = {.notices = BUF_INIT, .engine = p->engine};
	struct writer w;

	str_copy(other.dir, sizeof(other.dir), fixture_path(p, "other"));
	assert_int_equal(mkdir(other.dir, 0700), 0);
	assert_int_equal(fixture_try(t, &other, &w.err), -1);
	assert_non_null(strstr(w.err.text, "another gateway uses the database"));
	postgres_proxy_refuse(proxy, true);
	assert_int_equal(put(t, p, "a").rc, -1);
	fixture_open(t, &other);
	assert_int_equal(put(t, &other, "a").rc, 0);
	postgres_proxy_refuse(proxy, false);
	task_until_or(
	    t, strstr((w = put(t, p, "b")).err.text, "another gateway uses the database"), w.err.text);
	assert_int_equal(w.rc, -1);
	assert_int_equal(put(t, &other, "c").rc, 0);
	fixture_close(t, &other);
	task_until(t, put(t, p, "b").rc == 0);
	assert_int_equal(stored(p), 3);
	unlink(fixture_path(p, "other/lock"));
	assert_int_equal(rmdir(other.dir), 0);
	buf_clear(&other.notices);
	leave_proxy(t, p, proxy);
}

static void an_opening_waits_for_a_server_and_not_for_a_refusal(struct task *t, struct fixture *p)
{
	char *direct = p->engine.url, *nowhere = url_through("/nowhere", direct),
	     *missing = postgres_url(postgres_server(POSTGRES_FAST), "there_is_no_such_database");
	struct error err;

	fixture_close(t, p);
	p->engine.url = nowhere;
	assert_int_equal(fixture_try(t, p, &err), -1);
	assert_int_equal(err.kind, ERROR_LIMITED);
	assert_non_null(strstr(err.text, "cannot reach the database"));
	p->engine.url = missing;
	assert_int_equal(fixture_try(t, p, &err), -1);
	assert_int_equal(err.kind, ERROR_OURS);
	assert_non_null(strstr(err.text, "there_is_no_such_database"));
	p->engine.url = direct;
	fixture_open(t, p);
	free(nowhere);
	free(missing);
}

static void ignore_gain(void *arg, const char *unit, uint64_t held_ms)
{
	(void)arg, (void)unit, (void)held_ms;
}

static void ignore_loss(void *arg, const char *why)
{
	(void)arg, (void)why;
}

/* Returns how many requests were cut, each in an opening of its own. */
static unsigned cut_openings(struct task *t, struct fixture *p, struct postgres_proxy *proxy)
{
	unsigned count = 0;
	struct error err;

	for (unsigned how = 0; how < POSTGRES_CUTS; how++) {
		for (unsigned k = 1;; k++) {
			bool opened, has_cut;

			postgres_proxy_cut(proxy, k, NULL, (enum postgres_cut)how);
			opened = fixture_try(t, p, &err) == 0;
			has_cut = postgres_proxy_has_cut(proxy);
			if (!opened && err.kind != ERROR_LIMITED)
				fail_msg("with request %u cut (%u): %s", k, how, err.text);
			postgres_proxy_cut(proxy, 0, NULL, POSTGRES_BEFORE);
			task_until_or(t, opened || (opened = fixture_try(t, p, &err) == 0), err.text);
			assert_null(strstr(p->notices.data ? p->notices.data : "", "does not answer"));
			fixture_close(t, p);
			if (!has_cut)
				break;
			count++;
		}
	}
	return count;
}

static void an_opening_that_is_cut_can_be_tried_again(struct task *t, struct fixture *p)
{
	static const struct cluster_ops ops = {.gained = ignore_gain, .lost = ignore_loss};
	struct cluster_settings settings = {.node = (char *)(uintptr_t) "anna", .lease_ms = 20000};
	struct postgres_proxy *proxy = go_behind_proxy(t, p);
	char *direct = p->engine.url;
	unsigned alone, as_node;

	fixture_close(t, p);
	p->engine.url = url_through(p->dir, direct);
	alone = cut_openings(t, p, proxy);
	p->cluster = &settings;
	p->node_ops = &ops;
	as_node = cut_openings(t, p, proxy);
	print_message("           cut at %u places, and at %u in a cluster\n", alone, as_node);
	assert_true(alone >= POSTGRES_CUTS && as_node > alone);
	p->cluster = NULL;
	p->node_ops = NULL;
	free(p->engine.url);
	p->engine.url = direct;
	postgres_proxy_free(proxy);
	fixture_open(t, p);
}

/* A session that an administrator ends, while nothing happens. */
static void a_connection_that_ended_in_a_quiet_time_is_not_missed(struct task *t, struct fixture *p)
{
	static const char end[] =
	    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = "
	    "current_database() AND pid <> pg_backend_pid()";

	for (int i = 0; i < 3; i++) {
		assert_int_equal(fixture_number(p, end), 1);
		assert_int_equal(fixture_counts(t, p).inbox_pending, i);
		assert_int_equal(fixture_number(p, end), 1);
		fixture_put(t, p, (const char[]){(char)('a' + i), '\0'}, "telegram:1", "hello");
	}
	assert_int_equal(stored(p), 3);
}

/* Writes until it is told to stop, and counts what is confirmed. */
struct stream {
	struct fixture *fixture;
	unsigned writer, next;
	bool confirmed[100000];
	bool stop;
};

static void write_on(struct task *t, void *arg)
{
	struct stream *s = arg;

	while (!s->stop && s->next < ARRAY_LEN(s->confirmed)) {
		char event[16];

		snprintf(event, sizeof(event), "%u-%u", s->writer, s->next);
		if (put(t, s->fixture, event).rc == 0)
			s->confirmed[s->next++] = true;
		else
			task_sleep(t, 20, NULL);
	}
}

static void start_streams(struct task_group *group, struct fixture *p, struct stream *streams[], size_t count)
{
	task_group_init(group);
	for (size_t i = 0; i < count; i++) {
		streams[i] = xcalloc(1, sizeof(*streams[i]));
		streams[i]->fixture = p;
		streams[i]->writer = (unsigned)i;
		task_start(group, "writer", write_on, streams[i]);
	}
}

/* All at once, as after a crash of the server. */
static void a_server_that_crashes_loses_nothing_that_was_confirmed(struct task *t, struct fixture *p)
{
	struct stream *streams[4];
	struct task_group group;
	char dir[] = "/tmp/myna-postgres-XXXXXX", *direct = p->engine.url;
	int64_t confirmed = 0;

	assert_non_null(mkdtemp(dir));
	fixture_close(t, p);
	postgres_start_own(dir);
	p->engine.url = postgres_url(dir, "postgres");
	fixture_open(t, p);
	start_streams(&group, p, streams, ARRAY_LEN(streams));
	for (int i = 0; i < 3; i++) {
		unsigned before = streams[0]->next;

		task_until(t, streams[0]->next > before + 20);
		postgres_crash_own(dir);
		before = streams[0]->next;
		postgres_start_own(dir);
		task_until(t, streams[0]->next > before);
	}
	for (size_t i = 0; i < ARRAY_LEN(streams); i++)
		streams[i]->stop = true;
	assert_int_equal(task_group_wait(t, &group, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(streams); i++) {
		confirmed += streams[i]->next;
		free(streams[i]);
	}
	assert_int_equal(fixture_counts(t, p).inbox_pending, confirmed);
	print_message("           %lld messages, three crashes of the server\n", (long long)confirmed);
	fixture_close(t, p);
	free(p->engine.url);
	p->engine.url = direct;
	postgres_remove_own(dir);
	fixture_open(t, p);
}

/* Waits until the standby of that server has all. */
static void await_standby(const struct fixture *p)
{
	static const char caught_up[] =
	    "SELECT count(*) FROM pg_stat_replication WHERE replay_lsn = pg_current_wal_lsn()";
	struct db db = {0};
	struct error err;
	int64_t is_there = 0;

	assert_ok(db_postgres_open(&db, p->dir, &p->engine, false, &err), err);
	for (int i = 0; i < 6000 && is_there == 0; i++) {
		usleep(10000);
		assert_true(db_number(&db, caught_up, DB_NO_ARGS, &is_there, &err) >= 0);
	}
	assert_int_equal(is_there, 1);
	db_close(&db);
}

/* An asynchronous standby takes over without the last commits. */
static void what_a_server_has_lost_is_told(struct task *t, struct fixture *p)
{
	char primary[] = "/tmp/myna-postgres-XXXXXX", standby[] = "/tmp/myna-postgres-XXXXXX",
	     *direct = p->engine.url;
	struct postgres_proxy *proxy;
	int64_t last;

	assert_non_null(mkdtemp(primary));
	assert_non_null(mkdtemp(standby));
	fixture_close(t, p);
	postgres_start_own(primary);
	postgres_start_standby(standby, primary);
	proxy = postgres_proxy_new(primary, p->dir);
	p->engine.url = postgres_url(p->dir, "postgres");
	fixture_open(t, p);
	assert_int_equal(put(t, p, "there").rc, 0);
	task_until(t, p->store->queue.open == 0);
	await_standby(p);
	postgres_kill_own(standby);
	assert_int_equal(put(t, p, "lost").rc, 0);
	last = put(t, p, "lost, too").id;
	assert_true(last > 0);
	postgres_kill_own(primary);
	postgres_start_own(standby);
	postgres_promote(standby);
	postgres_proxy_move(proxy, standby);
	task_until(t, put(t, p, "after").rc == 0);
	task_until_or(t, strstr(p->notices.data, "has lost 2 commits that were confirmed"), p->notices.data);
	assert_true(put(t, p, "last").id > last);
	assert_int_equal(fixture_counts(t, p).inbox_pending, 3);
	/* The connection to a server that has all is no reason for a word. */
	buf_reset(&p->notices);
	postgres_proxy_move(proxy, standby);
	task_until(t, put(t, p, "again").rc == 0);
	task_until(t, p->store->queue.open == 0);
	assert_null(strstr(p->notices.len > 0 ? p->notices.data : "", "has lost"));
	fixture_close(t, p);
	postgres_proxy_free(proxy);
	free(p->engine.url);
	p->engine.url = direct;
	postgres_remove_own(primary);
	postgres_remove_own(standby);
	fixture_open(t, p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_POSTGRES(a_commit_in_doubt_waits_until_the_database_tells),
	    IN_POSTGRES(an_idle_job_in_doubt_leaves_no_other_in_doubt),
	    IN_POSTGRES(a_stop_leaves_it_in_doubt),
	    IN_POSTGRES(another_gateway_that_took_over_is_not_disturbed),
	    IN_POSTGRES(an_opening_waits_for_a_server_and_not_for_a_refusal),
	    IN_POSTGRES(an_opening_that_is_cut_can_be_tried_again),
	    IN_POSTGRES(a_connection_that_ended_in_a_quiet_time_is_not_missed),
	    IN_POSTGRES(what_a_server_has_lost_is_told),
	    IN_POSTGRES(a_server_that_crashes_loses_nothing_that_was_confirmed),
	    /* Last: time stands still from here on. */
	    IN_POSTGRES(while_it_is_away_nothing_is_accepted),
	};

	return fixture_run_tests("away", tests, ARRAY_LEN(tests));
}
