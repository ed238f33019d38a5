#include "session/session_internal.h"

void turn_slots_init(struct turn_slots *slots)
{
	list_init(&slots->waiting);
	list_init(&slots->suspects);
}

void turn_slot_init(struct turn_slot *slot)
{
	list_init(&slot->link);
	list_init(&slot->suspect_link);
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

	list_append(&all->slots.waiting, &s->slot.link);
	while (rc == 0 && !is_next(s) && session_wants_turn(s))
		rc = task_wait(t, err);
	bool taken = rc == 0 && session_wants_turn(s);
	list_remove(&s->slot.link);
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
	struct list *all = &s->all->slots.suspects;
	int rc = 0;

	list_append(all, &s->slot.suspect_link);
	while (rc == 0 && all->next != &s->slot.suspect_link && !s->runner.stop_requested)
		rc = task_wait(t, err);
	return rc;
}

void turn_suspect_end(struct session *s)
{
	struct list *all = &s->all->slots.suspects, *first;

	list_remove(&s->slot.suspect_link);
	if ((first = list_first(all)))
		task_wake(list_entry(first, struct session, slot.suspect_link)->task);
}
