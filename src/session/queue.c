#include "session/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bus/bus.h"
#include "session/direct_reply.h"
#include "session/inbound.h"
#include "session/turn/coalesce.h"
#include "session/session_internal.h"
#include "session/turn/turn.h"

struct pending *pending_new(struct message *m)
{
	struct pending *p = xcalloc(1, sizeof(*p));

	list_init(&p->link);
	p->m = m;
	return p;
}

void pending_free(struct pending *p)
{
	if (!p)
		return;
	message_free(p->m);
	free(p->edits);
	free(p);
}

int64_t *pending_ids(const struct pending *p, size_t *count)
{
	int64_t *ids = xcalloc(p->edit_count + 1, sizeof(*ids));

	for (size_t i = 0; i < p->edit_count; i++)
		ids[i] = p->edits[i];
	ids[p->edit_count] = p->m->id;
	*count = p->edit_count + 1;
	return ids;
}

void queue_init(struct queue *q)
{
	list_init(&q->items);
}

const struct message *queue_first(const struct session *s)
{
	const struct list *items = &s->queue.items;

	return list_is_empty(items) ? NULL : list_entry(items->next, struct pending, link)->m;
}

static void append(struct session *s, struct pending *p)
{
	list_append(&s->queue.items, &p->link);
	s->queue.count++;
}

void queue_take(struct session *s, struct pending *p)
{
	list_remove(&p->link);
	s->queue.count--;
}

/* An edit lists all files that the message has now, or none when they did not change. */
static void merge_files(struct message *m, struct message *edit)
{
	if (edit->attachment_count == 0)
		return;
	attachments_free(m->attachments, m->attachment_count);
	m->attachments = edit->attachments;
	m->attachment_count = edit->attachment_count;
	edit->attachments = NULL;
	edit->attachment_count = 0;
}

/* Merges an edit's text and row into the message that it changes. False: that message does not wait here. */
static bool merge(struct session *s, struct message *edit)
{
	list_each(&s->queue.items, it, tmp) {
		struct pending *p = list_entry(it, struct pending, link);
		if (!p->m->message_id || !edit->message_id ||
		    strcmp(p->m->message_id, edit->message_id) != 0 ||
		    strcmp(p->m->sender_id, edit->sender_id) != 0)
			continue;
		free(p->m->text);
		p->m->text = edit->text;
		edit->text = NULL;
		merge_files(p->m, edit);
		p->edits = xrealloc(p->edits, (p->edit_count + 1) * sizeof(*p->edits));
		p->edits[p->edit_count++] = edit->id;
		message_free(edit);
		return true;
	}
	return false;
}

static void leave_to_journal(struct session *s, struct message *m)
{
	s->queue.journal_has_more = s->queue.journal_grew = true;
	message_free(m);
}

void queue_note_other(struct session *s, const struct message *m)
{
	if (!s->queue.journal_has_more)
		s->queue.seen_id = m->id;
}

bool queue_resume(struct session *s, const struct message *m)
{
	if (m->id <= s->queue.resumed_id)
		return false;
	s->queue.resumed_id = m->id;
	return true;
}

void queue_count(struct session *s, const struct message *m)
{
	s->queue.backlog++;
	s->queue.newest_id = m->id;
}

void queue_done(struct session *s, size_t count)
{
	s->queue.backlog -= s->queue.backlog > count ? count : s->queue.backlog;
}

bool queue_has_room(struct session *s, bool *first)
{
	size_t most = s->all->options.queue_most;
	bool refused = s->queue.refusing;

	/* Once full, the queue opens again when half empty, so that the chat does not get one notice after
	 * another. */
	s->queue.refusing = s->queue.backlog >= (refused ? most / 2 + 1 : most);
	*first = s->queue.refusing && !refused;
	return !s->queue.refusing;
}

void queue_put(struct session *s, struct message *m)
{
	queue_count(s, m);
	if (s->queue.journal_has_more || s->queue.count >= SESSION_QUEUE_MAX) {
		leave_to_journal(s, m);
		return;
	}
	queue_note_other(s, m);
	append(s, pending_new(m));
	if (s->state == SESSION_COALESCING)
		task_wake(s->task);
}

void queue_leave_in_journal(struct session *s, struct message *m)
{
	queue_count(s, m);
	leave_to_journal(s, m);
}

void queue_drop(struct session *s, int64_t id)
{
	queue_done(s, 1);
	list_each(&s->queue.items, it, tmp) {
		struct pending *p = list_entry(it, struct pending, link);
		if (p->m->id != id)
			continue;
		queue_take(s, p);
		pending_free(p);
	}
}

static void end(struct session *s, struct pending *p, const char *why)
{
	queue_take(s, p);
	queue_done(s, 1);
	direct_reply_none(s->all, p, why);
	task_wake(s->task); /* it may wait for a slot that it no longer needs */
}

size_t queue_count_of(const struct session *s, const char *person)
{
	const struct list *head = &s->queue.items;
	size_t n = 0;

	for (const struct list *it = head->next; it != head; it = it->next)
		n += message_is_of(list_entry(it, struct pending, link)->m, person);
	return n;
}

bool queue_drop_of(struct session *s, const char *person)
{
	list_each(&s->queue.items, it, tmp) {
		struct pending *p = list_entry(it, struct pending, link);
		if (!message_is_of(p->m, person))
			continue;
		end(s, p, "stopped before it began");
		return true;
	}
	return false;
}

void queue_drop_denied(struct session *s)
{
	list_each(&s->queue.items, it, tmp) {
		struct pending *p = list_entry(it, struct pending, link);
		/* A reminder is paused when its turn would begin. */
		if (p->m->kind != MESSAGE_SCHEDULE && session_is_denied(s, p->m))
			end(s, p, "the sender may not use the agent any more");
	}
}

void queue_turn_begins(struct session *s, size_t count)
{
	s->queue.in_turn = count;
}

void queue_turn_ended(struct session *s)
{
	s->queue.in_turn = 0;
}

void queue_retry(struct session *s, struct message *m)
{
	struct pending *p = pending_new(m);

	queue_count(s, m);
	p->is_retry = true;
	append(s, p);
	task_wake(s->task);
}

bool queue_merge(struct session *s, struct message *m)
{
	int64_t id = m->id;

	if (s->queue.journal_has_more || !merge(s, m))
		return false;
	s->queue.seen_id = id;
	return true;
}

bool queue_edit(struct session *s, struct message *m)
{
	queue_note_other(s, m);
	if (merge(s, m))
		return true;
	if (!s->queue.journal_has_more)
		return false;
	/* The message that it changes may be among those in the journal. */
	leave_to_journal(s, m);
	return true;
}

struct pending *queue_shift(struct session *s)
{
	struct list *first = list_first(&s->queue.items);

	if (!first)
		return NULL;
	struct pending *p = list_entry(first, struct pending, link);
	queue_take(s, p);
	return p;
}

void queue_unshift(struct session *s, struct pending *p)
{
	/* Appending to the ring at the first element inserts before that element. */
	list_append(s->queue.items.next, &p->link);
	s->queue.count++;
}

/* The rest of a message to the bot need not address it again. */
static bool joins_last(struct session *s, const struct inbound_decision *decision, const struct message *m)
{
	return decision->verdict == ACCESS_NOT_ADDRESSED && coalesce_accepts(s, m);
}

/* Queues what the journal has for a turn. The rest was handled on arrival, or at the start. */
static void take_read(struct session *s, struct message *m)
{
	struct inbound_decision decision = inbound_classify(s->all, m);

	s->queue.seen_id = m->id;
	if (decision.kind == INBOUND_TURN || joins_last(s, &decision, m))
		append(s, pending_new(m));
	else if (decision.kind == INBOUND_EDIT && merge(s, m))
		return;
	else if (decision.kind == INBOUND_EDIT || decision.kind == INBOUND_SCHEDULE ||
	    decision.verdict == ACCESS_NOT_ADDRESSED || decision.verdict == ACCESS_STRANGER)
		inbound_finish(s->all, m, &decision); /* refused when already done */
	else
		message_free(m);
}

int queue_refill(struct task *t, struct session *s, struct error *err)
{
	const struct journal *j = bus_journal(s->all->options.agent->bus);
	struct message *messages[SESSION_QUEUE_MAX];

	s->queue.journal_grew = false;
	int n =
	    j->ops->list_inbound(t, j->self, &s->where, s->queue.seen_id, messages, SESSION_QUEUE_MAX, err);
	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++)
		take_read(s, messages[i]);
	s->queue.journal_has_more = s->queue.journal_grew || n == SESSION_QUEUE_MAX;
	return 0;
}

void queue_clear(struct session *s)
{
	for (struct pending *p; (p = queue_shift(s));)
		pending_free(p);
}

/* Drops what the journal has as well; a /retry is not read again. */
static void forget(struct session *s)
{
	list_each(&s->queue.items, it, tmp) {
		struct pending *p = list_entry(it, struct pending, link);
		if (p->is_retry)
			continue;
		queue_take(s, p);
		pending_free(p);
	}
}

void queue_restart(struct session *s)
{
	forget(s);
	s->queue.seen_id = 0;
	s->queue.journal_has_more = true;
}

void queue_found_in_journal(struct session *s)
{
	s->queue.journal_has_more = true;
}

void queue_requeued(struct session *s, size_t count)
{
	s->queue.backlog += count;
	queue_restart(s);
}

void queue_leave(struct session *s)
{
	forget(s);
	s->queue.journal_has_more = false;
}

void queue_abandon(struct session *s)
{
	s->queue.drop_up_to_id = s->queue.newest_id;
}

int queue_drop_abandoned(struct task *t, struct session *s, struct error *err)
{
	struct pending *p;

	if (s->queue.count == 0 && s->queue.journal_has_more)
		return queue_refill(t, s, err) < 0 ? -1 : 1;
	p = queue_shift(s);
	if (p && p->m->id <= s->queue.drop_up_to_id) {
		queue_done(s, 1);
		direct_reply_none(s->all, p, "no model answered for too long");
		return 1;
	}
	if (p)
		queue_unshift(s, p);
	s->queue.drop_up_to_id = 0;
	return 1;
}
