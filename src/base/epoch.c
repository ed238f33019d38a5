#include "base/epoch.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"

/* The time between two retirements, with the objects retired at its end. */
struct epoch {
	struct list link;
	size_t inside;
	void (*end)(void *arg); /* NULL: the current one */
	void *arg;
};

static struct list epochs = {&epochs, &epochs}; /* oldest first; the last is the current one */

static struct epoch *epoch_new(void)
{
	struct epoch *e = xcalloc(1, sizeof(*e));

	list_append(&epochs, &e->link);
	return e;
}

static struct epoch *present(void)
{
	return list_is_empty(&epochs) ? epoch_new() : list_entry(epochs.prev, struct epoch, link);
}

/* A reader of an older epoch may hold what a younger one retires, so the oldest ends first. */
static void sweep(void)
{
	for (struct list *first; (first = list_first(&epochs));) {
		struct epoch *e = list_entry(first, struct epoch, link);
		if (e->inside > 0)
			return;
		list_remove(first);
		if (e->end)
			e->end(e->arg);
		free(e);
	}
}

struct epoch *epoch_enter(void)
{
	struct epoch *e = present();

	e->inside++;
	return e;
}

void epoch_leave(struct epoch *e)
{
	if (!e)
		return;
	e->inside--;
	sweep();
}

void epoch_retire(void (*end)(void *arg), void *arg)
{
	struct epoch *e = present();

	e->end = end;
	e->arg = arg;
	epoch_new();
	sweep();
}
