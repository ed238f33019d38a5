#include "channels/discord/greeting.h"

#include <stdlib.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/discord/discord_internal.h"

struct greeting {
	struct list link;
	uint64_t guild, due_ms;
	struct message *message;
};

static void greeting_free(struct greeting *g)
{
	list_remove(&g->link);
	message_free(g->message);
	free(g);
}

void discord_greeting_later(struct discord *d, uint64_t guild, struct message *m)
{
	struct greeting *g = xcalloc(1, sizeof(*g));

	discord_greeting_drop(d, guild);
	g->guild = guild;
	g->due_ms = clock_now() + d->limits->greet_ms;
	g->message = m;
	list_append(&d->greetings, &g->link);
}

void discord_greeting_drop(struct discord *d, uint64_t guild)
{
	list_each(&d->greetings, it, tmp) {
		struct greeting *g = list_entry(it, struct greeting, link);
		if (g->guild == guild)
			greeting_free(g);
	}
}

uint64_t discord_greeting_due(const struct discord *d)
{
	/* All wait equally long, so that the first is the next. */
	if (d->greetings.next == &d->greetings)
		return UINT64_MAX;
	return list_entry(d->greetings.next, struct greeting, link)->due_ms;
}

int discord_greeting_commit(struct task *t, struct discord *d, struct error *err)
{
	while (discord_greeting_due(d) <= clock_now()) {
		struct greeting *g = list_entry(d->greetings.next, struct greeting, link);
		struct message *m = g->message;

		g->message = NULL;
		greeting_free(g);
		if (channel_received(t, d->ch, &m, 1, NULL, err) < 0)
			return -1;
	}
	return 0;
}

void discord_greeting_clear(struct discord *d)
{
	list_each(&d->greetings, it, tmp)
		greeting_free(list_entry(it, struct greeting, link));
}
