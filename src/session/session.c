#include <assert.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "bus/bus.h"
#include "net/backoff.h"
#include "session/queue_mode.h"
#include "session/turn/coalesce.h"
#include "session/session_internal.h"
#include "session/queue.h"
#include "session/turn/turn.h"
#include "tools/background.h"

#define MAY(state) (1u << SESSION_##state)

/*
 * IDLE -> COALESCING -> IDLE -> WAITING_FOR_SLOT -> BEGINNING -> RUNNING -> IDLE: answers one message after
 * another.
 *
 * RUNNING -> WAITING_FOR_MODEL -> INTERRUPTED -> RESUMING -> RUNNING: no model answers for a while.
 * RUNNING -> RESUMING -> RUNNING: the store failed during the turn.
 * BEGINNING -> IDLE: the turn was not begun; -> INTERRUPTED: the store has an open one.
 * WAITING_FOR_SLOT -> IDLE: the message that waited is gone.
 * IDLE, COALESCING, WAITING_FOR_SLOT -> INTERRUPTED: after a start, and when the queue is read again.
 * RESUMING -> IDLE: there is no open turn; -> INTERRUPTED: the store failed.
 */
static const unsigned next_states[] = {
    [SESSION_IDLE] = MAY(COALESCING) | MAY(WAITING_FOR_SLOT) | MAY(INTERRUPTED),
    [SESSION_COALESCING] = MAY(IDLE) | MAY(INTERRUPTED),
    [SESSION_WAITING_FOR_SLOT] = MAY(BEGINNING) | MAY(IDLE) | MAY(INTERRUPTED),
    [SESSION_BEGINNING] = MAY(RUNNING) | MAY(IDLE) | MAY(INTERRUPTED),
    [SESSION_INTERRUPTED] = MAY(RESUMING),
    [SESSION_RESUMING] = MAY(RUNNING) | MAY(IDLE) | MAY(INTERRUPTED),
    [SESSION_RUNNING] = MAY(IDLE) | MAY(RESUMING) | MAY(WAITING_FOR_MODEL),
    [SESSION_WAITING_FOR_MODEL] = MAY(INTERRUPTED),
};

void session_move(struct session *s, enum session_state to)
{
	assert(next_states[s->state] & 1u << to);
	s->state = to;
}

bool session_has_turn(const struct session *s)
{
	return s->state != SESSION_IDLE && s->state != SESSION_COALESCING &&
	    s->state != SESSION_WAITING_FOR_SLOT;
}

static int session_compare(const void *a, const void *b)
{
	const struct address *x = a, *y = b;
	int c = strcmp(x->chat, y->chat);

	if (c == 0)
		c = strcmp(x->thread, y->thread);
	return c ? c : strcmp(x->channel, y->channel);
}

/* Begins a new conversation: one commit with the answer and the end of the message that asked for it. */
static int renew(struct task *t, struct session *s, const struct renewal *r, struct error *err)
{
	const struct agent *agent = s->all->options.agent;
	char *key = xasprintf("inbound:%lld", (long long)r->asked->id);
	size_t count = 0;
	int64_t session;
	struct outbound **rows = bus_rows(
	    agent->bus, &s->where, OUTBOUND_REPLY, r->reply, r->asked->message_id, key, 0, &count, err);
	int rc = store_session_renew(t, agent->store, &s->where, r->asked->id, rows, count, &session, err);

	if (rc == 0) {
		background_stop(agent->background, &s->where, NULL);
		bus_wake(agent->bus, &s->where);
	}
	bus_rows_free(rows, count);
	free(key);
	return rc;
}

static void drop_renewal(struct renewal *r)
{
	list_remove(&r->link);
	message_free(r->asked);
	free(r);
}

static int step_renewal(struct task *t, struct session *s, struct error *err)
{
	struct renewal *r = list_entry(list_first(&s->renewals), struct renewal, link);

	/* Refused: the message is not pending any more. */
	if (renew(t, s, r, err) < 0 && err->kind != ERROR_REFUSED)
		return -1;
	drop_renewal(r);
	return 1;
}

static int take_next(struct task *t, struct session *s, struct error *err)
{
	struct coalesced b;

	coalesce_shift(s, &b);
	queue_turn_begins(s, b.count);
	int rc = session_turn_take(t, s, &b, err);
	queue_turn_ended(s);
	if (rc < 0) {
		coalesce_unshift(s, &b);
	} else {
		queue_done(s, b.count);
		coalesce_clear(&b);
	}
	if (rc < 0 && err->kind == ERROR_REFUSED)
		queue_restart(s);
	return rc;
}

static int step_turn(struct task *t, struct session *s, struct error *err)
{
	if (s->state == SESSION_IDLE && coalesce_wait(t, s, err) < 0)
		return -1;
	int rc = turn_slot_take(t, s, err);
	if (rc <= 0)
		return rc < 0 ? -1 : 1;
	/* From here on, an edit of the message that was taken from the queue comes too late. */
	bool resumes = s->state == SESSION_INTERRUPTED;
	session_move(s, resumes ? SESSION_RESUMING : SESSION_BEGINNING);
	rc = resumes ? session_turn_resume(t, s, err) : take_next(t, s, err);
	if (rc > 0) {
		session_move(s, SESSION_WAITING_FOR_MODEL);
	} else if (rc < 0 && (resumes || err->kind == ERROR_REFUSED)) {
		session_move(s, SESSION_INTERRUPTED);
	} else {
		session_turn_ended(s);
		session_move(s, SESSION_IDLE);
	}
	turn_slot_release(s);
	return rc < 0 ? -1 : 1;
}

/* An interrupted or waiting turn comes first, and ends before a new conversation begins. */
bool session_wants_turn(const struct session *s)
{
	return s->state == SESSION_INTERRUPTED ||
	    (s->queue.count > 0 && s->queue.drop_up_to_id == 0 && list_is_empty(&s->renewals));
}

void session_expect_open_turn(struct session *s)
{
	/* In the other states a turn is being handled already. */
	if (!session_has_turn(s))
		session_move(s, SESSION_INTERRUPTED);
}

void session_renew(struct session *s, struct message *asked, const char *reply)
{
	struct renewal *r = xcalloc(1, sizeof(*r));

	if (session_has_turn(s))
		session_stop(s);
	r->asked = asked;
	r->reply = reply;
	list_append(&s->renewals, &r->link);
	task_wake(s->task); /* it may wait for a slot */
}

static int wait_for_model(struct task *t, struct session *s, struct error *err)
{
	if (outage_wait(t, s, err) < 0)
		return -1;
	session_move(s, SESSION_INTERRUPTED);
	return 1;
}

/* Waits while the channel's former owner may still run calls of a turn that it began, or write to its
 * preview. Returns 1 after waiting, 0 when there is no need to, or -1. */
static int wait_for_former_owner(struct task *t, struct session *s, struct error *err)
{
	const struct agent *a = s->all->options.agent;
	const struct channel *ch = bus_channel_of(a->bus, &s->where);
	unsigned attempts;
	bool acts;

	if (s->state != SESSION_INTERRUPTED || !ch || clock_now() >= ch->held_until)
		return 0;
	if (store_turn_attempts(t, a->store, &s->where, &attempts, &acts, err) < 0)
		return -1;
	if (!acts)
		return 0;
	return task_sleep_until(t, ch->held_until, err) < 0 ? -1 : 1;
}

/* Waits while the channel is leaving. Returns 1 after waiting, 0 when it is not leaving, or -1. */
static int wait_while_leaving(struct task *t, struct session *s, struct error *err)
{
	const struct channel *ch = bus_channel_of(s->all->options.agent->bus, &s->where);
	int rc;

	if (s->state != SESSION_IDLE || !ch || !ch->leaving)
		return 0;
	s->held = true;
	rc = task_wait(t, err);
	s->held = false;
	return rc < 0 ? -1 : 1;
}

/* Takes one step: 1 something was done, 0 nothing is left to do, -1 the store failed or the process stops. */
static int session_step(struct task *t, struct session *s, struct error *err)
{
	if (s->predecessor)
		return task_wait(t, err) < 0 ? -1 : 1;
	if (s->state == SESSION_WAITING_FOR_MODEL)
		return wait_for_model(t, s, err);
	if (session_wants_turn(s)) {
		int waited = wait_while_leaving(t, s, err);

		if (waited == 0)
			waited = wait_for_former_owner(t, s, err);
		return waited != 0 ? waited : step_turn(t, s, err);
	}
	if (s->queue.drop_up_to_id > 0)
		return queue_drop_abandoned(t, s, err);
	if (!list_is_empty(&s->renewals))
		return step_renewal(t, s, err);
	if (!s->queue.journal_has_more)
		return 0;
	return queue_refill(t, s, err) < 0 ? -1 : 1;
}

static void session_free(struct session *s)
{
	if (s->successor) {
		s->successor->predecessor = NULL;
		task_wake(s->successor->task);
	}
	if (s->predecessor)
		s->predecessor->successor = NULL;
	tdelete(s, &s->all->tree, session_compare);
	queue_clear(s);
	list_each(&s->renewals, it, tmp)
		drop_renewal(list_entry(it, struct renewal, link));
	free(s);
}

/* Runs while there is work. Nothing suspends between the last step and session_free(), so no wake-up is
 * lost. */
static void session_run(struct task *t, void *arg)
{
	struct session *s = arg;
	struct backoff wait = {.base_ms = SESSION_RETRY_FIRST_MS, .max_ms = SESSION_RETRY_LAST_MS};
	struct error err = {0};
	int rc;

	while (task_check(t, NULL) == 0 && (rc = session_step(t, s, &err)) != 0) {
		if (rc > 0) {
			backoff_reset(&wait);
			continue;
		}
		if (task_check(t, NULL) < 0)
			break;
		log_error("session", "messages wait because the store failed: %s", err.text);
		if (task_sleep(t, backoff_next(&wait), NULL) < 0)
			break;
	}
	session_free(s);
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
	list_init(&s->renewals);
	queue_init(&s->queue);
	list_init(&s->slot.link);
	tsearch(s, &all->tree, session_compare);
	s->task = task_start(&all->tasks, "session", session_run, s);
	return s;
}

/* Gives a session a new id that no other session has. */
static void rename_session(struct session *s, const struct address *where)
{
	tdelete(s, &s->all->tree, session_compare);
	s->where = *where;
	tsearch(s, &s->all->tree, session_compare);
}

/* Both ids have work: the session of the new id reads the waiting messages of the old one again, in order. */
static void line_up(struct session *old, struct session *new)
{
	if (old->successor || new->predecessor)
		return;
	queue_leave(old);
	old->successor = new;
	new->predecessor = old;
	task_wake(old->task); /* it may wait for a slot that it no longer needs */
}

static void read_again(struct session *s)
{
	queue_restart(s);
	task_wake(s->task);
}

void sessions_moved(struct sessions *all, const struct journal_move *move, bool committed)
{
	struct address before = {0}, after = {0};

	if (all->stopping)
		return;
	queue_mode_move(all, move);
	memcpy(before.channel, move->channel, sizeof(before.channel));
	memcpy(before.chat, move->old_chat, sizeof(before.chat));
	after = before;
	memcpy(after.chat, move->new_chat, sizeof(after.chat));
	background_move(all->options.agent->background, &before, &after);
	struct session *old = session_find(all, &before), *new = session_find(all, &after);
	if (committed)
		read_again(session_wake(all, &after));
	else if (old && new)
		line_up(old, new);
	else if (old)
		rename_session(old, &after);
}
