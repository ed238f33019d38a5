#include "session/queue_mode.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "agent/agent.h"
#include "base/mem.h"
#include "bus/journal.h"
#include "session/session_internal.h"
#include "session/session_settings.h"
#include "store/chats.h"

const char *const queue_mode_choices[] = {"collect", "interrupt", "queue", "steer", NULL};

/* The mode of one chat. */
struct chat_mode {
	struct address where; /* first member: the key in the tree; without thread */
	enum queue_mode mode;
};

const char *queue_mode_name(enum queue_mode mode)
{
	return mode == QUEUE_DEFAULT ? "default" : queue_mode_choices[mode - 1];
}

bool queue_mode_parse(const char *name, enum queue_mode *mode)
{
	for (*mode = QUEUE_DEFAULT; *mode <= QUEUE_STEER; (*mode)++)
		if (strcmp(queue_mode_name(*mode), name) == 0)
			return true;
	return false;
}

static int chat_compare(const void *a, const void *b)
{
	const struct address *x = a, *y = b;
	int c = strcmp(x->chat, y->chat);

	return c ? c : strcmp(x->channel, y->channel);
}

static struct chat_mode *find(const struct sessions *all, const struct address *where)
{
	struct chat_mode **at = tfind(where, &all->modes, chat_compare);

	return at ? *at : NULL;
}

static void forget(struct sessions *all, struct chat_mode *c)
{
	tdelete(c, &all->modes, chat_compare);
	free(c);
}

void queue_mode_note(struct sessions *all, const struct address *where, enum queue_mode mode)
{
	struct chat_mode *c = find(all, where);

	if (mode == QUEUE_DEFAULT) {
		if (c)
			forget(all, c);
		return;
	}
	if (!c) {
		c = xcalloc(1, sizeof(*c));
		c->where = *where;
		tsearch(c, &all->modes, chat_compare);
	}
	c->mode = mode;
}

int queue_mode_load(struct task *t, struct sessions *all, struct error *err)
{
	struct store_chat *chats = NULL;
	int count = store_chats(t, all->options.agent->store, &chats, err);

	for (int i = 0; i < count; i++)
		queue_mode_note(all, &chats[i].where, (enum queue_mode)chats[i].queue);
	free(chats);
	return count < 0 ? -1 : 0;
}

void queue_mode_clear(struct sessions *all)
{
	while (all->modes)
		forget(all, *(struct chat_mode **)all->modes);
}

enum queue_mode queue_mode_of_chat(const struct sessions *all, const struct address *where)
{
	const struct chat_mode *c = find(all, where);

	return c ? c->mode : QUEUE_DEFAULT;
}

enum queue_mode queue_mode_configured(const struct sessions *all)
{
	return (enum queue_mode)(all->options.settings->queue + 1);
}

enum queue_mode queue_mode(const struct sessions *all, const struct address *where)
{
	enum queue_mode own = queue_mode_of_chat(all, where);

	return own != QUEUE_DEFAULT ? own : queue_mode_configured(all);
}

void queue_mode_move(struct sessions *all, const struct journal_move *move)
{
	struct address before = {0}, after = {0};
	struct chat_mode *c;

	memcpy(before.channel, move->channel, sizeof(before.channel));
	memcpy(before.chat, move->old_chat, sizeof(before.chat));
	after = before;
	memcpy(after.chat, move->new_chat, sizeof(after.chat));
	if (!(c = find(all, &before)))
		return;
	queue_mode_note(all, &after, c->mode);
	forget(all, c);
}
