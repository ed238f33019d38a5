#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uv.h>

#include "agent/budget.h"
#include "base/error.h"
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

/* How often the loop looks by itself whether the node may still act: its thread may hang, too. */
#define LOOK_MS        200
#define RETRY_FIRST_MS 500
#define RETRY_MAX_MS   10000
/* Between two looks whether a channel that another node wants is quiet. */
#define QUIET_LOOK_MS 20
/* So long no turn begins in it, until those that run have ended; if they do not, turns may begin again for so
 * long, twice as long each time, or until it is quiet by itself. */
#define LEAVE_MS           3000
#define LEAVE_AGAIN_MS     20000
#define LEAVE_AGAIN_MAX_MS 320000
/* Within this time each thread runs once, on a busy machine too. */
#define HANDLER_MS 300

static struct clock_timer watch;

/* Also by a signal that the loop has not seen yet. One that comes later ends this program, or its next. After
 * a long sleep, another thread may have taken one, and not have come to its handler yet: it gets the time. */
static bool is_told_to_stop(const struct gateway *g)
{
	bool told = false;

	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	for (unsigned ms = 0; ms < HANDLER_MS && !told; ms += 10) {
		told = (g->stopping && !g->again) || loop_caught(SIGTERM) || loop_caught(SIGINT);
		if (!told)
			uv_sleep(10);
	}
	return told;
}

/* Nothing is stopped in order: that would take time in which something may leave. The state is durable, and
 * the next start is that after a crash. */
static void end_at_once(const struct gateway *g, const char *why)
{
	static atomic_flag ending = ATOMIC_FLAG_INIT;
	bool stops;

	if (atomic_flag_test_and_set(&ending))
		return;
	child_kill_all();
	stops = is_told_to_stop(g);
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
	return cluster_is_sure(arg);
}

static void on_look(struct clock_timer *timer, void *arg)
{
	struct gateway *g = arg;

	if (!cluster_is_sure(g->store))
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

/* All that were gained together: of a database of many chats nothing is read for each channel alone. */
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
	g->taking = false;
}

static void on_gained(void *arg, const char *name, uint64_t held_ms)
{
	struct gateway *g = arg;
	struct channel *ch = g->stopping ? NULL : bus_channel(g->bus, name);

	if (!ch)
		return;
	ch->held_until = clock_now() + held_ms;
	ch->gained = true;
	if (g->taking)
		return;
	g->taking = true;
	task_start(&g->guests, "take", take_task, g);
}

/* A channel that another node asks for. */
struct unit {
	struct gateway *g;
	struct channel *ch;
};

static bool is_quiet(const struct unit *u)
{
	return u->ch->status != CHANNEL_STARTING && sessions_are_quiet(u->g->sessions, u->ch->name) &&
	    bus_is_quiet(u->g->bus, u->ch->name);
}

/* Until nothing of the channel is in progress; at most ms. */
static bool await_quiet(struct task *t, const struct unit *u, uint64_t ms)
{
	uint64_t until = clock_now() + ms;

	while (!is_quiet(u))
		if (clock_now() >= until || task_sleep(t, QUIET_LOOK_MS, NULL) < 0)
			return false;
	return true;
}

/* What comes while it stops waits here for a turn, and begins one there. Returns whether it is gone. */
static bool give(struct task *t, const struct unit *u)
{
	struct channel *ch = u->ch;
	struct error err = {0};
	int rc = 0;

	if (ch->state)
		ch->ops->stop(t, ch);
	channel_set_status(ch, CHANNEL_ELSEWHERE, "another node gets it");
	if (await_quiet(t, u, UINT32_MAX)) {
		sessions_forget_channel(t, u->g->sessions, ch->name);
		rc = cluster_give(t, u->g->store, ch->name, &err);
	}
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

	for (uint64_t again_ms = LEAVE_AGAIN_MS; ch->wanted && task_check(t, NULL) == 0;) {
		ch->wanted = false; /* until it is asked for again */
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
	/* As if it had come from elsewhere: what waited was forgotten. */
	if (stays)
		on_gained(u->g, ch->name, 0);
	free(u);
}

static void on_wanted(void *arg, const char *name)
{
	struct gateway *g = arg;
	struct channel *ch = g->stopping ? NULL : bus_channel(g->bus, name);

	if (!ch || ch->status == CHANNEL_ELSEWHERE)
		return;
	ch->wanted = true;
	if (ch->giving)
		return;
	struct unit *u = xcalloc(1, sizeof(*u));
	u->g = g;
	u->ch = ch;
	ch->giving = true;
	task_start(&g->guests, "give", give_task, u);
}

static void on_put(void *arg)
{
	struct gateway *g = arg;

	if (g->bus && !g->stopping)
		bus_look(g->bus);
	if (g->sessions && !g->stopping)
		sessions_look(g->sessions);
}

const struct cluster_ops node_ops = {
    .gained = on_gained, .wanted = on_wanted, .put = on_put, .lost = on_lost};

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

/* The mark of the folder, malloc'd; NULL: there is none. */
static char *read_mark(const char *path)
{
	char id[MARK_ID * 2 + 1] = {0};
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t len = fd >= 0 ? read(fd, id, sizeof(id) - 1) : -1;

	if (fd >= 0)
		close(fd);
	return len == sizeof(id) - 1 ? xstrdup(id) : NULL;
}

static char *make_mark(const char *path, const char *folder, struct error *err)
{
	char id[MARK_ID * 2 + 1];
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	ssize_t len;

	if (fd < 0 && errno == EEXIST)
		return read_mark(path);
	clock_random_hex(id, MARK_ID);
	len = fd >= 0 ? write(fd, id, sizeof(id) - 1) : -1;
	if (len != sizeof(id) - 1 || fsync(fd) != 0)
		error_set(err, ERROR_OURS,
		    "the folder %s cannot be used: %m. Mount it, for the user that this runs as", folder);
	if (fd >= 0)
		close(fd);
	return len == sizeof(id) - 1 ? xstrdup(id) : NULL;
}

/* The first node marks it, and the database remembers that. */
static int mark_shared(struct task *t, struct gateway *g, const char *path, char **known)
{
	struct journal j = store_journal(g->store);
	char *id = read_mark(path);
	int rc = -1;

	if (!id)
		id = make_mark(path, g->first->cluster.shared, g->err);
	if (id)
		rc = j.ops->put_inbound(t, j.self, NULL, 0,
		    &(struct journal_cursor){.account = "cluster", .name = "shared", .value = id}, g->err);
	if (rc == 0)
		rc = j.ops->read_cursor(t, j.self, "cluster", "shared", known, g->err);
	free(id);
	return rc;
}

/* What was noted before it was set stays behind. */
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
