#include "bus/outbox_sender_internal.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/task.h"
#include "bus/bus_internal.h"

static int outbox_sender_compare(const void *a, const void *b)
{
	const struct outbox_sender *x = a, *y = b;
	int c = strcmp(x->key.chat, y->key.chat);

	c = c ? c : strcmp(x->key.channel, y->key.channel);
	return c ? c : (x->file > y->file) - (x->file < y->file);
}

struct outbox_sender *outbox_sender_find(const struct bus *b, const struct journal_queue *key, int64_t file)
{
	const struct outbox_sender wanted = {.key = *key, .file = file};
	struct outbox_sender **at = tfind(&wanted, &b->senders, outbox_sender_compare);

	return at ? *at : NULL;
}

void outbox_sender_start(
    struct bus *b, const struct journal_queue *key, int64_t file, void (*run)(struct task *t, void *arg))
{
	struct outbox_sender *l = xcalloc(1, sizeof(*l));

	l->key = *key;
	l->file = file;
	l->bus = b;
	tsearch(l, &b->senders, outbox_sender_compare);
	b->sender_count++;
	l->task = task_start(&b->tasks, "outbox_sender", run, l);
}

void outbox_sender_end(struct outbox_sender *l)
{
	tdelete(l, &l->bus->senders, outbox_sender_compare);
	l->bus->sender_count--;
	free(l);
}
