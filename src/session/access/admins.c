#include "session/access/admins.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "bus/bus.h"
#include "session/access/grants.h"
#include "session/session_internal.h"
#include "store/grants.h"

struct found {
	struct address *out;
	size_t count, most;
};

static void add_person(struct found *f, const struct channel *ch, const char *id)
{
	char *chat = xasprintf("%s%s", ch->ops->person_chat, id);

	if (f->count < f->most && strcmp(id, "*") != 0 &&
	    address_set(&f->out[f->count], ch->name, chat, NULL, NULL) == 0)
		f->count++;
	free(chat);
}

static void add_admins(struct found *f, const struct sessions *all, const char *channel)
{
	const struct channel *ch = bus_channel(all->options.agent->bus, channel);
	const struct access_settings *s = all->options.access(all->options.arg, channel);

	if (!ch || !s || !ch->ops->person_chat)
		return;
	const struct config_strings *lists[] = {&s->owners, &s->admins};
	for (size_t k = 0; k < ARRAY_LEN(lists); k++)
		for (size_t i = 0; i < lists[k]->count; i++)
			add_person(f, ch, lists[k]->items[i]);
	for (size_t i = 0; i < all->grants->count; i++) {
		const struct store_grant *g = all->grants->items[i];
		if (g->role >= ACCESS_ADMIN && strcmp(g->channel, ch->name) == 0)
			add_person(f, ch, g->person);
	}
}

size_t admins_find(const struct sessions *all, const char *channel, struct address *out, size_t most)
{
	const struct sessions_options *o = &all->options;
	struct found f = {.out = out, .most = most};
	struct address *to = NULL;
	size_t count = 0;

	if (!o->reports || !o->reports(o->arg, &to, &count))
		add_admins(&f, all, channel);
	for (size_t i = 0; i < count && f.count < most; i++)
		out[f.count++] = to[i];
	free(to);
	return f.count;
}

size_t admins_find_all(void *arg, struct address *out, size_t most)
{
	const struct sessions *all = arg;
	const struct sessions_options *o = &all->options;
	struct found f = {.out = out, .most = most};
	struct address *to = NULL;
	size_t count = 0;

	if (o->reports && o->reports(o->arg, &to, &count)) {
		free(to);
		return admins_find(all, "", out, most);
	}
	for (struct channel *ch = NULL; (ch = bus_next_channel(o->agent->bus, ch));)
		add_admins(&f, all, ch->name);
	return f.count;
}
