#include "session/session_internal.h"

void turn_slots_init(struct turn_slots *slots)
{
	list_init(&slots->waiting);
	task_cond_init(&slots->suspect_ended);
}

static bool is_full(const struct sessions *all)
{
	return all->slots.taken >= all->options.turns_at_once;
}

static void wake_first(struct sessions *all)
{
	struct list *first = list_first(&all->slots.waiting);

	if (!first || is_full(all))
		return;
	struct session *s = list_entry(first, struct session, slot.link);
	task_wake(s->slot.task ? s->slot.task : s->task);
}

static bool is_next(const struct session *s)
{
	return !is_full(s->all) && s->all->slots.waiting.next == &s->slot.link;
}

int turn_slot_take(struct task *t, struct session *s, struct error *err)
{
	struct sessions *all = s->all;
	int rc = 0;

	if (s->state == SESSION_IDLE)
		session_move(s, SESSION_WAITING_FOR_SLOT);
	list_append(&all->slots.waiting, &s->slot.link);
	while (rc == 0 && !is_next(s) && session_wants_turn(s))
		rc = task_wait(t, err);
	bool taken = rc == 0 && session_wants_turn(s);
	list_remove(&s->slot.link);
	if (!taken && s->state == SESSION_WAITING_FOR_SLOT)
		session_move(s, SESSION_IDLE);
	all->slots.taken += taken;
	wake_first(all);
	return rc < 0 ? -1 : taken;
}

void turn_slot_release(struct session *s)
{
	s->all->slots.taken--;
	wake_first(s->all);
}

int turn_slot_retake(struct task *t, struct session *s, struct error *err)
{
	int rc = 0;

	s->slot.task = t;
	list_append(&s->all->slots.waiting, &s->slot.link);
	while (rc == 0 && !is_next(s))
		rc = task_wait(t, err);
	list_remove(&s->slot.link);
	s->slot.task = NULL;
	s->all->slots.taken++;
	wake_first(s->all);
	return rc;
}

void turn_slots_changed(struct sessions *all)
{
	wake_first(all);
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
