#include "session/turn/coalesce.h"

#include <string.h>

#include "base/time/clock.h"
#include "base/text/utf8.h"
#include "bus/message.h"
#include "session/queue_mode.h"
#include "session/session_internal.h"
#include "session/queue.h"
#include "session/turn/turn.h"

bool coalesce_same_sender(const struct message *a, const struct message *b)
{
	return a->sender_id && b->sender_id && strcmp(a->sender_id, b->sender_id) == 0;
}

const char *coalesced_person(const struct coalesced *b)
{
	for (size_t i = 1; i < b->count; i++)
		if (!coalesce_same_sender(b->items[0]->m, b->items[i]->m))
			return "";
	return b->items[0]->m->sender_id;
}

bool coalesce_continues(const struct message *last, const struct message *m)
{
	return last->continues && m->kind == MESSAGE_TEXT && coalesce_same_sender(last, m) &&
	    (m->received_ms - last->received_ms <= COALESCE_QUIET_MS ||
		m->sent_ms - last->sent_ms <= COALESCE_SENT_MS);
}

static size_t chars_of(const struct message *m)
{
	return utf8_count(m->text, strlen(m->text), UTF8_CHARS);
}

static struct pending *pending_at(struct list *link)
{
	return list_entry(link, struct pending, link);
}

/* How long the next part may still take. A change of the clock ends the wait. */
static uint64_t time_left(const struct coalesced *b)
{
	int64_t left = b->items[b->count - 1]->m->received_ms + COALESCE_QUIET_MS - clock_wall();

	return left > 0 && left <= COALESCE_QUIET_MS ? (uint64_t)left : 0;
}

/* Messages of guests and of others do not share a turn: each is answered with its sender's rights. */
static bool is_of_equals(const struct session *s, const struct message *a, const struct message *b)
{
	return coalesce_same_sender(a, b) ||
	    (session_role(s, a) <= ACCESS_GUEST) == (session_role(s, b) <= ACCESS_GUEST);
}

/* Returns whether p continues what was coalesced, whose last message is last. */
static bool continues(const struct session *s, const struct coalesced *b, const struct message *last,
    const struct pending *p, bool collects)
{
	/* A reminder is a turn of its own. */
	if (last->kind == MESSAGE_SCHEDULE || p->m->kind == MESSAGE_SCHEDULE)
		return false;
	if (b->items[0]->is_retry || p->is_retry || (collects && !is_of_equals(s, last, p->m)))
		return false;
	return collects ? b->count < COALESCE_COLLECTED_MAX :
			  b->count < COALESCE_MESSAGES_MAX && coalesce_continues(last, p->m);
}

/* Collects the oldest message and its continuations, without removing them from the queue. True when more may
 * come. */
static bool gather(struct session *s, struct coalesced *b)
{
	const struct message *last = NULL;
	bool collects = queue_mode(s->all, &s->where) != QUEUE_QUEUE;
	size_t chars = 0;

	b->count = 0;
	list_each(&s->queue.items, it, tmp) {
		struct pending *p = pending_at(it);
		if (last && !collects && !coalesce_same_sender(last, p->m))
			continue;
		chars += chars_of(p->m);
		if (last && (!continues(s, b, last, p, collects) || chars > COALESCE_CHARS_MAX))
			return false;
		b->items[b->count++] = p;
		last = p->m;
	}
	return last && last->continues && b->count < COALESCE_MESSAGES_MAX && chars < COALESCE_CHARS_MAX;
}

bool coalesce_is_complete(struct session *s)
{
	struct coalesced b;

	return (!gather(s, &b) || time_left(&b) == 0) && b.count > 0 && !b.items[0]->is_retry;
}

bool coalesce_accepts(struct session *s, const struct message *m)
{
	const struct message *last = NULL;

	list_each(&s->queue.items, it, tmp)
		if (coalesce_same_sender(pending_at(it)->m, m))
			last = pending_at(it)->m;
	return last && coalesce_continues(last, m);
}

int coalesce_wait(struct task *t, struct session *s, struct error *err)
{
	struct coalesced b;
	uint64_t left;
	int rc = 0;

	session_move(s, SESSION_COALESCING);
	while (rc >= 0 && session_wants_turn(s) && gather(s, &b)) {
		/* Checked even when the time is over: the rest may have arrived in time, and be in the
		 * journal. */
		if (s->queue.journal_has_more && s->queue.count < SESSION_QUEUE_MAX)
			rc = queue_refill(t, s, err);
		else if ((left = time_left(&b)) > 0)
			rc = task_wait_until(t, clock_now() + left, err);
		else
			break;
	}
	if (s->state == SESSION_COALESCING)
		session_move(s, SESSION_IDLE);
	return rc < 0 ? -1 : 0;
}

bool coalesce_shift(struct session *s, struct coalesced *b)
{
	gather(s, b);
	for (size_t i = 0; i < b->count; i++)
		queue_take(s, b->items[i]);
	return b->count > 0;
}

void coalesce_unshift(struct session *s, struct coalesced *b)
{
	while (b->count > 0)
		queue_unshift(s, b->items[--b->count]);
}

void coalesce_clear(struct coalesced *b)
{
	while (b->count > 0)
		pending_free(b->items[--b->count]);
}
