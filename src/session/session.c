#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "agent/prompt.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/bus.h"
#include "session/access.h"
#include "session/command.h"
#include "session/session_private.h"

/* Messages read from the journal at a time. */
#define SESSION_BATCH 16
/* A turn that a crash cut off this often is not tried again. */
#define TURN_ATTEMPTS_MOST 3
#define GIVE_UP_TEXT \
	"I am sorry: something went wrong three times while I worked on your message, so I leave it. " \
	"Please ask again in other words, or tell the operator to look into the log."

static int session_compare(const void *a, const void *b)
{
	const struct address *x = a, *y = b;
	int c = strcmp(x->chat, y->chat);

	if (c == 0)
		c = strcmp(x->thread, y->thread);
	return c ? c : strcmp(x->channel, y->channel);
}

static void queued_free(struct queued *q)
{
	if (!q)
		return;
	message_free(q->m);
	free(q);
}

void session_queue(struct session *s, struct message *m)
{
	if (s->more || s->queued >= SESSION_QUEUE_MOST) {
		s->more = s->missed = true;
		message_free(m);
		return;
	}
	struct queued *q = xcalloc(1, sizeof(*q));
	q->m = m;
	s->last_id = m->id;
	list_append(&s->queue, &q->link);
	s->queued++;
	task_wake(s->task);
}

bool session_merge_edit(struct session *s, struct message *m)
{
	list_each(&s->queue, it, tmp) {
		struct queued *q = list_entry(it, struct queued, link);
		if (!q->m->message_id || !m->message_id || strcmp(q->m->message_id, m->message_id) != 0 ||
		    strcmp(q->m->sender_id, m->sender_id) != 0 || q->edit_count == QUEUED_EDITS_MOST)
			continue;
		free(q->m->text);
		q->m->text = m->text;
		m->text = NULL;
		q->edits[q->edit_count++] = m->id;
		message_free(m);
		return true;
	}
	return false;
}

static struct queued *session_shift(struct session *s)
{
	struct list *first = list_first(&s->queue);

	if (!first)
		return NULL;
	list_remove(first);
	s->queued--;
	return list_entry(first, struct queued, link);
}

/* Fills the queue from the journal. Commands and refused messages that came in while this process ran are in the
 * hands of their own tasks; only older ones are sorted anew. */
static int session_refill(struct task *t, struct session *s, struct error *err)
{
	const struct journal *j = bus_journal(s->all->options.agent->bus);
	struct message *messages[SESSION_BATCH];

	s->missed = false;
	int n = j->ops->list_inbound(t, j->self, &s->where, s->last_id, messages, SESSION_BATCH, err);
	if (n < 0)
		return -1;
	s->more = false;
	for (int i = 0; i < n; i++) {
		struct message *m = messages[i];
		bool live = s->all->first_live_id != 0 && m->id >= s->all->first_live_id;
		int64_t id = m->id;
		if (live && (m->kind != MESSAGE_TEXT || command_is(m->text)))
			message_free(m);
		else
			receive_sort(s->all, m);
		s->last_id = id > s->last_id ? id : s->last_id;
	}
	s->more = s->more || s->missed || n == SESSION_BATCH;
	return 0;
}

struct turn_run {
	const struct agent *agent;
	struct turn *turn;
	int rc;
	struct error err;
};

static void turn_task(struct task *t, void *arg)
{
	struct turn_run *run = arg;

	if (run->turn->row.attempts > TURN_ATTEMPTS_MOST)
		run->rc = agent_give_up(t, run->agent, run->turn, GIVE_UP_TEXT, &run->err);
	else
		run->rc = agent_run(t, run->agent, run->turn, &run->err);
}

/* Runs the turn in a task of its own, so that it can be cancelled alone. 0: it has ended. */
static int turn_run_once(struct task *t, struct session *s, struct turn *turn, struct error *err)
{
	struct turn_run run = {.agent = s->all->options.agent, .turn = turn};
	struct task_group group;

	task_group_init(&group);
	s->turn = turn;
	s->turn_task = task_start(&group, "turn", turn_task, &run);
	if (task_group_wait(t, &group, err) < 0)
		task_group_finish(t, &group);
	s->turn = NULL;
	s->turn_task = NULL;
	if (run.rc < 0 && err)
		*err = run.err;
	return run.rc;
}

/* The store failed under a turn: what the journal says counts, as after a crash. */
static int turn_reload(struct task *t, struct session *s, struct turn *turn, struct error *err)
{
	const struct agent *agent = s->all->options.agent;
	uint64_t wait_ms = 1000;
	int rc;

	do {
		log_error("session", "a turn waits because the store failed: %s turn=%lld", err->text,
		    (long long)turn->row.id);
		if (task_sleep(t, wait_ms, err) < 0)
			return -1;
		wait_ms = wait_ms < 30000 ? wait_ms * 2 : wait_ms;
		store_turn_clear(&turn->row);
		rc = store_turn_resume(t, agent->store, &s->where, &turn->row, err);
	} while (rc < 0 && !task_is_cancelled(t));
	return rc;
}

/* Fills what the agent is lent besides the row, from the message that began it. */
static void turn_fill(struct session *s, struct turn *turn)
{
	const struct message *asked = turn->row.asked;
	const struct access_settings *access = s->all->options.access(s->all->options.arg, s->where.channel);

	turn->chat = s->where;
	turn->chat_kind = asked && asked->chat_kind != CHAT_PRIVATE ? "group" : "private chat";
	turn->chat_title = asked ? asked->chat_title : NULL;
	turn->reply_to = asked ? asked->message_id : NULL;
	turn->admin = asked && access && access_role(access, asked) == ACCESS_ADMIN;
}

static void turn_run(struct task *t, struct session *s, struct turn *turn)
{
	struct error err = {0};
	int rc = 1;

	while (rc > 0) {
		turn_fill(s, turn);
		if (turn_run_once(t, s, turn, &err) == 0 || s->all->stopping || task_is_cancelled(t))
			break;
		rc = turn_reload(t, s, turn, &err);
	}
	store_turn_clear(&turn->row);
}

static int turn_begin(struct task *t, struct session *s, const struct queued *q, struct turn *turn, struct error *err)
{
	const struct agent *agent = s->all->options.agent;
	const struct message *inbound[1 + QUEUED_EDITS_MOST];
	struct message edits[QUEUED_EDITS_MOST];
	struct buf text = BUF_INIT;
	int64_t session;

	if (store_session(t, agent->store, &s->where, &session, err) < 0)
		return -1;
	/* The rows of merged edits are taken with the message they changed. */
	for (size_t i = 0; i < q->edit_count; i++) {
		edits[i] = *q->m;
		edits[i].id = q->edits[i];
		inbound[i] = &edits[i];
	}
	inbound[q->edit_count] = q->m;
	prompt_user(&text, q->m);
	struct llm_message *user = llm_message_new(LLM_USER, text.data);
	user->created_ms = clock_wall();
	int rc = store_turn_begin(t, agent->store, session, inbound, q->edit_count + 1, user, &turn->row, err);
	llm_message_free(user);
	buf_clear(&text);
	return rc;
}

static void place_wake(struct sessions *all)
{
	struct list *next = list_first(&all->waiting);

	if (next && all->running < all->options.turns_at_once)
		task_wake(list_entry(next, struct session, waiting)->task);
}

/* Waits for a place among the turns that may run at once; first come, first served. */
static int place_take(struct task *t, struct session *s, struct error *err)
{
	struct sessions *all = s->all;
	int rc = 0;

	if (all->running >= all->options.turns_at_once || !list_is_empty(&all->waiting)) {
		list_append(&all->waiting, &s->waiting);
		while (rc == 0 && (all->running >= all->options.turns_at_once || list_first(&all->waiting) != &s->waiting))
			rc = task_wait(t, err);
		list_remove(&s->waiting);
	}
	all->running += rc == 0;
	place_wake(all);
	return rc;
}

static void place_give(struct session *s)
{
	s->all->running--;
	place_wake(s->all);
}

/* Goes on with a turn that a stop cut off: 0, or -1 when the journal cannot be read. */
static int session_resume(struct task *t, struct session *s, struct error *err)
{
	struct turn turn = {0};
	int rc = store_turn_resume(t, s->all->options.agent->store, &s->where, &turn.row, err);

	if (rc > 0) {
		log_info("session", "going on with turn=%lld attempt=%u", (long long)turn.row.id, turn.row.attempts);
		turn_run(t, s, &turn);
	}
	return rc < 0 ? -1 : 0;
}

/* One step of a session's life: 1 something was done, 0 nothing is left to do, -1 the store failed. */
static int session_step(struct task *t, struct session *s, struct error *err)
{
	struct turn turn = {0};

	if (s->resume) {
		if (session_resume(t, s, err) < 0)
			return -1;
		s->resume = false;
		return 1;
	}
	struct queued *q = session_shift(s);
	if (!q) {
		if (!s->more)
			return 0;
		return session_refill(t, s, err) < 0 ? -1 : 1;
	}
	/* Out of the queue while the turn begins: an edit that arrives now comes too late to be merged. */
	if (turn_begin(t, s, q, &turn, err) < 0) {
		list_append(s->queue.next, &q->link);
		s->queued++;
		return -1;
	}
	queued_free(q);
	turn_run(t, s, &turn);
	return 1;
}

static void session_run(struct task *t, void *arg)
{
	struct session *s = arg;
	struct error err = {0};
	uint64_t wait_ms = 1000;
	int rc = 1;

	while (rc != 0 && !task_is_cancelled(t) && !s->all->stopping) {
		if (place_take(t, s, &err) < 0)
			break;
		rc = session_step(t, s, &err);
		place_give(s);
		if (rc >= 0) {
			wait_ms = 1000;
			continue;
		}
		if (task_is_cancelled(t))
			break;
		log_error("session", "messages wait because the store failed: %s", err.text);
		if (task_sleep(t, wait_ms, &err) < 0)
			break;
		wait_ms = wait_ms < 30000 ? wait_ms * 2 : wait_ms;
	}
	tdelete(s, &s->all->tree, session_compare);
	s->all->count--;
	for (struct queued *q; (q = session_shift(s)) != NULL;)
		queued_free(q);
	free(s);
}

struct session *session_find(struct sessions *all, const struct address *where)
{
	struct session **at = tfind(where, &all->tree, session_compare);

	return at ? *at : NULL;
}

struct session *session_wake(struct sessions *all, const struct address *where)
{
	struct session *s = session_find(all, where);

	if (s)
		return s;
	s = xcalloc(1, sizeof(*s));
	s->where = *where;
	s->all = all;
	list_init(&s->queue);
	list_init(&s->waiting);
	tsearch(s, &all->tree, session_compare);
	all->count++;
	s->task = task_start(&all->tasks, "session", session_run, s);
	return s;
}
