#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "agent/budget.h"
#include "agent/turn_state.h"
#include "base/mem.h"
#include "session/session_internal.h"

/* The turns of one person, or of a chat whose turn is resumed: whoever has few gets the next slot. */
struct turn_share {
	struct store_account whose;
	size_t running;
	struct list waiting; /* of struct turn_slot, first come, first served */
	struct list link;    /* in slots.waiting, while it has some */
};

static int share_compare(const void *a, const void *b)
{
	const struct store_account *x = a, *y = b;
	int c = strcmp(x->who, y->who);

	if (c == 0)
		c = strcmp(x->channel, y->channel);
	return c ? c : (int)x->scope - (int)y->scope;
}

static struct store_account account_of(const struct session *s)
{
	const struct message *m = s->runner.turn ? s->runner.turn->row.asked :
	    s->state == SESSION_INTERRUPTED      ? NULL :
						   queue_first(s);
	bool is_person = m && m->sender_id && !m->sender_is_chat;

	return budget_account_of(s->all->options.agent, is_person ? STORE_PERSON : STORE_CHAT, &s->where,
	    is_person ? m->sender_id : NULL);
}

static struct turn_share *share_of(const struct session *s)
{
	const struct store_account whose = account_of(s);
	struct turn_share **at = tfind(&whose, &s->all->slots.shares, share_compare);

	if (at)
		return *at;
	struct turn_share *share = xcalloc(1, sizeof(*share));
	share->whose = whose;
	list_init(&share->waiting);
	list_init(&share->link);
	tsearch(share, &s->all->slots.shares, share_compare);
	return share;
}

static void wait_begin(struct session *s)
{
	struct turn_share *share = share_of(s);

	s->slot.share = share;
	if (list_is_empty(&share->waiting))
		list_append(&s->all->slots.waiting, &share->link);
	list_append(&share->waiting, &s->slot.link);
}

static void share_changed(struct session *s)
{
	struct turn_share *share = s->slot.share;

	if (share->running > 0 || !list_is_empty(&share->waiting))
		return;
	tdelete(share, &s->all->slots.shares, share_compare);
	free(share);
	s->slot.share = NULL;
}

/* The share goes behind the others that wait. */
static void wait_end(struct session *s, bool taken)
{
	struct turn_share *share = s->slot.share;

	list_remove(&s->slot.link);
	list_remove(&share->link);
	if (!list_is_empty(&share->waiting))
		list_append(&s->all->slots.waiting, &share->link);
	s->all->slots.taken += taken;
	share->running += taken;
	share_changed(s);
}

void turn_slots_init(struct turn_slots *slots)
{
	list_init(&slots->waiting);
	task_cond_init(&slots->suspect_ended);
}

/* Returns the session that gets the next slot: one of the share with the fewest. No share gets more slots
 * than remain free: one person with many slow turns leaves half of them, two leave a third, and so on. */
static struct session *next_of(const struct sessions *all)
{
	const struct turn_slots *slots = &all->slots;
	size_t most = all->options.turns_at_once;
	size_t least = most > slots->taken ? most - slots->taken : 0;
	struct turn_share *best = NULL;

	for (struct list *it = slots->waiting.next; least > 0 && it != &slots->waiting; it = it->next) {
		struct turn_share *share = list_entry(it, struct turn_share, link);
		if (share->running >= least)
			continue;
		best = share;
		least = share->running;
	}
	return best ? list_entry(list_first(&best->waiting), struct session, slot.link) : NULL;
}

static void wake_next(struct sessions *all)
{
	struct session *s = next_of(all);

	if (s)
		task_wake(s->slot.task ? s->slot.task : s->task);
}

int turn_slot_take(struct task *t, struct session *s, struct error *err)
{
	struct sessions *all = s->all;
	int rc = 0;

	if (s->state == SESSION_IDLE)
		session_move(s, SESSION_WAITING_FOR_SLOT);
	wait_begin(s);
	while (rc == 0 && next_of(all) != s && session_wants_turn(s))
		rc = task_wait(t, err);
	bool taken = rc == 0 && session_wants_turn(s);
	if (!taken && s->state == SESSION_WAITING_FOR_SLOT)
		session_move(s, SESSION_IDLE);
	wait_end(s, taken);
	wake_next(all);
	return rc < 0 ? -1 : taken;
}

void turn_slot_release(struct session *s)
{
	s->all->slots.taken--;
	s->slot.share->running--;
	share_changed(s);
	wake_next(s->all);
}

int turn_slot_retake(struct task *t, struct session *s, struct error *err)
{
	int rc = 0;

	s->slot.task = t;
	wait_begin(s);
	while (rc == 0 && next_of(s->all) != s)
		rc = task_wait(t, err);
	s->slot.task = NULL;
	wait_end(s, true);
	wake_next(s->all);
	return rc;
}

void turn_slots_changed(struct sessions *all)
{
	wake_next(all);
}

int turn_suspect_begin(struct task *t, struct session *s, struct error *err)
{
	struct turn_slots *slots = &s->all->slots;
	int rc = 0;

	while (rc == 0 && slots->suspect && !s->runner.stop_requested)
		rc = task_cond_wait(t, &slots->suspect_ended, err);
	if (rc == 0 && !slots->suspect)
		slots->suspect = s;
	return rc;
}

void turn_suspect_end(struct session *s)
{
	struct turn_slots *slots = &s->all->slots;

	if (slots->suspect != s)
		return;
	slots->suspect = NULL;
	task_cond_signal(&slots->suspect_ended);
}
