#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "playground/discord/control/control.h"
#include "playground/discord/discord.h"
#include "playground/playground.h"
#include "playground/server/feed.h"

/* Returns NULL when nobody listens. */
static struct feed_mark *mark_channel(const struct cord_channel *c, enum feed_type type, const char *what)
{
	struct feed_mark *mark = feed_add(&c->world->pg->feed, type, discord_platform.name, what);
	const struct cord_channel *parent = c->parent ? c->parent : c;

	if (!mark)
		return NULL;
	snprintf(mark->chat, sizeof(mark->chat), "%" PRIu64, parent->id);
	if (parent != c)
		snprintf(mark->thread, sizeof(mark->thread), "%" PRIu64, c->id);
	return mark;
}

void cord_show_message(const struct cord_message *m, const char *what)
{
	struct feed_mark *mark = mark_channel(m->channel, FEED_MESSAGE, what);

	if (mark)
		snprintf(mark->id, sizeof(mark->id), "%" PRIu64, m->id);
}

void cord_show_typing(const struct cord_channel *c)
{
	mark_channel(c, FEED_TYPING, NULL);
}

void cord_show_channel(const struct cord_channel *c)
{
	mark_channel(c, FEED_CHAT, NULL);
}

void cord_show_chats(const struct cord_world *w)
{
	feed_add(&w->pg->feed, FEED_CHAT, discord_platform.name, NULL);
}

/* Also finds deleted messages and those that only one person sees. */
static struct cord_message *find(const struct cord_channel *c, uint64_t id)
{
	for (size_t i = c->count; i > 0 && c->messages[i - 1]->id >= id; i--)
		if (c->messages[i - 1]->id == id)
			return c->messages[i - 1];
	return NULL;
}

static void write_message(const struct cord_channel *c, const struct feed_mark *mark, struct buf *out)
{
	struct cord_message *m = c ? find(c, strtoull(mark->id, NULL, 10)) : NULL;
	struct json_object *o = m ? cord_transcript_message(m) : NULL;

	buf_addstr(out, ",\"message\":");
	json_write(out, o);
	json_object_put(o);
}

static void write_typing(const struct cord_channel *c, struct buf *out)
{
	uint64_t now = clock_now();

	if (c && c->typing_until_ms > now)
		buf_addf(out, ",\"action\":\"typing\",\"until_ms\":%" PRId64,
		    clock_wall() + (int64_t)(c->typing_until_ms - now));
	else
		buf_addstr(out, ",\"action\":\"\",\"until_ms\":0");
}

void cord_show_write(void *self, const struct feed_mark *mark, struct buf *out)
{
	const char *id = mark->thread[0] != '\0' ? mark->thread : mark->chat;
	const struct cord_channel *c = cord_channel_find(self, strtoull(id, NULL, 10));

	if (c && c->user && c->bot->id != 0)
		buf_addf(out, ",\"bot\":\"%" PRIu64 "\"", c->bot->id);
	if (mark->thread[0] != '\0')
		buf_addf(out, ",\"thread\":\"%s\"", mark->thread);
	else
		buf_addstr(out, ",\"thread\":null");
	if (mark->type == FEED_MESSAGE)
		write_message(c, mark, out);
	else if (mark->type == FEED_TYPING)
		write_typing(c, out);
}
