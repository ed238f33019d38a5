#include "session/access/grant_change.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/task.h"
#include "base/time/clock.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/access/grants.h"
#include "session/access/pairing.h"
#include "session/session_internal.h"
#include "store/grants.h"
#include "tools/background.h"

/* Interval of reloads: other nodes announce their grants, but an announcement may be lost. */
#define RELOAD_MS 2000

static bool is_known(const struct grants *all, const struct store_grant *g)
{
	const struct store_grant *known = grants_find(all, g->channel, g->person);

	return known && known->role == g->role && known->private_only == g->private_only;
}

static void log_grant(const char *what, const struct store_grant *g)
{
	log_info("access", "%s role=%s id=\"%s\" channel=%s by=\"%s\"", what,
	    access_role_name((enum access_role)g->role), g->person, g->channel, g->by);
}

/* Takes the grant, which is in force from now on. */
static void apply_grant(struct sessions *all, struct store_grant *g)
{
	/* Guests have no background tasks. */
	if (g->role <= ACCESS_GUEST)
		background_stop_person(all->options.agent->background, g->channel, g->person);
	grants_put(all->grants, g);
	sessions_roles_changed(all);
}

int grant_change_load(struct task *t, struct sessions *all, struct error *err)
{
	struct store_grant **items = NULL;
	size_t commits = all->grant_commits;
	int n = store_grants(t, all->options.agent->store, &items, err);

	for (int i = 0; i < n; i++) {
		/* What was committed here meanwhile may be newer. */
		if (commits != all->grant_commits || is_known(all->grants, items[i])) {
			store_grant_free(items[i]);
			continue;
		}
		if (all->grant_watch)
			log_grant("granted elsewhere", items[i]);
		apply_grant(all, items[i]);
	}
	free(items);
	return n < 0 ? -1 : pairing_load(t, all, err);
}

/* Waits for the next reload, or for grant_change_reload. Returns -1 when cancelled. */
static int watch_wait(struct task *t, struct sessions *all)
{
	uint64_t due = clock_now() + RELOAD_MS;
	int rc = 0;

	while (!all->grants_changed && rc == 0)
		rc = task_wait_until(t, due, NULL);
	all->grants_changed = false;
	return rc < 0 ? -1 : 0;
}

static void watch_task(struct task *t, void *arg)
{
	struct sessions *all = arg;
	struct error err = {0};

	while (watch_wait(t, all) == 0)
		if (grant_change_load(t, all, &err) < 0 && !task_is_cancelled(t))
			log_error(
			    "access", "cannot read what was granted elsewhere, trying again: %s", err.text);
	all->grant_watch = NULL;
}

void grant_change_watch(struct sessions *all)
{
	all->grant_watch = task_start(&all->tasks, "grants", watch_task, all);
}

void grant_change_reload(struct sessions *all)
{
	all->grants_changed = true;
	if (all->grant_watch)
		task_wake(all->grant_watch);
}

/* Appends the deliveries of one text. */
static int add_rows(struct bus *bus, const struct address *to, const char *text, const char *reply_to,
    const char *key, struct outbound ***rows, size_t *count, struct error *err)
{
	size_t more = 0;
	char *own = bus_own_text(bus, to, text);
	struct outbound **got = bus_rows(bus, to, OUTBOUND_REPLY, own, reply_to, key, 0, &more, err);

	free(own);
	if (!got)
		return -1;
	*rows = xrealloc(*rows, (*count + more + 1) * sizeof(**rows));
	memcpy(*rows + *count, got, more * sizeof(*got));
	*count += more;
	free(got);
	return 0;
}

static int commit_once(struct task *t, struct sessions *all, const struct grant_change *g, struct error *err)
{
	struct bus *bus = all->options.agent->bus;
	struct store_access_change c = {.why = "command", .grant = g->grant, .decision = g->decided};
	struct outbound **rows = NULL;
	int rc = 0;

	if (g->asked) {
		char *key = xasprintf("inbound:%lld", (long long)g->asked->id);
		c.inbound = g->asked->id;
		rc = add_rows(
		    bus, &g->asked->from, g->reply, g->asked->message_id, key, &rows, &c.row_count, err);
		free(key);
	}
	if (rc == 0 && g->decided && g->notice) {
		char *key = xasprintf("pairing:%s:%s", g->decided->where.channel, g->decided->code);
		rc = add_rows(bus, &g->decided->where, g->notice, NULL, key, &rows, &c.row_count, err);
		free(key);
	}
	c.rows = rows;
	if (rc == 0)
		rc = store_access_commit(t, all->options.agent->store, &c, err);
	for (size_t i = 0; i < c.row_count && rc == 0; i++)
		bus_wake(bus, &rows[i]->to);
	bus_rows_free(rows, c.row_count);
	return rc;
}

int grant_change_commit(struct task *t, struct sessions *all, const struct grant_change *g)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct error err = {0};

	while (commit_once(t, all, g, &err) < 0) {
		if (task_check(t, NULL) < 0)
			return -1;
		if (err.kind == ERROR_REFUSED)
			return 1;
		log_error("access", "cannot record who may talk, trying again: %s", err.text);
		if (task_sleep(t, backoff_next(&wait), NULL) < 0)
			return -1;
	}
	if (g->grant) {
		all->grant_commits++;
		log_grant("granted", g->grant);
		apply_grant(all, store_grant_copy(g->grant));
		bus_notify_owners(all->options.agent->bus, g->grant->channel);
	}
	return 0;
}
