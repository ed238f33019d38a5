#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "agent/budget.h"
#include "base/error.h"
#include "base/io_full.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "bus/bus.h"
#include "channels/console/console.h"
#include "config/gateway_config.h"
#include "gateway/gateway_internal.h"
#include "gateway/restart.h"
#include "net/backoff.h"
#include "net/child/child.h"
#include "net/egress.h"
#include "net/loop.h"
#include "ops/cluster_status.h"
#include "session/session.h"
#include "store/cluster.h"
#include "store/files.h"

/* How often the loop itself checks whether the node may still act: the lease's thread may hang, too. */
#define LOOK_MS        200
#define RETRY_FIRST_MS 500
#define RETRY_MAX_MS   10000
/* Interval of checks whether a channel that another node wants is quiet. */
#define QUIET_LOOK_MS 20
/* A leaving channel begins no turn for LEAVE_MS, while running turns end. If they do not end, turns may begin
 * again for LEAVE_AGAIN_MS, doubled each time, or until the channel is quiet by itself. */
#define LEAVE_MS           3000
#define LEAVE_AGAIN_MS     20000
#define LEAVE_AGAIN_MAX_MS 320000
/* Within this time each thread runs once, on a busy machine too. */
#define HANDLER_MS 300

static struct clock_timer watch;

/* Has a signal requested the stop, even one that the loop has not seen yet? A later one ends this program or
 * its successor. After a long sleep another thread may have taken a signal without reaching its handler yet,
 * so this waits for it. */
static bool stop_requested(const struct gateway *g)
{
	bool requested = false;

	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	for (unsigned ms = 0; ms < HANDLER_MS && !requested; ms += 10) {
		requested = (g->stopping && !g->restart) || loop_caught(SIGTERM) || loop_caught(SIGINT);
		if (!requested)
			uv_sleep(10);
	}
	return requested;
}

/* Stops nothing in order: meanwhile something could still be sent. The state is durable, and the next start
 * is as after a crash. */
static void end_at_once(const struct gateway *g, const char *why)
{
	static atomic_flag ending = ATOMIC_FLAG_INIT;
	bool stops;

	if (atomic_flag_test_and_set(&ending))
		return;
	child_kill_all();
	stops = stop_requested(g);
	log_error("cluster", "%s: the node %s ends at once%s", why, g->first->cluster.node,
	    stops ? "" : ", and starts again");
	if (!stops)
		restart_now();
	_exit(stops ? 0 : 1);
}

static void on_lost(void *arg, const char *why)
{
	end_at_once(arg, why);
}

static bool may_act(const void *arg)
{
	return cluster_may_send(arg);
}

static void on_look(struct clock_timer *timer, void *arg)
{
	struct gateway *g = arg;

	if (!cluster_may_send(g->store))
		end_at_once(g, "half of the lease has passed without a heartbeat");
	clock_timer_start(timer, LOOK_MS, on_look, g);
}

static bool is_node(const struct gateway *g)
{
	return g->first->cluster.node && !g->guest;
}

void node_begin(struct gateway *g)
{
	if (!is_node(g))
		return;
	egress_set_guard(may_act, g->store);
	clock_timer_start(&watch, LOOK_MS, on_look, g);
	log_info("cluster", "this is the node %s", g->first->cluster.node);
}

void node_end(struct gateway *g)
{
	(void)g;
	clock_timer_stop(&watch);
	egress_set_guard(NULL, NULL);
}

bool node_shares(const struct gateway *g, const struct channel *ch)
{
	const struct gateway_channel *c = gateway_config_channel(g->first, ch->channel);

	return is_node(g) && !(c && c->implied);
}

static void start_channel(struct channel *ch)
{
	struct error err = {0};

	if (ch->ops->start(ch, ch->settings, &err) < 0)
		channel_set_status(ch, CHANNEL_STOPPED, "%s", err.text);
}

static void start_taken(struct gateway *g)
{
	for (struct channel *ch = NULL; (ch = bus_next_channel(g->bus, ch));) {
		if (!bus_is_taking(ch))
			continue;
		ch->gained = false;
		log_info("cluster", "serves the channel %s held_ms=%lld", ch->name,
		    (long long)(ch->held_until > clock_now() ? ch->held_until - clock_now() : 0));
		start_channel(ch);
	}
}

static const struct channel *next_gained(const struct gateway *g)
{
	struct channel *ch = NULL;

	while ((ch = bus_next_channel(g->bus, ch)) && !ch->gained)
		;
	return ch;
}

static int take(struct task *t, struct gateway *g, struct error *err)
{
	/* Others have changed what was read at the start. */
	if (budget_load(t, g->budget, err) < 0 || bus_take_channels(t, g->bus, err) < 0)
		return -1;
	return sessions_take_channels(t, g->sessions, err);
}

/* Takes all gained channels together, so that a large database is not read once for each channel. */
static void take_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = RETRY_FIRST_MS, .max_ms = RETRY_MAX_MS};
	struct gateway *g = arg;
	const struct channel *ch;
	struct error err = {0};

	while ((ch = next_gained(g)) && !g->stopping) {
		if (take(t, g, &err) == 0) {
			backoff_reset(&wait);
			if (!g->stopping)
				start_taken(g);
			continue;
		}
		log_error("cluster", "cannot take the channel %s, and others that came here, yet: %s",
		    ch->name, err.text);
		if (task_sleep(t, backoff_next(&wait), NULL) < 0)
			break;
	}
	g->taking_channels = false;
}

static void on_gained(void *arg, const char *name, uint64_t held_ms)
{
	struct gateway *g = arg;
	struct channel *ch = g->stopping ? NULL : bus_channel(g->bus, name);

	if (!ch)
		return;
	ch->held_until = clock_now() + held_ms;
	ch->gained = true;
	if (g->taking_channels)
		return;
	g->taking_channels = true;
	task_start(&g->guests, "take", take_task, g);
}

/* A channel that another node asks for. */
struct unit {
	struct gateway *g;
	struct channel *ch;
};

static bool is_quiet(const struct unit *u)
{
	return u->ch->status != CHANNEL_STARTING && sessions_are_idle(u->g->sessions, u->ch->name) &&
	    bus_is_idle(u->g->bus, u->ch->name);
}

/* Waits until nothing of the channel is in progress, at most ms. */
static bool await_quiet(struct task *t, const struct unit *u, uint64_t ms)
{
	uint64_t until = clock_now() + ms;

	while (!is_quiet(u))
		if (clock_now() >= until || task_sleep(t, QUIET_LOOK_MS, NULL) < 0)
			return false;
	return true;
}

/* What comes in while the channel stops waits here for a turn, and begins one at the next owner. Returns
 * whether the channel is gone: not if something of it is still in progress, as nobody serves it meanwhile. */
static bool give(struct task *t, const struct unit *u)
{
	struct channel *ch = u->ch;
	struct error err = {0};
	int rc = 0;

	bus_leave_channel(t, ch);
	bool quiet = await_quiet(t, u, LEAVE_MS);
	if (task_check(t, NULL) < 0)
		return false;
	sessions_forget_channel(t, u->g->sessions, ch->name);
	if (quiet)
		rc = cluster_give(t, u->g->store, ch->name, &err);
	if (rc > 0)
		log_info("cluster", "gave the channel %s to another node", ch->name);
	else if (rc < 0)
		log_warn("cluster", "cannot give the channel %s to another node: %s", ch->name, err.text);
	return rc > 0;
}

static void give_task(struct task *t, void *arg)
{
	struct unit *u = arg;
	struct channel *ch = u->ch;

	for (uint64_t again_ms = LEAVE_AGAIN_MS; ch->requested && task_check(t, NULL) == 0;) {
		ch->requested = false; /* until it is asked for again */
		ch->leaving = true;
		if (await_quiet(t, u, LEAVE_MS))
			break;
		ch->leaving = false;
		sessions_keep_channel(u->g->sessions, ch->name);
		await_quiet(t, u, again_ms);
		again_ms = 2 * again_ms < LEAVE_AGAIN_MAX_MS ? 2 * again_ms : LEAVE_AGAIN_MAX_MS;
	}
	bool stays = ch->leaving && !give(t, u);
	ch->leaving = ch->giving = false;
	/* Takes it as if it had come from elsewhere, because the messages that waited were forgotten. */
	if (stays)
		on_gained(u->g, ch->name, 0);
	free(u);
}

static void on_requested(void *arg, const char *name)
{
	struct gateway *g = arg;
	struct channel *ch = g->stopping ? NULL : bus_channel(g->bus, name);

	if (!ch || ch->status == CHANNEL_ELSEWHERE)
		return;
	ch->requested = true;
	if (ch->giving)
		return;
	struct unit *u = xcalloc(1, sizeof(*u));
	u->g = g;
	u->ch = ch;
	ch->giving = true;
	task_start(&g->guests, "give", give_task, u);
}

static void on_announced(void *arg)
{
	struct gateway *g = arg;

	if (g->bus && !g->stopping)
		bus_check_outbox(g->bus);
	if (g->sessions && !g->stopping)
		sessions_reload(g->sessions);
}

const struct cluster_ops node_ops = {
    .gained = on_gained, .requested = on_requested, .announced = on_announced, .lost = on_lost};

void node_put_elsewhere(void *arg, const char *channel)
{
	const struct gateway *g = arg;

	cluster_announce(g->store, channel);
}

bool node_has_owner(struct task *t, void *arg, const char *channel)
{
	const struct gateway *g = arg;
	struct json_object *cluster;
	bool has;

	if (cluster_nodes(t, g->store, &cluster, NULL) != 0)
		return true;
	has = !cluster || cluster_status_owner(cluster, channel);
	json_object_put(cluster);
	return has;
}

#define MARK    ".myna-shared"
#define MARK_ID 16

/* Returns the mark of the folder, malloc'd; NULL: none. */
static char *read_mark(const char *path)
{
	char id[MARK_ID * 2 + 1] = {0};
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t len = fd >= 0 ? read(fd, id, sizeof(id) - 1) : -1;

	if (fd >= 0)
		close(fd);
	return len == sizeof(id) - 1 ? xstrdup(id) : NULL;
}

/* Whole or not at all, whatever interrupts it. Another node may do the same: the first one's stays. */
static char *make_mark(const char *path, const char *folder, struct error *err)
{
	char id[MARK_ID * 2 + 1], *made, *mark = NULL;

	clock_random_hex(id, MARK_ID);
	made = xasprintf("%s.%s", path, id);
	int fd = open(made, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	/* Some file systems have no such rename, NFS among them, and some have no links. */
	bool there = fd >= 0 && io_write_full(fd, id, sizeof(id) - 1) == 0 && fsync(fd) == 0 &&
	    (renameat2(AT_FDCWD, made, AT_FDCWD, path, RENAME_NOREPLACE) == 0 || errno == EEXIST ||
		link(made, path) == 0 || errno == EEXIST);
	if (!there)
		error_set(err, ERROR_OURS,
		    "the folder %s cannot be used: %m. Mount it, for the user that this runs as", folder);
	else if (!(mark = read_mark(path)))
		error_set(err, ERROR_OURS,
		    "%s, which marks the folder, cannot be read or is not whole. Remove it, and start again",
		    path);
	if (fd >= 0)
		close(fd);
	unlink(made);
	free(made);
	return mark;
}

/* The first node marks it, and the database remembers that. */
static int mark_shared(struct task *t, struct gateway *g, const char *path, char **known)
{
	struct journal j = store_journal(g->store);
	char *id = read_mark(path);
	int rc = -1;

	if (!id)
		id = make_mark(path, g->first->cluster.shared, g->err);
	/* It is there after a power cut, too, when the database knows it. */
	if (id && files_sync(g->first->cluster.shared, g->err) == 0)
		rc = j.ops->put_inbound(t, j.self, NULL, 0,
		    &(struct journal_cursor){.account = "cluster", .name = "shared", .value = id}, g->err);
	if (rc == 0)
		rc = j.ops->read_cursor(t, j.self, "cluster", "shared", known, g->err);
	free(id);
	return rc;
}

/* Warns about the memory from before cluster.shared was set, which is not used. */
static void warn_of_memory(const struct gateway *g)
{
	char *path = xasprintf("%s/memory", g->first->top.state);

	if (access(path, F_OK) == 0)
		log_warn("cluster", "%s is not used: the memory is in %s/memory; copy what is worth it", path,
		    g->first->cluster.shared);
	free(path);
}

int node_open_shared(struct task *t, struct gateway *g)
{
	struct journal j = store_journal(g->store);
	const char *folder = g->first->cluster.shared;
	char *known = NULL, *path, *found;
	int rc;

	if (!folder)
		return 0;
	path = xasprintf("%s/" MARK, folder);
	rc = j.ops->read_cursor(t, j.self, "cluster", "shared", &known, g->err);
	if (rc == 0 && !known)
		rc = mark_shared(t, g, path, &known);
	found = rc == 0 ? read_mark(path) : NULL;
	if (rc == 0 && (!found || !known || strcmp(found, known) != 0))
		rc = error_set(g->err, ERROR_OURS,
		    "the folder %s is not the one that the nodes of this cluster share, for %s %s. Mount "
		    "that one at "
		    "this path, or copy it there whole",
		    folder, path, found ? "is another" : "is missing");
	if (rc == 0)
		warn_of_memory(g);
	free(found);
	free(known);
	free(path);
	return rc;
}

void node_configured(const struct gateway *g)
{
	char revision[CONFIG_REVISION_SIZE];

	if (!is_node(g))
		return;
	gateway_config_revision(g->config, revision);
	cluster_configured(g->store, revision);
}

static bool is_at_home(const struct gateway *g, const struct channel *ch)
{
	const char *home = gateway_config_channel(g->first, ch->channel)->access.home;

	return !home || strcmp(home, g->first->cluster.node) == 0;
}

void node_serve(struct gateway *g)
{
	const char **names = NULL;
	size_t count = 0;

	for (struct channel *ch = NULL; (ch = bus_next_channel(g->bus, ch));) {
		if (!node_shares(g, ch) || !is_at_home(g, ch))
			continue;
		names = xrealloc(names, (count + 1) * sizeof(*names));
		names[count++] = ch->name;
	}
	node_configured(g);
	if (is_node(g))
		cluster_serve(g->store, names, count);
	free(names);
}
