#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "session/command.h"
#include "session/session_private.h"

/* How often /new looks whether the turn that it ended is gone. */
#define RENEW_LOOK_MS 5

struct sessions *sessions_new(const struct sessions_options *options)
{
	struct sessions *all = xcalloc(1, sizeof(*all));

	all->options = *options;
	list_init(&all->waiting);
	task_group_init(&all->tasks);
	return all;
}

void sessions_free(struct task *t, struct sessions *all)
{
	if (!all)
		return;
	all->stopping = true;
	task_group_finish(t, &all->tasks);
	free(all);
}

int sessions_resume(struct task *t, struct sessions *all, struct error *err)
{
	const struct journal *j = bus_journal(all->options.agent->bus);
	struct address *pending = NULL;
	int n = j->ops->pending_addresses(t, j->self, &pending, err);

	for (int i = 0; i < n; i++) {
		struct session *s = session_wake(all, &pending[i]);
		s->resume = s->more = true;
	}
	free(pending);
	return n < 0 ? -1 : 0;
}

bool sessions_stop(struct sessions *all, const struct address *where, size_t *waiting)
{
	struct session *s = session_find(all, where);

	if (!s || !s->turn)
		return false;
	*waiting = s->queued;
	s->turn->stopped = true;
	task_cancel(s->turn_task);
	return true;
}

int sessions_renew(struct task *t, struct sessions *all, struct command_call *call, struct error *err)
{
	const struct agent *agent = all->options.agent;
	const struct message *asked = call->asked;
	struct session *s;
	size_t count = 0, waiting;
	int64_t session;

	sessions_stop(all, &asked->from, &waiting);
	while ((s = session_find(all, &asked->from)) != NULL && s->turn)
		if (task_sleep(t, RENEW_LOOK_MS, err) < 0)
			return -1;
	char *key = xasprintf("inbound:%lld", (long long)asked->id);
	struct outbound **rows = bus_rows(agent->bus, &asked->from, OUTBOUND_REPLY, call->reply->data, asked->message_id, key, 0,
	    &count, err);
	free(key);
	int rc = store_session_renew(t, agent->store, &asked->from, asked->id, rows, count, &session, err);
	bus_rows_free(rows, count);
	if (rc < 0)
		return -1;
	call->committed = true;
	bus_wake(agent->bus, &asked->from);
	return 0;
}

void sessions_status(struct task *t, struct sessions *all, bool details, struct buf *out)
{
	all->options.status(t, all->options.arg, details, out);
}

size_t sessions_running(const struct sessions *all)
{
	return all->running;
}
