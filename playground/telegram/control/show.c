#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "playground/playground.h"
#include "playground/server/feed.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/telegram.h"

/* Returns NULL when nobody listens. */
static struct feed_mark *mark_chat(const struct chat *c, enum feed_type type, const char *what)
{
	struct feed_mark *mark = feed_add(&c->world->pg->feed, type, telegram_platform.name, what);

	if (!mark)
		return NULL;
	snprintf(mark->chat, sizeof(mark->chat), "%" PRId64, c->id);
	mark->number = c->kind == CHAT_PRIVATE && c->member_count > 0 ? chat_key(c) : 0;
	return mark;
}

void show_message(const struct chat *c, const struct message *m, const char *what)
{
	struct feed_mark *mark = mark_chat(c, FEED_MESSAGE, what);

	if (mark)
		snprintf(mark->id, sizeof(mark->id), "%" PRId32, m->id);
}

void show_drafts(const struct chat *c)
{
	mark_chat(c, FEED_DRAFT, NULL);
}

void show_action(const struct chat *c)
{
	mark_chat(c, FEED_TYPING, NULL);
}

void show_chat(const struct chat *c)
{
	mark_chat(c, FEED_CHAT, NULL);
}

static void write_message(struct chat *c, const struct feed_mark *mark, struct buf *out)
{
	const struct message *m = c ? chat_message_ever(c, strtoll(mark->id, NULL, 10)) : NULL;

	if (m && m->thread != 0)
		buf_addf(out, ",\"thread\":\"%" PRId32 "\"", m->thread);
	else
		buf_addstr(out, ",\"thread\":null");
	buf_addstr(out, ",\"message\":");
	if (m)
		transcript_write_message(m, c, out);
	else
		buf_addstr(out, "null");
}

static void write_drafts(struct chat *c, const struct feed_mark *mark, struct buf *out)
{
	(void)mark;
	buf_addstr(out, ",\"drafts\":[");
	if (c)
		transcript_write_drafts(c, out);
	buf_addch(out, ']');
}

static void write_action(struct chat *c, const struct feed_mark *mark, struct buf *out)
{
	uint64_t now = clock_now();

	(void)mark;
	if (c && c->action_until_ms > now)
		buf_addf(out, ",\"action\":\"%s\",\"until_ms\":%" PRId64, c->action,
		    clock_wall() + (int64_t)(c->action_until_ms - now));
	else
		buf_addstr(out, ",\"action\":\"\",\"until_ms\":0");
}

void show_write(void *self, const struct feed_mark *mark, struct buf *out)
{
	static void (*const writers[])(struct chat *, const struct feed_mark *, struct buf *) = {
	    [FEED_DRAFT] = write_drafts,
	    [FEED_MESSAGE] = write_message,
	    [FEED_TYPING] = write_action,
	};
	struct world *w = self;
	int64_t id = strtoll(mark->chat, NULL, 10);
	struct chat *c =
	    mark->number != 0 ? map_get(&w->privates, mark->number, id) : map_get(&w->groups, id, 0);

	if (c && c->kind == CHAT_PRIVATE && c->members[0].bot->id != 0)
		buf_addf(out, ",\"bot\":\"%" PRId64 "\"", c->members[0].bot->id);
	if (c && c->business)
		buf_addf(out, ",\"business\":\"%s\"", c->business);
	if (mark->type < sizeof(writers) / sizeof(writers[0]) && writers[mark->type])
		writers[mark->type](c, mark, out);
}
