/*
 * Several nodes on one database, in this process and in others: each unit has one owner, what is lost is
 * taken over, and a node that was taken for dead stores nothing more.
 */
#include "store/store_fixture.h"

#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time/clock.h"
#include "bus/message.h"
#include "lib/postgres.h"
#include "lib/postgres_proxy.h"
#include "lib/until.h"
#include "net/loop.h"
#include "store/cluster.h"
#include "store/db.h"
#include "store/postgres/db_postgres.h"
#include "store/usage.h"

/* Long enough for a busy machine; a node that must lose its lease soon has a short one. */
#define LEASE_MS 20000
#define SHORT_MS 4000
/* So long that a server comes back within half of it. */
#define LONG_MS 120000
#define UNITS   7
/* Commits that a node tries after it has lost its lease. */
#define STALE_TRIES 50
#define LOST_STATUS 7
#define LOST_S      10

extern char **environ;

static const char *const units[UNITS] = {"a", "b", "c", "d", "e", "f", "g"};

struct member {
	struct fixture store; /* first: the argument of the calls */
	struct cluster_settings settings;
	char gained[2 * UNITS + 1]; /* names, in order of arrival */
	size_t count;
	uint64_t held_ms; /* the longest */
	size_t announced; /* how often */
	bool requested[UNITS];
	atomic_bool lost;
	char why[200];
};

static void on_gained(void *arg, const char *unit, uint64_t held_ms)
{
	struct member *m = arg;

	assert_true(m->count < 2 * UNITS);
	m->gained[m->count++] = *unit;
	m->held_ms = held_ms > m->held_ms ? held_ms : m->held_ms;
}

static void on_wanted(void *arg, const char *unit)
{
	struct member *m = arg;

	m->requested[*unit - 'a'] = true;
}

static void on_put(void *arg)
{
	((struct member *)arg)->announced++;
}

static void on_lost(void *arg, const char *why)
{
	struct member *m = arg;

	str_copy(m->why, sizeof(m->why), why);
	atomic_store(&m->lost, true);
}

static const struct cluster_ops member_ops = {
    .gained = on_gained, .requested = on_wanted, .announced = on_put, .lost = on_lost};

static void prepare(struct fixture *p, struct member *m, const char *node, int64_t lease_ms)
{
	*m = (struct member){.store = {.notices = BUF_INIT, .engine = p->engine},
	    .settings = {.node = (char *)(uintptr_t)node, .lease_ms = lease_ms, .max_units = UNITS}};
	m->store.cluster = &m->settings;
	m->store.node_ops = &member_ops;
	str_copy(m->store.dir, sizeof(m->store.dir), fixture_path(p, node));
	mkdir(m->store.dir, 0700);
}

static void join(struct task *t, struct fixture *p, struct member *m, const char *node, int64_t lease_ms)
{
	prepare(p, m, node, lease_ms);
	fixture_open(t, &m->store);
	cluster_serve(m->store.store, units, UNITS);
}

static void forget(struct member *m)
{
	unlink(fixture_path(&m->store, "lock"));
	assert_int_equal(rmdir(m->store.dir), 0);
	buf_clear(&m->store.notices);
}

static void leave(struct task *t, struct member *m)
{
	fixture_close(t, &m->store);
	forget(m);
}

/* Returns its id, or -1. */
static int64_t put(struct task *t, struct fixture *p, const char *event)
{
	struct journal j = store_journal(p->store);
	struct message *m = fixture_message(event, "telegram:1", "hello");
	struct error err;
	int rc = j.ops->put_inbound(t, j.self, &m, 1, NULL, &err);
	int64_t id = rc == 0 ? m->id : -1;

	message_free(m);
	return id;
}

/* A node in a process of its own. */
struct remote {
	struct fixture *fixture;
	const char *node;
	pid_t pid;
};

static struct remote start_remote(struct fixture *p, const char *node, int64_t lease_ms)
{
	struct remote r = {.fixture = p, .node = node};
	char *dir = xstrdup(fixture_path(p, node)), *lease = xasprintf("%lld", (long long)lease_ms);
	const char *argv[] = {"/proc/self/exe", "--node", p->engine.url, dir, node, lease, NULL};

	mkdir(dir, 0700);
	assert_int_equal(
	    posix_spawn(&r.pid, argv[0], NULL, NULL, (char *const *)(uintptr_t)argv, environ), 0);
	free(dir);
	free(lease);
	return r;
}

static int end_remote(struct remote *r, int signo)
{
	char *dir = xstrdup(fixture_path(r->fixture, r->node)), *lock = xasprintf("%s/lock", dir);
	int status;

	if (signo)
		kill(r->pid, signo);
	assert_int_equal(waitpid(r->pid, &status, 0), r->pid);
	unlink(lock);
	assert_int_equal(rmdir(dir), 0);
	free(dir);
	free(lock);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static int64_t owned(const struct fixture *p, const char *node)
{
	char *sql = xasprintf("SELECT count(*) FROM owners WHERE node = '%s'", node);
	int64_t n = fixture_number(p, sql);

	free(sql);
	return n;
}

/* What a remote has stored: it writes all the time. */
static int64_t stored_by(const struct fixture *p, const char *node)
{
	char *sql = xasprintf("SELECT count(*) FROM inbox WHERE event_id LIKE '%s-%%'", node);
	int64_t n = fixture_number(p, sql);

	free(sql);
	return n;
}

/* Also of a server that the fixture has not begun with. */
static int64_t lease_end(const struct fixture *p, const char *which)
{
	char *sql = xasprintf("SELECT %s(until_ms) FROM nodes", which);
	struct db db = {0};
	struct error err;
	int64_t n = 0;

	assert_ok(db_postgres_open(&db, p->dir, &p->engine, false, &err), err);
	assert_ok(db_number(&db, sql, DB_NO_ARGS, &n, &err), err);
	db_close(&db);
	free(sql);
	return n;
}

/* Until each node has looked so many times. Their leases are equally long. */
static void await_looks(struct task *t, const struct fixture *p, int looks)
{
	while (looks-- > 0) {
		int64_t latest = lease_end(p, "max");

		task_until(t, lease_end(p, "min") > latest);
	}
}

/* Until the server runs for a lease: before, nobody is taken for dead. */
static void await_settled(struct task *t, const struct fixture *p)
{
	static const char left[] =
	    "SELECT ceil(extract(epoch FROM pg_postmaster_start_time() - clock_timestamp()) * 1000)";

	task_until(t, fixture_number(p, left) + LEASE_MS < 0);
}

static void write_forever(struct task *t, void *arg)
{
	struct member *m = arg;
	char event[32];
	int tries = 0;

	for (int n = 0; tries < STALE_TRIES; n++) {
		snprintf(event, sizeof(event), "%s-%d", m->settings.node, n);
		put(t, &m->store, event);
		/* What was stored is counted when it is known to be lost. */
		if (atomic_load(&m->lost))
			tries++;
		else
			task_sleep(t, 5, NULL);
	}
	_exit(LOST_STATUS);
}

static void end_late(int signo)
{
	(void)signo;
	_exit(LOST_STATUS);
}

/* A commit whose answer was lost waits for ever: whether it happened cannot be told without the row in
 * writers. */
static void on_remote_lost(void *arg, const char *why)
{
	on_lost(arg, why);
	signal(SIGALRM, end_late);
	alarm(LOST_S);
}

static const struct cluster_ops remote_ops = {.gained = on_gained, .lost = on_remote_lost};

static void run_node(struct task *t, void *arg)
{
	struct member *m = arg;

	fixture_open(t, &m->store);
	cluster_serve(m->store.store, units, UNITS);
	write_forever(t, m);
}

static int node_main(char **argv)
{
	static struct member m;

	m = (struct member){
	    .store = {.notices = BUF_INIT, .engine = {.engine = STORE_POSTGRES, .url = argv[2]}},
	    .settings = {.node = argv[4], .lease_ms = strtoll(argv[5], NULL, 10), .max_units = UNITS}};
	str_copy(m.store.dir, sizeof(m.store.dir), argv[3]);
	m.store.cluster = &m.settings;
	m.store.node_ops = &remote_ops;
	loop_init();
	task_run("node", run_node, &m);
	return 1;
}

static void each_unit_has_one_owner_and_each_node_its_share(struct task *t, struct fixture *p)
{
	struct member a, b;

	fixture_close(t, p);
	prepare(p, &a, "one", LEASE_MS);
	prepare(p, &b, "two", LEASE_MS);
	fixture_open(t, &a.store);
	fixture_open(t, &b.store);
	/* Both are there before one begins: it leaves the other's share, as long as the other may take it. */
	await_looks(t, p, 2);
	cluster_serve(b.store.store, units, UNITS);
	cluster_serve(a.store.store, units, UNITS);
	task_until(t, a.count + b.count == UNITS);
	assert_true(a.count >= 3 && b.count >= 3);
	assert_int_equal(a.held_ms + b.held_ms, 0);
	for (size_t i = 0; i < UNITS; i++)
		assert_true(!strchr(a.gained, *units[i]) != !strchr(b.gained, *units[i]));
	assert_true(put(t, &a.store, "a") > 0);
	assert_true(put(t, &b.store, "b") > 0);
	/* What is given back is nobody's any more: the other one has it at once. */
	leave(t, &a);
	task_until(t, b.count == UNITS);
	assert_int_equal(b.held_ms, 0);
	assert_false(b.lost);
	leave(t, &b);
	fixture_open(t, p);
}

static void a_node_has_no_more_than_it_may(struct task *t, struct fixture *p)
{
	struct member a;

	fixture_close(t, p);
	prepare(p, &a, "one", LEASE_MS);
	a.settings.max_units = 2;
	fixture_open(t, &a.store);
	cluster_serve(a.store.store, units, UNITS);
	task_until(t, a.count == 2);
	await_looks(t, p, 6);
	assert_int_equal(a.count, 2);
	assert_int_equal(owned(p, "one"), 2);
	leave(t, &a);
	fixture_open(t, p);
}

static size_t wanted_of(const struct member *m)
{
	size_t count = 0;

	for (size_t i = 0; i < UNITS; i++)
		count += m->requested[i];
	return count;
}

static void a_unit_goes_to_the_node_that_asks_for_it(struct task *t, struct fixture *p)
{
	struct member a, b;
	struct error err;

	fixture_close(t, p);
	join(t, p, &a, "one", LEASE_MS);
	task_until(t, a.count == UNITS);
	join(t, p, &b, "two", LEASE_MS);
	task_until(t, wanted_of(&a) == UNITS / 2);
	await_looks(t, p, 3);
	assert_int_equal(wanted_of(&a), UNITS / 2);
	assert_int_equal(owned(p, "one"), UNITS);
	for (size_t i = 0; i < UNITS; i++)
		assert_int_equal(cluster_give(t, a.store.store, units[i], &err), a.requested[i]);
	task_until(t, b.count == UNITS / 2);
	await_looks(t, p, 3);
	assert_int_equal(b.held_ms, 0);
	assert_int_equal(owned(p, "one"), UNITS - UNITS / 2);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM owners WHERE wanted <> ''"), 0);
	/* It comes back like any other. */
	leave(t, &b);
	task_until(t, owned(p, "one") == UNITS);
	leave(t, &a);
	fixture_open(t, p);
}

/* It has one unit after the first was given to it, when nobody has more than a third, rounded up. */
static void the_last_of_three_nodes_gets_its_share(struct task *t, struct fixture *p)
{
	struct member a, b, c;
	struct error err;

	fixture_close(t, p);
	join(t, p, &a, "one", LEASE_MS);
	task_until(t, a.count == UNITS);
	join(t, p, &b, "two", LEASE_MS);
	task_until(t, wanted_of(&a) == UNITS / 2);
	for (size_t i = 0; i < UNITS; i++)
		assert_true(cluster_give(t, a.store.store, units[i], &err) >= 0);
	task_until(t, b.count == UNITS / 2);
	join(t, p, &c, "three", LEASE_MS);
	while (c.count < UNITS / 3) {
		for (size_t i = 0; i < UNITS; i++) {
			assert_true(cluster_give(t, a.store.store, units[i], &err) >= 0);
			assert_true(cluster_give(t, b.store.store, units[i], &err) >= 0);
		}
		task_sleep(t, 5, NULL);
	}
	assert_true(owned(p, "one") >= UNITS / 3 && owned(p, "two") >= UNITS / 3);
	leave(t, &c);
	leave(t, &b);
	leave(t, &a);
	fixture_open(t, p);
}

static void what_is_put_for_a_unit_is_told_to_its_owner_alone(struct task *t, struct fixture *p)
{
	struct member a, b;

	fixture_close(t, p);
	join(t, p, &a, "one", LEASE_MS);
	task_until(t, a.count == UNITS);
	join(t, p, &b, "two", LEASE_MS);
	await_looks(t, p, 2);
	for (size_t i = 0; i < 3; i++) {
		cluster_announce(b.store.store, units[i]);
		task_until(t, a.announced > i);
	}
	cluster_announce(b.store.store, "unknown");
	/* Many at once are few. */
	for (size_t i = 0; i < 1000; i++)
		cluster_announce(b.store.store, units[i % UNITS]);
	task_until(t, a.announced > 3);
	await_looks(t, p, 2);
	assert_true(a.announced < 100);
	assert_int_equal(b.announced, 0);
	leave(t, &a);
	leave(t, &b);
	fixture_open(t, p);
}

static int64_t requests_of_all(struct task *t, struct member *m)
{
	static const struct store_account all = {.scope = STORE_ALL};
	struct store_usage found = {0};
	const int64_t ever = 0;
	struct error err;

	assert_ok(store_usage_total(t, m->store.store, &all, &ever, 1, &found, &err), err);
	return found.requests;
}

static void spend(struct task *t, struct member *m, int64_t requests)
{
	const struct store_usage spent = {.requests = requests, .day = 20261127};
	struct error err;

	assert_ok(store_usage_add(t, m->store.store, 0, &spent, &err), err);
}

static void begin_session(struct task *t, struct member *m, const char *chat)
{
	struct address where = fixture_address(chat);
	struct error err;
	int64_t session;

	assert_ok(store_session(t, m->store.store, &where, &session, &err), err);
}

/* It would wait until the other one has committed. */
static void a_node_that_counts_waits_for_no_other_and_all_is_summed(struct task *t, struct fixture *p)
{
	struct member a, b;
	struct db other = {0};
	struct error err;

	fixture_close(t, p);
	join(t, p, &a, "one", LEASE_MS);
	join(t, p, &b, "two", LEASE_MS);
	spend(t, &a, 1);
	spend(t, &b, 2);
	begin_session(t, &a, "telegram:1");
	begin_session(t, &b, "telegram:2");
	assert_ok(db_postgres_open(&other, p->dir, &p->engine, false, &err), err);
	assert_ok(db_script(&other,
		      "BEGIN; SELECT 1 FROM spending WHERE who = 'one' FOR UPDATE;"
		      "SELECT 1 FROM meta WHERE name NOT LIKE '%two' FOR UPDATE",
		      &err),
	    err);
	spend(t, &b, 4);
	begin_session(t, &b, "telegram:3");
	assert_ok(db_script(&other, "COMMIT", &err), err);
	db_close(&other);
	spend(t, &a, 8);
	assert_int_equal(requests_of_all(t, &a), 15);
	assert_int_equal(requests_of_all(t, &b), 15);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM spending WHERE scope = 0"), 2);
	assert_int_equal(fixture_counts(t, &a.store).sessions, 3);
	leave(t, &a);
	leave(t, &b);
	/* A gateway alone goes on from there. */
	fixture_open(t, p);
	a.store.store = p->store;
	spend(t, &a, 16);
	assert_int_equal(requests_of_all(t, &a), 31);
	begin_session(t, &a, "telegram:4");
	assert_int_equal(fixture_counts(t, p).sessions, 4);
}

static void what_a_killed_node_had_is_taken_at_once(struct task *t, struct fixture *p)
{
	struct remote r;
	struct member a;
	uint64_t began;

	fixture_close(t, p);
	await_settled(t, p);
	r = start_remote(p, "far", LEASE_MS);
	task_until(t, owned(p, "far") == UNITS && stored_by(p, "far") > 0);
	join(t, p, &a, "one", LEASE_MS);
	await_looks(t, p, 2);
	assert_int_equal(a.count, 0);
	began = clock_now();
	assert_int_equal(end_remote(&r, SIGKILL), -SIGKILL);
	task_until(t, a.count == UNITS);
	print_message("           taken over after %llu ms\n", (unsigned long long)(clock_now() - began));
	/* Long before its lease ended: what it had begun must be left alone until then. */
	assert_true(a.held_ms > LEASE_MS / 2 && a.held_ms <= LEASE_MS);
	assert_int_equal(owned(p, "one"), UNITS);
	leave(t, &a);
	fixture_open(t, p);
}

/* Each has ids of its own to give: what a chat's next owner stores must stand behind what is there. */
static void what_a_new_owner_stores_comes_after_the_rest(struct task *t, struct fixture *p)
{
	struct member a, b;
	int64_t early, late;

	fixture_close(t, p);
	await_settled(t, p);
	join(t, p, &a, "one", LEASE_MS);
	early = put(t, &a.store, "first");
	join(t, p, &b, "two", LEASE_MS);
	late = put(t, &b.store, "second");
	assert_true(early > 0 && late > early);
	leave(t, &b);
	task_until(t, a.count == UNITS);
	assert_true(put(t, &a.store, "third") > late);
	leave(t, &a);
	fixture_open(t, p);
}

/* It goes on to write after it has awoken. */
static void a_node_that_slept_through_its_lease_stores_nothing_more(struct task *t, struct fixture *p)
{
	struct remote r;
	struct member a;
	int64_t before;

	fixture_close(t, p);
	r = start_remote(p, "far", SHORT_MS);
	task_until(t, owned(p, "far") == UNITS && stored_by(p, "far") > 0);
	join(t, p, &a, "one", LEASE_MS);
	kill(r.pid, SIGSTOP);
	/* When its lease ends, or when the server ends the transaction that it is in. */
	task_until(t, a.count == UNITS);
	assert_true(a.held_ms < SHORT_MS);
	before = stored_by(p, "far");
	kill(r.pid, SIGCONT);
	assert_int_equal(end_remote(&r, 0), LOST_STATUS);
	if (stored_by(p, "far") != before)
		fail_msg("it stored what came after its burial: %lld messages",
		    (long long)(stored_by(p, "far") - before));
	assert_true(put(t, &a.store, "a") > 0);
	leave(t, &a);
	fixture_open(t, p);
}

static void a_node_that_is_cut_off_ends_and_its_units_are_held_back(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy;
	struct member a, b;
	char *direct = p->engine.url, *database = postgres_database_of(direct), *through;
	uint64_t began;

	fixture_close(t, p);
	await_settled(t, p);
	proxy = postgres_proxy_new(postgres_server(POSTGRES_FAST), p->dir);
	through = postgres_url(p->dir, database);
	p->engine.url = through;
	join(t, p, &a, "cut", SHORT_MS);
	p->engine.url = direct;
	task_until(t, a.count == UNITS);
	join(t, p, &b, "one", LEASE_MS);
	assert_true(cluster_may_send(a.store.store));
	began = clock_boot_ms();
	postgres_proxy_refuse(proxy, true);
	task_until(t, atomic_load(&a.lost));
	/* Before its lease ends, as what it has sent cannot be taken back. */
	assert_true(clock_boot_ms() - began < SHORT_MS);
	assert_false(cluster_may_send(a.store.store));
	assert_non_null(strstr(a.why, "half of the lease"));
	task_until(t, b.count == UNITS);
	assert_true(b.held_ms > 0 && b.held_ms <= SHORT_MS);
	postgres_proxy_refuse(proxy, false);
	task_until(t, put(t, &a.store, "stale") < 0 && put(t, &b.store, "b") > 0);
	leave(t, &a);
	assert_int_equal(owned(p, "one"), UNITS);
	assert_int_equal(fixture_number(p, "SELECT count(*) FROM inbox WHERE event_id = 'stale'"), 0);
	assert_false(atomic_load(&b.lost));
	leave(t, &b);
	postgres_proxy_free(proxy);
	free(through);
	free(database);
	fixture_open(t, p);
}

/* Its thread ends before what it uses does. */
static void a_node_leaves_while_its_heartbeat_waits_for_the_server(struct task *t, struct fixture *p)
{
	struct postgres_proxy *proxy = postgres_proxy_new(postgres_server(POSTGRES_FAST), p->dir);
	char *direct = p->engine.url, *database = postgres_database_of(direct);
	struct member a;

	fixture_close(t, p);
	p->engine.url = postgres_url(p->dir, database);
	join(t, p, &a, "one", LONG_MS);
	task_until(t, a.count == UNITS);
	postgres_proxy_freeze(proxy, "UPDATE nodes");
	task_until(t, postgres_proxy_has_frozen(proxy));
	leave(t, &a);
	assert_false(atomic_load(&a.lost));
	postgres_proxy_free(proxy);
	free(p->engine.url);
	free(database);
	p->engine.url = direct;
	fixture_open(t, p);
}

/* Which takes all locks with it. */
static void a_restart_of_the_server_moves_nothing(struct task *t, struct fixture *p)
{
	char dir[] = "/tmp/myna-postgres-XXXXXX", *direct = p->engine.url;
	struct member a, b;
	size_t of_a;

	assert_non_null(mkdtemp(dir));
	fixture_close(t, p);
	postgres_start_own(dir);
	p->engine.url = postgres_url(dir, "postgres");
	join(t, p, &a, "one", LONG_MS);
	join(t, p, &b, "two", LONG_MS);
	task_until(t, a.count + b.count == UNITS);
	of_a = a.count;
	postgres_crash_own(dir);
	assert_int_equal(put(t, &b.store, "away"), -1);
	postgres_start_own(dir);
	task_until(t, put(t, &b.store, "b") > 0);
	task_until(t, put(t, &a.store, "a") > 0);
	await_looks(t, p, 4);
	assert_int_equal(a.count, of_a);
	assert_int_equal(b.count, UNITS - of_a);
	assert_false(atomic_load(&a.lost) || atomic_load(&b.lost));
	leave(t, &a);
	leave(t, &b);
	postgres_remove_own(dir);
	free(p->engine.url);
	p->engine.url = direct;
	fixture_open(t, p);
}

/* It would not notice that before its next job. */
static void a_quiet_node_whose_session_was_ended_stays_one(struct task *t, struct fixture *p)
{
	static const char locks[] =
	    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1836674658 "
	    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
			  end[] = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = "
				  "'advisory' AND classid = "
				  "1836674658 AND database = (SELECT oid FROM pg_database WHERE datname = "
				  "current_database())";
	struct member a, b;

	fixture_close(t, p);
	join(t, p, &a, "one", LEASE_MS);
	join(t, p, &b, "two", LEASE_MS);
	task_until(t, a.count + b.count == UNITS);
	await_looks(t, p, 2);
	for (int i = 0; i < 3; i++) {
		task_until(t, fixture_number(p, locks) == 2);
		assert_int_equal(fixture_number(p, end), 2);
		await_looks(t, p, 5);
		assert_false(atomic_load(&a.lost) || atomic_load(&b.lost));
	}
	assert_int_equal(a.count + b.count, UNITS);
	leave(t, &a);
	leave(t, &b);
	fixture_open(t, p);
}

static void a_second_node_of_a_name_is_refused(struct task *t, struct fixture *p)
{
	struct member a, b;
	struct error err;

	fixture_close(t, p);
	join(t, p, &a, "one", LEASE_MS);
	prepare(p, &b, "one", LEASE_MS);
	str_copy(b.store.dir, sizeof(b.store.dir), fixture_path(p, "other"));
	mkdir(b.store.dir, 0700);
	assert_int_equal(fixture_try(t, &b.store, &err), -1);
	assert_int_equal(err.kind, ERROR_OURS);
	assert_non_null(strstr(err.text, "another node named \"one\" uses the database"));
	assert_non_null(strstr(err.text, "give each node a name of its own"));
	assert_true(put(t, &a.store, "a") > 0);
	assert_false(atomic_load(&a.lost));
	forget(&b);
	leave(t, &a);
	fixture_open(t, p);
}

static void a_gateway_outside_of_the_cluster_is_refused_and_refuses(struct task *t, struct fixture *p)
{
	struct member a, b;
	struct error err;

	prepare(p, &b, "one", LEASE_MS);
	assert_int_equal(fixture_try(t, &b.store, &err), -1);
	assert_non_null(strstr(err.text, "a gateway without the setting cluster uses the database"));
	fixture_close(t, p);
	forget(&b);
	join(t, p, &a, "one", LEASE_MS);
	assert_int_equal(fixture_try(t, p, &err), -1);
	assert_non_null(strstr(err.text, "another gateway uses the database"));
	leave(t, &a);
	fixture_open(t, p);
}

static void a_node_that_starts_again_has_its_units_back(struct task *t, struct fixture *p)
{
	struct remote r;
	struct member a;

	fixture_close(t, p);
	r = start_remote(p, "far", LEASE_MS);
	task_until(t, owned(p, "far") == UNITS);
	assert_int_equal(end_remote(&r, SIGKILL), -SIGKILL);
	join(t, p, &a, "far", LEASE_MS);
	task_until(t, a.count == UNITS);
	/* Its former self may only seem to be dead. */
	assert_true(a.held_ms > LEASE_MS / 2);
	leave(t, &a);
	fixture_open(t, p);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    IN_POSTGRES(each_unit_has_one_owner_and_each_node_its_share),
	    IN_POSTGRES(a_node_has_no_more_than_it_may),
	    IN_POSTGRES(a_unit_goes_to_the_node_that_asks_for_it),
	    IN_POSTGRES(the_last_of_three_nodes_gets_its_share),
	    IN_POSTGRES(what_is_put_for_a_unit_is_told_to_its_owner_alone),
	    IN_POSTGRES(a_node_that_counts_waits_for_no_other_and_all_is_summed),
	    IN_POSTGRES(what_a_killed_node_had_is_taken_at_once),
	    IN_POSTGRES(what_a_new_owner_stores_comes_after_the_rest),
	    IN_POSTGRES(a_node_that_slept_through_its_lease_stores_nothing_more),
	    IN_POSTGRES(a_node_that_is_cut_off_ends_and_its_units_are_held_back),
	    IN_POSTGRES(a_node_leaves_while_its_heartbeat_waits_for_the_server),
	    IN_POSTGRES(a_restart_of_the_server_moves_nothing),
	    IN_POSTGRES(a_quiet_node_whose_session_was_ended_stays_one),
	    IN_POSTGRES(a_second_node_of_a_name_is_refused),
	    IN_POSTGRES(a_gateway_outside_of_the_cluster_is_refused_and_refuses),
	    IN_POSTGRES(a_node_that_starts_again_has_its_units_back),
	};

	if (argc == 6 && strcmp(argv[1], "--node") == 0)
		return node_main(argv);
	return fixture_run_tests("cluster", tests, ARRAY_LEN(tests));
}
