#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "agent/background_agent.h"
#include "agent/budget.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "session/access/admins.h"
#include "session/approval/ask_user.h"
#include "session/access/grant_change.h"
#include "session/access/grants.h"
#include "session/access/pairing.h"
#include "session/guest_limit.h"
#include "session/plan.h"
#include "session/queue_mode.h"
#include "session/inbound.h"
#include "session/reminder_scheduler.h"
#include "session/session_internal.h"
#include "session/queue.h"
#include "session/turn/turn.h"
#include "store/turn/turns.h"
#include "tools/background.h"

/* Messages read from the journal at a time at the start. */
#define SESSIONS_BATCH 64
/* Interval of checks whether sessions have ended. */
#define FORGET_CHECK_MS 5

struct sessions *sessions_new(const struct sessions_options *options)
{
	struct sessions *all = xcalloc(1, sizeof(*all));

	all->options = *options;
	all->grants = xcalloc(1, sizeof(*all->grants));
	all->pairings = pairings_new();
	all->guests = guest_limit_new();
	all->started_ms = clock_now();
	turn_slots_init(&all->slots);
	task_cond_init(&all->loaded);
	list_init(&all->approvals);
	list_init(&all->asks);
	list_init(&all->plans);
	task_group_init(&all->tasks);
	if (options->agent->budget)
		budget_set_admins(options->agent->budget, admins_find_all, all);
	return all;
}

void sessions_free(struct task *t, struct sessions *all)
{
	if (!all)
		return;
	all->stopping = true;
	task_group_finish(t, &all->tasks);
	task_cond_clear(&all->slots.suspect_ended);
	task_cond_clear(&all->loaded);
	if (all->options.agent->budget)
		budget_set_admins(all->options.agent->budget, NULL, NULL);
	grants_clear(all->grants);
	free(all->grants);
	pairings_free(all->pairings);
	guest_limit_free(all->guests);
	queue_mode_clear(all);
	ask_user_clear(all);
	free(all);
}

/* Handles at once the pending messages that need no turn, so that commands do not wait behind earlier
 * messages. */
static int sort_old(struct task *t, struct sessions *all, const struct address *where, struct error *err)
{
	const struct journal *j = bus_journal(all->options.agent->bus);
	struct message *messages[SESSIONS_BATCH], *before = NULL;
	int64_t after_id = 0;
	int n;

	do {
		n = j->ops->list_inbound(t, j->self, where, after_id, messages, SESSIONS_BATCH, err);
		for (int i = 0; i < n; i++) {
			after_id = messages[i]->id;
			all->resumed_id = after_id > all->resumed_id ? after_id : all->resumed_id;
			inbound_resume(all, messages[i], &before);
		}
	} while (n == SESSIONS_BATCH);
	message_free(before);
	return n < 0 ? -1 : 0;
}

bool sessions_serve(const struct sessions *all, const struct address *where)
{
	return (!all->options.only_channel || strcmp(all->options.only_channel, where->channel) == 0) &&
	    bus_serves(all->options.agent->bus, where);
}

enum access_role sessions_channel_role(const struct sessions *all, const struct message *m)
{
	const struct access_settings *s = all->options.access(all->options.arg, m->from.channel);

	return s ? access_role_on_channel(s, all->grants, m) : ACCESS_NONE;
}

bool sessions_should_load(const struct sessions *all, bool taking, const struct address *where)
{
	const struct channel *ch = taking ? bus_channel_of(all->options.agent->bus, where) : NULL;

	return taking ? ch && bus_is_taking(ch) : sessions_serve(all, where);
}

/* Resumes the turns and messages of the journal. */
static int resume_chats(struct task *t, struct sessions *all, bool taking, struct error *err)
{
	const struct journal *j = bus_journal(all->options.agent->bus);
	struct address *pending = NULL;
	int n = j->ops->pending_addresses(t, j->self, &pending, err), rc = n < 0 ? -1 : 0;

	for (int i = 0; i < n && rc == 0; i++)
		rc = bus_locate(t, all->options.agent->bus, &pending[i], err);
	for (int i = 0; i < n && rc == 0; i++) {
		if (!sessions_should_load(all, taking, &pending[i]))
			continue;
		struct session *s = session_wake(all, &pending[i]);
		queue_found_in_journal(s);
		session_expect_open_turn(s);
	}
	for (int i = 0; i < n && rc == 0; i++)
		if (sessions_should_load(all, taking, &pending[i]))
			rc = sort_old(t, all, &pending[i], err);
	free(pending);
	return rc;
}

static int load(struct task *t, struct sessions *all, bool taking, struct error *err)
{
	if (grant_change_load(t, all, err) < 0 || queue_mode_load(t, all, err) < 0 ||
	    ask_user_load(t, all, taking, err) < 0 || plan_load(t, all, taking, err) < 0)
		return -1;
	return 0;
}

int sessions_resume(struct task *t, struct sessions *all, struct error *err)
{
	int rc = load(t, all, false, err);

	if (rc < 0 || (!all->options.only_channel && outage_wait_expect(t, all, err) < 0))
		return -1;
	rc = resume_chats(t, all, false, err);
	if (!all->options.only_channel)
		question_watch(all);
	if (rc == 0 && !all->options.only_channel)
		rc = background_agent_report_lost(t, all->options.agent, NULL, err);
	if (rc == 0)
		reminder_scheduler_start(all);
	if (rc == 0 && bus_is_shared(all->options.agent->bus))
		grant_change_watch(all);
	return rc;
}

struct lost_work {
	struct sessions *all;
	const struct channel *ch;
};

static void lost_work_task(struct task *t, void *arg)
{
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct lost_work *lost = arg;
	struct error err = {0};

	while (clock_now() < lost->ch->held_until)
		if (task_sleep_until(t, lost->ch->held_until, NULL) < 0)
			break;
	while (task_check(t, NULL) == 0 &&
	    background_agent_report_lost(t, lost->all->options.agent, lost->ch->name, &err) < 0) {
		log_error("session", "cannot report background tasks that were interrupted, trying again: %s",
		    err.text);
		task_sleep(t, backoff_next(&wait), NULL);
	}
	free(lost);
}

static void report_lost_work(struct sessions *all, const struct channel *ch)
{
	struct lost_work *lost = xcalloc(1, sizeof(*lost));

	lost->all = all;
	lost->ch = ch;
	task_start(&all->tasks, "lost work", lost_work_task, lost);
}

int sessions_take_channels(struct task *t, struct sessions *all, struct error *err)
{
	struct bus *b = all->options.agent->bus;

	if (load(t, all, true, err) < 0 || resume_chats(t, all, true, err) < 0)
		return -1;
	for (struct channel *ch = NULL; (ch = bus_next_channel(b, ch));)
		if (bus_is_taking(ch))
			report_lost_work(all, ch);
	reminder_scheduler_wake(all);
	if (all->watch)
		task_wake(all->watch);
	return 0;
}

struct session_counts {
	struct bus *bus;
	const char *channel;
	void (*held)(struct task *task); /* called for each held session; NULL: nothing */
	size_t all, of_channel, held_count;
};

static void count_session(const void *node, VISIT which, void *arg)
{
	struct session *s = *(struct session *const *)node;
	struct session_counts *c = arg;

	if (which != postorder && which != leaf)
		return;
	c->all++;
	if (strcmp(bus_unit(c->bus, &s->where), c->channel) != 0)
		return;
	c->of_channel++;
	c->held_count += s->held;
	if (s->held && c->held)
		c->held(s->task);
}

static struct session_counts count_sessions(
    struct sessions *all, const char *channel, void (*held)(struct task *task))
{
	struct session_counts c = {.bus = all->options.agent->bus, .channel = channel, .held = held};

	twalk_r(all->tree, count_session, &c);
	return c;
}

/* The answer to a command, and a plan that is being shown, have tasks of their own, which are short. */
bool sessions_are_idle(struct sessions *all, const char *channel)
{
	const size_t long_running =
	    (all->watch != NULL) + (all->scheduler != NULL) + (all->grant_watch != NULL);
	const struct session_counts c = count_sessions(all, channel, NULL);
	const struct channel *ch = bus_channel(all->options.agent->bus, channel);

	/* The background tasks of all units. */
	return c.of_channel == c.held_count && task_group_count(&all->tasks) == c.all + long_running &&
	    background_running(all->options.agent->background, ch ? ch->channel : channel) == 0;
}

void sessions_keep_channel(struct sessions *all, const char *channel)
{
	count_sessions(all, channel, task_wake);
}

void sessions_forget_channel(struct task *t, struct sessions *all, const char *channel)
{
	task_shield(t);
	while (count_sessions(all, channel, task_cancel).of_channel > 0)
		task_sleep(t, FORGET_CHECK_MS, NULL);
	task_unshield(t);
}

bool sessions_stop(struct sessions *all, const struct address *where, const char *person, size_t *waiting,
    size_t *background)
{
	struct session *s = session_find(all, where);
	bool found = s && session_stop_of(s, person);

	*waiting = s ? s->queue.count : 0;
	*background = background_stop(all->options.agent->background, where, person);
	return found;
}

int sessions_retry(struct task *t, struct sessions *all, struct message *asked, struct error *err)
{
	unsigned open = 0;

	/* After a start only the store knows whether there is a turn to resume. */
	if (store_turn_attempts(t, all->options.agent->store, &asked->from, &open, NULL, err) < 0)
		return -1;
	struct session *s = session_wake(all, &asked->from);
	if (open > 0 || s->state == SESSION_BEGINNING || s->state == SESSION_RUNNING || s->queue.count > 0)
		return error_set(err, ERROR_REFUSED, "a turn runs, or waits");
	queue_retry(s, asked);
	return 0;
}

size_t sessions_waiting(struct sessions *all, const struct address *where)
{
	struct session *s = session_find(all, where);

	return s && s->queue.backlog > s->queue.in_turn ? s->queue.backlog - s->queue.in_turn : 0;
}

void sessions_renew(struct sessions *all, struct message *asked, const char *reply)
{
	session_renew(session_wake(all, &asked->from), asked, reply);
}

struct visit {
	void (*fn)(void *arg, const struct session_view *view);
	void *arg;
};

static const char *doing(const struct session *s)
{
	static const char *const texts[] = {
	    [SESSION_IDLE] = "sorts messages",
	    [SESSION_COALESCING] = "sorts messages",
	    [SESSION_WAITING_FOR_SLOT] = "waits for a slot",
	    [SESSION_BEGINNING] = "begins a turn",
	    [SESSION_INTERRUPTED] = "waits to resume a turn",
	    [SESSION_RESUMING] = "begins a turn",
	    [SESSION_RUNNING] = "runs a turn",
	    [SESSION_WAITING_FOR_MODEL] = "waits for a model",
	};

	if (s->state == SESSION_BEGINNING && s->fetching)
		return "loads files";
	return texts[s->state];
}

static void visit_one(const void *node, VISIT which, void *visit)
{
	const struct session *s = *(struct session *const *)node;
	const struct visit *v = visit;
	struct session_view view = {
	    .where = &s->where, .doing = doing(s), .queued = s->queue.count, .backlog = s->queue.backlog};

	if (which == postorder || which == leaf)
		v->fn(v->arg, &view);
}

void sessions_each(
    const struct sessions *all, void (*fn)(void *arg, const struct session_view *view), void *arg)
{
	struct visit v = {fn, arg};

	twalk_r(all->tree, visit_one, &v);
}

struct thread_search {
	const struct address *chat;
	const char *person;
	struct session **found;
	size_t max, count;
};

static void find_thread(const void *node, VISIT which, void *search)
{
	struct session *s = *(struct session *const *)node;
	struct thread_search *k = search;

	if ((which != postorder && which != leaf) || !*s->where.thread || !session_has_turn(s) ||
	    strcmp(s->where.channel, k->chat->channel) != 0 || strcmp(s->where.chat, k->chat->chat) != 0)
		return;
	if (k->person && (!s->runner.turn || !message_is_of(s->runner.turn->row.asked, k->person)))
		return;
	if (k->count++ < k->max)
		k->found[k->count - 1] = s;
}

size_t sessions_in_threads(const struct sessions *all, const struct address *chat, const char *person,
    struct session **found, size_t max)
{
	struct thread_search k = {.chat = chat, .person = person, .found = found, .max = max};

	twalk_r(all->tree, find_thread, &k);
	return k.count;
}

static void end_denied(const void *node, VISIT which, void *arg)
{
	struct session *s = *(struct session *const *)node;

	(void)arg;
	if (which != postorder && which != leaf)
		return;
	queue_drop_denied(s);
	if (s->runner.turn && !turn_is_of_several(s->runner.turn) &&
	    session_is_denied(s, s->runner.turn->row.asked))
		session_interrupt(s);
}

void sessions_roles_changed(struct sessions *all)
{
	if (!all->stopping)
		twalk_r(all->tree, end_denied, NULL);
}

void sessions_reload(struct sessions *all)
{
	grant_change_reload(all);
}

void sessions_requeued(struct sessions *all, const struct address *where, size_t count)
{
	if (all->stopping || !sessions_serve(all, where))
		return;
	struct session *s = session_wake(all, where);
	queue_requeued(s, count);
	session_expect_open_turn(s);
}

void sessions_doctor(struct task *t, struct sessions *all, struct buf *out)
{
	all->options.doctor(t, all->options.arg, out);
}

void sessions_status(struct task *t, struct sessions *all, bool details, struct buf *out)
{
	all->options.status(t, all->options.arg, details, out);
}

void sessions_set_limits(struct sessions *all, size_t turns_at_once, size_t queue_most,
    const struct files_settings *files, const struct session_settings *settings)
{
	all->options.turns_at_once = turns_at_once;
	all->options.queue_most = queue_most;
	all->options.files = files;
	all->options.settings = settings;
	turn_slots_changed(all);
	sessions_roles_changed(all);
	task_cond_broadcast(&all->loaded);
}

size_t sessions_running(const struct sessions *all)
{
	return all->slots.taken;
}
