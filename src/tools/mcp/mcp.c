#include "tools/mcp/mcp.h"

#include <stdlib.h>
#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"
#include "tools/mcp/server.h"
#include "tools/mcp/settings.h"

struct mcp {
	struct list servers;      /* of struct mcp_server, in the order of the file */
	struct task_group ending; /* one task for each server that is ending */
	char *state;
};

static void run_end(struct task *t, void *arg)
{
	mcp_server_free(t, arg);
}

static void end_server(struct mcp *m, struct mcp_server *s)
{
	list_remove(&s->link);
	mcp_server_stop(s);
	task_start(&m->ending, "mcp end", run_end, s);
}

static struct mcp_server *find(
    struct mcp *m, const struct tools *ts, const struct mcp_server_settings *settings)
{
	list_each(&m->servers, link, next) {
		struct mcp_server *s = list_entry(link, struct mcp_server, link);
		if (mcp_server_fits(s, ts, settings))
			return s;
	}
	return NULL;
}

void mcp_apply(struct mcp *m, struct tools *ts, const struct mcp_settings *settings)
{
	struct list keep;

	if (!m)
		return;
	list_init(&keep);
	for (size_t i = 0; i < settings->count; i++) {
		struct mcp_server *s = find(m, ts, settings->servers[i]);
		if (s) {
			list_remove(&s->link);
			list_append(&keep, &s->link);
		}
	}
	list_each(&m->servers, link, next)
		end_server(m, list_entry(link, struct mcp_server, link));
	list_each(&keep, link, next) {
		list_remove(link);
		list_append(&m->servers, link);
	}
	for (size_t i = 0; i < settings->count; i++)
		if (!find(m, ts, settings->servers[i]))
			list_append(&m->servers, &mcp_server_new(ts, settings->servers[i], m->state)->link);
}

struct mcp *mcp_new(struct tools *ts, const struct mcp_settings *settings, const char *state)
{
	struct mcp *m = xcalloc(1, sizeof(*m));

	list_init(&m->servers);
	task_group_init(&m->ending);
	m->state = xstrdup(state);
	mcp_apply(m, ts, settings);
	return m;
}

void mcp_free(struct task *t, struct mcp *m)
{
	if (!m)
		return;
	list_each(&m->servers, link, next)
		end_server(m, list_entry(link, struct mcp_server, link));
	/* Each task ends its server first, cancelled or not. */
	task_group_finish(t, &m->ending);
	free(m->state);
	free(m);
}

static struct json_object *server_status(const struct mcp_server *s)
{
	struct json_object *o = json_object_new_object();

	json_set_str(o, "name", s->settings->name);
	json_set_str(o, "transport", s->ops->name);
	json_set_str(o, "state", mcp_state_name(s->state));
	json_set_int(o, "tools", (int64_t)s->tools);
	if (s->refused > 0)
		json_set_int(o, "refused", (int64_t)s->refused);
	if (s->state == MCP_READY) {
		json_set_str(o, "server", s->hello.server);
		json_set_str(o, "protocol", s->peer.version);
		if (s->ops->pid)
			json_set_int(o, "pid", s->ops->pid(s->peer.link));
	}
	if (s->is_split)
		json_set_int(o, "processes", (int64_t)s->running);
	json_set_int(o, "starts", s->starts);
	if (*s->reason)
		json_set_str(o, "reason", s->reason);
	return o;
}

struct json_object *mcp_status(const struct mcp *m)
{
	struct json_object *list = json_object_new_array();

	if (m)
		for (const struct list *link = m->servers.next; link != &m->servers; link = link->next)
			json_object_array_add(list, server_status(list_entry(link, struct mcp_server, link)));
	return list;
}
