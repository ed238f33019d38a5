/*
 * The life of a node: a thread with a connection of its own, so that neither a long statement of the store
 * nor a loop that hangs stops the heartbeats, and so that it can end a process whose loop hangs.
 *
 * Several times in half of a lease it sends a heartbeat, frees the units of dead nodes, and takes or requests
 * its share of units. A node is dead when its lease has ended, or when its connection's lock is gone at
 * successive heartbeats of this node and it sent none between them. Both count only after all live nodes have
 * had a lease's time to come back: after a start of the server, and after a loss of this thread's own
 * connection, which may mean a failover to another server.
 */
#include "store/cluster.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/list.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "base/wrong.h"
#include "store/postgres/cluster_internal.h"
#include "store/postgres/db_postgres.h"
#include "store/postgres/postgres_internal.h"
#include "store/store_internal.h"

#define BEAT_MIN_MS 20
#define BEAT_MAX_MS 500
/* Heartbeats in a lease, unless it is long. */
#define BEATS_PER_LEASE 12
/* Heartbeats after which a node takes free units beyond its share. */
#define FREE_UNIT_BEATS_MAX 4
#define RECONNECT_MAX_MS    500
/* Between two announcements. */
#define ANNOUNCE_INTERVAL_MS 5

/* For the loop: we gained a unit, or another node requests one of ours. */
struct unit_event {
	struct list link;
	char unit[UNIT_SIZE];
	bool is_requested;
	uint64_t held_ms;
};

struct cluster {
	struct store *store;
	struct cluster_settings settings;
	const struct cluster_ops *ops;
	void *arg;
	char incarnation[40];
	uv_thread_t thread;
	uv_async_t async;
	bool started, async_is_open;
	struct task *closer;
	_Atomic uint64_t may_send_until_ms; /* clock_boot_ms */
	atomic_bool does_maintenance;
	int wake;        /* eventfd: the thread looks at what follows */
	uv_mutex_t lock; /* guards the fields below */
	char *units;     /* SQL, 'a','b'; NULL: none yet */
	size_t unit_count;
	struct units announced; /* not sent yet */
	char revision[32];      /* of the configuration; "": not known yet */
	bool stopping, store_is_lost, beat_now;
	bool announced_here;     /* for a unit of ours */
	struct list unit_events; /* of struct unit_event */
	/* The thread's own, once it runs. */
	struct db db;
	atomic_bool stop;
	bool named;              /* its units have rows */
	uint64_t settled_at_ms;  /* clock_boot_ms: nobody is dead before */
	struct nodes_unit *ours; /* known to the loop */
	size_t our_count;
	struct silence silence;
	size_t live_nodes; /* nodes, with this one */
	unsigned free_unit_beats;
	bool requesting;          /* other nodes for units */
	int64_t newest_id;        /* of the transcript, when the store last had to take new ids */
	uint64_t announced_at_ms; /* clock_boot_ms: the last announcement */
	char published_revision[32];
};

const struct cluster_settings *cluster_settings_of(const struct cluster *c)
{
	return &c->settings;
}

static struct cluster *cluster_new(struct store *s)
{
	struct cluster *c = xcalloc(1, sizeof(*c));

	c->store = s;
	c->settings = *s->options.cluster;
	c->settings.node = xstrdup(s->options.cluster->node);
	c->settings.shared = NULL;
	c->ops = s->options.node_ops;
	c->arg = s->options.arg;
	list_init(&c->unit_events);
	uv_mutex_init(&c->lock);
	c->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return c;
}

int cluster_join(struct cluster *c, struct postgres *p, struct error *err)
{
	uint64_t began_ms = clock_boot_ms();
	struct postgres *own;

	str_copy(c->incarnation, sizeof(c->incarnation), p->writer);
	if (db_postgres_open(&c->db, c->store->dir, &c->store->settings, false, err) != 0)
		return -1;
	own = postgres_of(&c->db);
	own->backoff = (struct backoff){BEAT_MIN_MS, RECONNECT_MAX_MS, 0};
	own->opening = true;
	if (nodes_prepare(own, &c->settings, err) != 0 || nodes_join(p, &c->settings, err) != 0)
		return -1;
	own->opening = false;
	atomic_store(&c->may_send_until_ms, began_ms + (uint64_t)c->settings.lease_ms / 2);
	return 0;
}

static bool may_send(const struct cluster *c)
{
	return clock_boot_ms() < atomic_load(&c->may_send_until_ms) || WRONG("no-self-stop");
}

static bool does_maintenance(const struct cluster *c)
{
	return atomic_load(&c->does_maintenance);
}

static int read_something(struct job *job, struct db *db, struct error *err)
{
	int64_t one;

	(void)job;
	return db_number(db, ONLY_POSTGRES "SELECT 1", DB_NO_ARGS, &one, err) < 0 ? -1 : 0;
}

static void free_job(struct job *job)
{
	free(job);
}

static void on_async(uv_async_t *async)
{
	struct cluster *c = async->data;
	bool store_is_lost, announced_here;
	struct list unit_events;

	list_init(&unit_events);
	uv_mutex_lock(&c->lock);
	store_is_lost = c->store_is_lost;
	announced_here = c->announced_here;
	c->store_is_lost = c->announced_here = false;
	list_each(&c->unit_events, link, next) {
		list_remove(link);
		list_append(&unit_events, link);
	}
	uv_mutex_unlock(&c->lock);
	/* Any read makes the store reconnect. */
	if (store_is_lost && c->started)
		job_queue_put(
		    &c->store->queue, job_new(sizeof(struct job), JOB_READ, read_something, free_job));
	if (announced_here && c->ops->announced)
		c->ops->announced(c->arg);
	list_each(&unit_events, link, next) {
		struct unit_event *n = list_entry(link, struct unit_event, link);

		if (!n->is_requested)
			c->ops->gained(c->arg, n->unit, n->held_ms);
		else if (c->ops->requested)
			c->ops->requested(c->arg, n->unit);
		free(n);
	}
}

/* Connects the thread, within what is left of half a lease. Returns -1 while it cannot. */
static int reach(struct cluster *c, struct error *err)
{
	uint64_t now = clock_boot_ms(), until = atomic_load(&c->may_send_until_ms);
	struct postgres *p = postgres_of(&c->db);

	p->deadline_ms = clock_measure_us() / 1000 + (until > now ? until - now : 0) + 1;
	if (p->conn)
		return 0;
	if (postgres_recover(&c->db, err) != 0 || nodes_prepare(p, &c->settings, err) != 0)
		return -1;
	c->settled_at_ms = clock_boot_ms() + (uint64_t)c->settings.lease_ms;
	return 0;
}

static int check_peers(struct cluster *c, struct error *err)
{
	struct postgres *p = postgres_of(&c->db);
	struct nodes_peer *peers;
	int count = nodes_peers(p, &c->settings, &peers, err), rc = count < 0 ? -1 : 0;
	bool first = true;

	c->live_nodes = 1;
	for (int i = 0; i < count && rc == 0; i++) {
		if (clock_boot_ms() >= c->settled_at_ms &&
		    silence_means_dead(&c->silence, &peers[i], &c->settings)) {
			log_warn("cluster", "the node %s is taken for dead: %s", peers[i].node,
			    peers[i].is_late ? "its lease has ended" : "its connection is gone");
			rc = nodes_remove_dead(p, &peers[i], err);
		} else {
			c->live_nodes++;
			first &= strcmp(peers[i].node, c->settings.node) > 0;
		}
	}
	/* Words are found among the newest ids (search.c): those of a quiet node must not stay behind. */
	if (count > 0 && peers[0].newest_id - c->newest_id > LATE_IDS / 10) {
		c->newest_id = peers[0].newest_id;
		atomic_store(&c->store->db.later_ids, true);
	}
	if (rc == 0)
		silence_note(&c->silence, peers, (size_t)count);
	atomic_store(&c->does_maintenance, first);
	free(peers);
	return rc;
}

static bool owns(const struct cluster *c, const char *unit)
{
	for (size_t i = 0; i < c->our_count; i++)
		if (strcmp(c->ours[i].unit, unit) == 0)
			return true;
	return false;
}

static void notify_loop(struct cluster *c, const struct nodes_unit *unit)
{
	struct unit_event *n = xcalloc(1, sizeof(*n));

	str_copy(n->unit, sizeof(n->unit), unit->unit);
	n->is_requested = owns(c, unit->unit);
	n->held_ms = (uint64_t)unit->held_ms;
	/* New rows must have higher ids than the former owner's. */
	if (!n->is_requested)
		atomic_store(&c->store->db.later_ids, true);
	uv_mutex_lock(&c->lock);
	list_append(&c->unit_events, &n->link);
	uv_mutex_unlock(&c->lock);
	uv_async_send(&c->async);
}

/* Requests what this node lacks from nodes that have more than their share, until it has it. */
static int balance(struct cluster *c, const char *list, struct error *err)
{
	struct postgres *p = postgres_of(&c->db);
	size_t share = c->unit_count / c->live_nodes, max = (size_t)c->settings.max_units,
	       ours = share < max ? share : max;
	int rc = 0;

	if (c->our_count < ours)
		rc = nodes_request_units(p, &c->settings, list, share, ours, err);
	else if (c->requesting)
		rc = nodes_withdraw_requests(p, &c->settings, err);
	c->requesting = c->our_count < ours || rc < 0;
	return rc < 0 ? -1 : 0;
}

/* Returns how many more units this node may take. */
static size_t free_capacity(const struct cluster *c)
{
	size_t max = (size_t)c->settings.max_units,
	       share = (c->unit_count + c->live_nodes - 1) / c->live_nodes;

	if (c->free_unit_beats < FREE_UNIT_BEATS_MAX && share < max)
		max = share;
	return max > c->our_count ? max - c->our_count : 0;
}

/* Reads which units are ours after taking them, so that a lost answer to that does no harm. */
static int check_units(struct cluster *c, const char *list, struct error *err)
{
	struct postgres *p = postgres_of(&c->db);
	struct nodes_unit *units;
	int count = nodes_units(p, &c->settings, list, &units, err);
	size_t free_units = 0;

	if (count < 0)
		return -1;
	for (int i = 0; i < count; i++)
		if (!units[i].is_ours)
			free_units++;
		else if (units[i].is_requested || !owns(c, units[i].unit))
			notify_loop(c, &units[i]);
	/* What is not ours any more was given away. */
	for (int i = c->our_count = 0; i < count; i++)
		if (units[i].is_ours)
			units[c->our_count++] = units[i];
	free(c->ours);
	c->ours = units;
	if (free_units == 0)
		c->free_unit_beats = 0;
	if (free_units == 0)
		return balance(c, list, err);
	if (free_capacity(c) == 0)
		return 0;
	return nodes_take(p, &c->settings, c->incarnation, list, free_capacity(c), err);
}

/* The store has lost its connection, and may not know that yet. */
static void wake_store(struct cluster *c)
{
	uv_mutex_lock(&c->lock);
	c->store_is_lost = true;
	uv_mutex_unlock(&c->lock);
	uv_async_send(&c->async);
}

static int publish_revision(struct cluster *c, struct error *err)
{
	char revision[sizeof(c->revision)];
	int rc;

	uv_mutex_lock(&c->lock);
	memcpy(revision, c->revision, sizeof(revision));
	uv_mutex_unlock(&c->lock);
	if (strcmp(revision, c->published_revision) == 0)
		return 0;
	rc = nodes_configured(postgres_of(&c->db), &c->settings, revision, err);
	if (rc >= 0)
		memcpy(c->published_revision, revision, sizeof(revision));
	return rc < 0 ? -1 : 0;
}

/* Returns 1 when this process is no node any more, 0, or -1. */
static int beat(struct cluster *c, struct error *err)
{
	uint64_t began_ms = clock_boot_ms();
	char *list = NULL;
	bool is_locked;
	int rc;

	if (reach(c, err) != 0)
		return -1;
	rc = nodes_beat(postgres_of(&c->db), &c->settings, c->incarnation, &is_locked, err);
	if (rc <= 0)
		return rc < 0 ? -1 : 1;
	if (!is_locked)
		wake_store(c);
	atomic_store(&c->may_send_until_ms, began_ms + (uint64_t)c->settings.lease_ms / 2);
	if (check_peers(c, err) != 0 || publish_revision(c, err) != 0)
		return -1;
	uv_mutex_lock(&c->lock);
	list = xstrdup(c->units);
	uv_mutex_unlock(&c->lock);
	rc = 0;
	if (list && !c->named && (rc = nodes_name_units(postgres_of(&c->db), list, err)) == 0)
		c->named = true;
	c->free_unit_beats += list != NULL;
	/* The second pass reports what the first one took. */
	for (int i = 0; list && i < 2 && rc >= 0; i++)
		if ((rc = check_units(c, list, err)) == 0)
			break;
	free(list);
	return rc < 0 ? -1 : 0;
}

static uint64_t beat_interval_ms(const struct cluster *c)
{
	uint64_t ms = (uint64_t)c->settings.lease_ms / BEATS_PER_LEASE;

	if (ms > BEAT_MAX_MS)
		return BEAT_MAX_MS;
	return ms < BEAT_MIN_MS ? BEAT_MIN_MS : ms;
}

static void wake_thread(struct cluster *c)
{
	eventfd_write(c->wake, 1);
}

/* A lost announcement does no harm: the loop checks for deliveries by itself. */
static void receive_announcements(struct cluster *c)
{
	struct postgres *p = postgres_of(&c->db);
	bool announced_here = false;

	if (p->conn && !pq.PQconsumeInput(p->conn))
		postgres_lost(p, pq.PQerrorMessage(p->conn), NULL);
	for (char *unit; (unit = nodes_announced(p)); free(unit))
		announced_here |= owns(c, unit);
	if (!announced_here)
		return;
	uv_mutex_lock(&c->lock);
	c->announced_here = true;
	uv_mutex_unlock(&c->lock);
	uv_async_send(&c->async);
}

/* Returns the ms until the next announcements may be sent; UINT64_MAX: none wait. */
static uint64_t send_announcements(struct cluster *c, uint64_t now)
{
	char *list;

	if (now < c->announced_at_ms + ANNOUNCE_INTERVAL_MS)
		return c->announced_at_ms + ANNOUNCE_INTERVAL_MS - now;
	uv_mutex_lock(&c->lock);
	list = units_take(&c->announced);
	uv_mutex_unlock(&c->lock);
	if (list && postgres_of(&c->db)->conn) {
		nodes_announce(postgres_of(&c->db), list, NULL);
		c->announced_at_ms = now;
	}
	free(list);
	return UINT64_MAX;
}

/* Waits at most ms for input from the server, or for the loop. */
static void wait_for_input(struct cluster *c, uint64_t ms)
{
	struct postgres *p = postgres_of(&c->db);
	struct pollfd fds[] = {
	    {.fd = c->wake, .events = POLLIN}, {.fd = p->conn ? pq.PQsocket(p->conn) : -1, .events = POLLIN}};
	eventfd_t count;

	if (poll(fds, ARRAY_LEN(fds), (int)ms) > 0 && fds[0].revents)
		eventfd_read(c->wake, &count);
	receive_announcements(c);
}

/* Returns false when the thread is to end. */
static bool wait_for_beat(struct cluster *c)
{
	uint64_t now = clock_boot_ms(), until = now + beat_interval_ms(c);
	bool running = true, due = false;

	while (running && !due && now < until) {
		uint64_t wait = send_announcements(c, now);

		wait_for_input(c, wait < until - now ? wait : until - now);
		now = clock_boot_ms();
		uv_mutex_lock(&c->lock);
		running = !c->stopping;
		due = c->beat_now;
		c->beat_now = false;
		uv_mutex_unlock(&c->lock);
	}
	return running;
}

static void thread_main(void *arg)
{
	struct cluster *c = arg;
	struct error err, last_err = {0};
	const char *why = NULL;

	while (!why && wait_for_beat(c)) {
		int rc = may_send(c) ? beat(c, &err) : 0;

		if (rc < 0 && strcmp(err.text, last_err.text) != 0) {
			last_err = err;
			log_warn("cluster", "cannot look after the cluster: %s", err.text);
		}
		if (rc == 0)
			last_err.text[0] = '\0';
		if (rc > 0 && !WRONG("no-self-stop"))
			why = "another node has taken over";
		else if (!may_send(c))
			why = "half of the lease has passed without a heartbeat";
	}
	if (why && !atomic_load(&c->stop)) {
		atomic_store(&c->may_send_until_ms, 0);
		c->ops->lost(c->arg, why);
	}
}

static int cluster_start(struct cluster *c, struct error *err)
{
	int rc;

	uv_async_init(uv_default_loop(), &c->async, on_async);
	c->async.data = c;
	c->async_is_open = true;
	c->db.stop = &c->stop;
	rc = uv_thread_create(&c->thread, thread_main, c);
	if (rc != 0)
		return error_set(
		    err, ERROR_OURS, "cannot start the thread of the cluster: %s", uv_strerror(rc));
	c->started = true;
	return 0;
}

static void cluster_stop(struct cluster *c)
{
	if (!c->started)
		return;
	uv_mutex_lock(&c->lock);
	c->stopping = true;
	uv_mutex_unlock(&c->lock);
	wake_thread(c);
	atomic_store(&c->stop, true);
	uv_thread_join(&c->thread);
	c->started = false;
}

static int cluster_leave(struct cluster *c, struct db *db, struct error *err)
{
	return nodes_leave(db, &c->settings, c->incarnation, err);
}

static int give(struct cluster *c, struct db *db, const char *unit, struct error *err)
{
	return nodes_give(db, &c->settings, unit, err);
}

static struct json_object *nodes(struct cluster *c, struct db *db, struct error *err)
{
	return nodes_list(postgres_of(db), c->settings.node, err);
}

static void serve(struct cluster *c, const char *const *units, size_t count)
{
	struct units list = {0};

	for (size_t i = 0; i < count; i++)
		units_add(&list, units[i]);
	uv_mutex_lock(&c->lock);
	c->units = units_take(&list);
	c->unit_count = count;
	c->beat_now = true;
	uv_mutex_unlock(&c->lock);
	wake_thread(c);
}

static void configured(struct cluster *c, const char *revision)
{
	uv_mutex_lock(&c->lock);
	str_copy(c->revision, sizeof(c->revision), revision);
	c->beat_now = true;
	uv_mutex_unlock(&c->lock);
	wake_thread(c);
}

static void announce(struct cluster *c, const char *unit)
{
	bool is_new;

	uv_mutex_lock(&c->lock);
	is_new = units_add(&c->announced, unit);
	uv_mutex_unlock(&c->lock);
	if (is_new)
		wake_thread(c);
}

static void on_closed(uv_handle_t *handle)
{
	struct cluster *c = handle->data;

	c->async_is_open = false;
	task_wake(c->closer);
}

static void cluster_free(struct task *t, struct cluster *c)
{
	cluster_stop(c);
	if (c->async_is_open) {
		c->closer = t;
		uv_close((uv_handle_t *)&c->async, on_closed);
		task_shield(t);
		while (c->async_is_open)
			task_wait(t, NULL);
		task_unshield(t);
	}
	list_each(&c->unit_events, link, next)
		free(list_entry(link, struct unit_event, link));
	if (c->db.handle)
		db_close(&c->db);
	uv_mutex_destroy(&c->lock);
	close(c->wake);
	free(units_take(&c->announced));
	free(c->ours);
	silence_clear(&c->silence);
	free(c->units);
	free(c->settings.node);
	free(c);
}

const struct cluster_engine cluster_postgres = {
    .new = cluster_new,
    .start = cluster_start,
    .stop = cluster_stop,
    .leave = cluster_leave,
    .give = give,
    .serve = serve,
    .configured = configured,
    .announce = announce,
    .may_send = may_send,
    .does_maintenance = does_maintenance,
    .nodes = nodes,
    .free = cluster_free,
};
