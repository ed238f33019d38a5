/*
 * A server with files has one process for each folder of the workspace that it is called from, so that the
 * kernel keeps each chat's calls away from the files of the others. A process starts with the first call and
 * ends after a time without calls. It is a struct mcp_server of its own, in the list of the one whose tools
 * it runs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "tools/files/roots.h"
#include "tools/mcp/server.h"
#include "tools/mcp/settings.h"
#include "tools/shell/shell.h"
#include "tools/tools_internal.h"

static struct mcp_server *find(struct mcp_server *s, const char *folder)
{
	list_each(&s->processes, link, next) {
		struct mcp_server *p = list_entry(link, struct mcp_server, link);
		if (!p->ending && strcmp(p->place.workspace, folder) == 0)
			return p;
	}
	return NULL;
}

/* Two processes for one folder would share a home. */
static bool has_predecessor(const struct mcp_server *p)
{
	for (const struct list *link = p->parent->processes.next; link != &p->parent->processes;
	     link = link->next) {
		const struct mcp_server *other = list_entry(link, struct mcp_server, link);
		if (other != p && other->has_slot && strcmp(other->place.workspace, p->place.workspace) == 0)
			return true;
	}
	return false;
}

static void end_process(struct mcp_server *p)
{
	p->ending = true;
	task_wake(p->task);
}

/* Ends the processes that were idle for longest, as many as others wait for. */
static void make_room(struct mcp_server *s)
{
	size_t wanted = 0;

	list_each(&s->processes, link, next) {
		const struct mcp_server *p = list_entry(link, struct mcp_server, link);
		wanted += !p->has_slot && !p->ending;
	}
	list_each(&s->processes, link, next) {
		struct mcp_server *p = list_entry(link, struct mcp_server, link);
		if (!p->has_slot || wanted == 0)
			continue;
		if (!p->ending && p->calls == 0)
			end_process(p);
		wanted -= p->ending;
	}
}

static int take_slot(struct task *t, struct mcp_server *p, struct error *err)
{
	struct mcp_server *s = p->parent;
	uint64_t due = clock_now() + (uint64_t)s->settings->start_ms;
	size_t most = (size_t)s->settings->processes;
	int rc = 0;

	while (rc == 0 && p->calls > 0 && (s->running >= most || has_predecessor(p))) {
		if (s->running >= most)
			make_room(s);
		rc = task_cond_wait_until(t, &s->changes, due, err);
	}
	if (rc < 0)
		return -1;
	if (rc > 0) {
		p->crowded = true;
		return error_set(
		    err, ERROR_LIMITED, "%zu processes of it run already, each with a call", most);
	}
	if (p->calls == 0)
		return error_set(err, ERROR_CANCELLED, "no call waits for it any more");
	s->running++;
	p->has_slot = true;
	return 0;
}

/* Returns when the connection is lost, or when the process is no longer wanted. */
static void stay(struct task *t, struct mcp_server *p, struct error *err)
{
	int rc = 0;

	while (rc >= 0 && !p->peer.lost && !p->ending) {
		if (p->calls == 0 && clock_now() >= p->idle_since + (uint64_t)p->settings->idle_ms)
			break;
		rc = p->calls > 0 ? task_wait(t, err) :
				    task_wait_until(t, p->idle_since + (uint64_t)p->settings->idle_ms, err);
	}
	if (rc >= 0 && p->peer.lost)
		*err = p->peer.why;
	else if (rc >= 0)
		error_set(err, ERROR_NETWORK, "it was idle");
}

static void live(struct task *t, struct mcp_server *p, struct error *why)
{
	if (mcp_server_connect(t, p, why) == 0) {
		log_info(p->log, "ready protocol=%s folder=%s", p->peer.version,
		    p->place.scope ? p->place.scope : ".");
		mcp_server_set_state(p, MCP_READY, "");
		stay(t, p, why);
	}
	p->ending = true;
	mcp_server_set_state(p, MCP_DOWN, why->text);
	mcp_server_disconnect(t, p);
	log_info(p->log, "ended folder=%s: %s", p->place.scope ? p->place.scope : ".", why->text);
}

static void run(struct task *t, void *arg)
{
	struct mcp_server *p = arg, *s = p->parent;
	struct error why = {0};

	if (take_slot(t, p, &why) == 0) {
		live(t, p, &why);
		s->running--;
	}
	p->ending = true;
	p->task = NULL;
	mcp_server_set_state(p, MCP_DOWN, why.text);
	list_remove(&p->link);
	task_cond_broadcast(&s->changes);
	mcp_server_unref(p);
}

static struct mcp_server *process_new(
    struct mcp_server *s, const char *folder, const char *below, int64_t quota)
{
	struct mcp_server *p = mcp_server_alloc(s->settings, s->place.state, s->place.sandbox);

	p->parent = mcp_server_ref(s);
	p->era = s->era;
	p->place.workspace = xstrdup(folder);
	p->place.quota = quota;
	p->place.scope = xstrdup(below);
	for (char *c = p->place.scope; c && (c = strchr(c, '/'));)
		*c = '.';
	list_append(&s->processes, &p->link);
	p->task = task_start(&s->own, "mcp process", run, p);
	return p;
}

/* Returns the folder's path below the workspace; NULL for the workspace itself, as the operator has it. */
static const char *below_workspace(const struct tool_call *call, const char *folder)
{
	const char *workspace = roots_workspace(roots_base(call->tools->roots));
	size_t len = strlen(workspace);

	return strncmp(folder, workspace, len) == 0 && folder[len] == '/' ? folder + len + 1 : NULL;
}

static struct json_object *down(const struct tool_call *call, const struct mcp_server *s)
{
	return tool_failure(call->tool->name, "UNAVAILABLE", "SERVER_DOWN",
	    "The MCP server %s is not there (%s). Nothing was run; it is started again by itself: try later, "
	    "or do without it.",
	    s->settings->name, *s->reason ? s->reason : "it is being started");
}

static struct json_object *not_ready(const struct tool_call *call, const struct mcp_server *p)
{
	if (p->crowded)
		return tool_failure(call->tool->name, "LIMIT_REACHED", "PROCESSES",
		    "The MCP server %s is in use by other chats: %s. Nothing was run; try again later.",
		    p->settings->name, p->reason);
	return down(call, p);
}

/* The caller has entered p. Returns -1 with the failure. */
static int await_ready(
    struct task *t, const struct mcp_server *p, const struct tool_call *call, struct json_object **failure)
{
	int rc = 0;

	while (rc == 0 && p->state == MCP_STARTING)
		rc = task_cond_wait(t, (struct task_cond *)&p->state_changed, NULL);
	if (rc == 0 && p->state == MCP_READY)
		return 0;
	*failure = rc < 0 ? tool_failure(call->tool->name, "INTERRUPTED", "NOT_RUN",
				"The turn was stopped before this began.") :
			    not_ready(call, p);
	return -1;
}

static struct mcp_server *enter(struct mcp_server *p)
{
	p->calls++;
	if (p->parent) {
		list_remove(&p->link);
		list_append(&p->parent->processes, &p->link);
	}
	return mcp_server_ref(p);
}

struct mcp_server *mcp_process_enter(
    struct task *t, struct mcp_server *s, const struct tool_call *call, struct json_object **failure)
{
	*failure = NULL;
	if (!s->is_split || s->ending) {
		*failure = s->state == MCP_READY ? NULL : down(call, s);
		return *failure ? NULL : enter(s);
	}
	char *folder = working_directory_find(t, call, NULL, failure);
	if (!folder)
		return NULL;
	struct mcp_server *p = s->ending ? NULL : find(s, folder);
	if (!p && !s->ending)
		p = process_new(s, folder, below_workspace(call, folder), roots_quota(call->tools->roots));
	free(folder);
	if (!p) {
		*failure = down(call, s);
		return NULL;
	}
	enter(p);
	if (await_ready(t, p, call, failure) == 0)
		return p;
	mcp_process_leave(p);
	return NULL;
}

void mcp_process_leave(struct mcp_server *p)
{
	if (--p->calls == 0 && p->parent) {
		p->idle_since = clock_now();
		if (p->task)
			task_wake(p->task);
		task_cond_broadcast(&p->parent->changes);
	}
	mcp_server_unref(p);
}
