#include "session/access/grant_change.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/access/grants.h"
#include "session/access/pairing.h"
#include "session/session_internal.h"
#include "store/grants.h"
#include "tools/background.h"

int grant_change_load(struct task *t, struct sessions *all, struct error *err)
{
	struct store_grant **items = NULL;
	int n = store_grants(t, all->options.agent->store, &items, err);

	if (n >= 0)
		grants_clear(all->grants);
	for (int i = 0; i < n; i++)
		grants_put(all->grants, items[i]);
	free(items);
	return n < 0 ? -1 : pairing_load(t, all, err);
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
	struct store_access_change c = {.why = "command", .grant = g->grant, .decided = g->decided};
	struct outbound **rows = NULL;
	int rc = 0;

	if (g->asked) {
		char *key = xasprintf("inbound:%lld", (long long)g->asked->id);
		c.inbound = g->asked->id;
		rc = add_rows(
		    bus, &g->asked->from, g->reply, g->asked->message_id, key, &rows, &c.row_count, err);
		free(key);
	}
	if (rc == 0 && g->decided && g->told) {
		char *key = xasprintf("pairing:%s:%s", g->decided->where.channel, g->decided->code);
		rc = add_rows(bus, &g->decided->where, g->told, NULL, key, &rows, &c.row_count, err);
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
		log_info("access", "granted role=%s id=\"%s\" channel=%s by=\"%s\"",
		    access_role_name((enum access_role)g->grant->role), g->grant->person, g->grant->channel,
		    g->grant->by);
		grants_put(all->grants, store_grant_copy(g->grant));
		sessions_roles_changed(all);
		/* Guests have no background tasks. */
		if (g->grant->role <= ACCESS_GUEST)
			background_stop_person(
			    all->options.agent->background, g->grant->channel, g->grant->person);
	}
	return 0;
}
