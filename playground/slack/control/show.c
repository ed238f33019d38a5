#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/playground.h"
#include "playground/server/feed.h"
#include "playground/slack/control/control.h"
#include "playground/slack/slack.h"

/* Returns NULL when nobody listens. */
static struct feed_mark *mark_conv(const struct slk_conv *c, enum feed_type type, const char *what)
{
	struct feed_mark *mark = feed_add(&c->world->pg->feed, type, slack_platform.name, what);

	if (mark)
		str_copy(mark->chat, sizeof(mark->chat), c->id);
	return mark;
}

void slk_show_message(const struct slk_conv *c, const struct slk_message *m, const char *what)
{
	struct feed_mark *mark = mark_conv(c, FEED_MESSAGE, what);

	if (mark)
		slk_write_ts(m->ts, mark->id);
}

void slk_show_status(const struct slk_conv *c, int64_t thread)
{
	struct feed_mark *mark = mark_conv(c, FEED_TYPING, NULL);

	if (mark && thread != 0)
		slk_write_ts(thread, mark->thread);
}

void slk_show_conv(const struct slk_conv *c)
{
	mark_conv(c, FEED_CHAT, NULL);
}

/* Also finds deleted messages and those that only one person sees. */
static struct slk_message *find(const struct slk_conv *c, int64_t ts)
{
	for (size_t i = c->count; i > 0 && c->messages[i - 1]->ts >= ts; i--)
		if (c->messages[i - 1]->ts == ts)
			return c->messages[i - 1];
	return NULL;
}

static void write_thread(int64_t thread, struct buf *out)
{
	char text[SLK_ID_SIZE];

	slk_write_ts(thread, text);
	buf_addf(out, thread != 0 ? ",\"thread\":\"%s\"" : ",\"thread\":null", text);
}

static void write_message(
    struct slk_world *w, struct slk_conv *c, const struct feed_mark *mark, struct buf *out)
{
	struct slk_message *m = NULL;
	int64_t ts;

	if (c && slk_read_ts(mark->id, &ts))
		m = find(c, ts);
	write_thread(m ? m->thread : 0, out);
	buf_addstr(out, ",\"message\":");
	if (m)
		slk_transcript_write_message(w, m, out);
	else
		buf_addstr(out, "null");
}

static void write_status(struct slk_conv *c, const struct feed_mark *mark, struct buf *out)
{
	int64_t thread = 0, until_ms = 0;
	const char *status;

	if (mark->thread[0] != '\0')
		slk_read_ts(mark->thread, &thread);
	status = c ? slk_conv_status(c, thread) : NULL;
	if (status)
		until_ms = clock_wall() + SLK_STATUS_MS;
	write_thread(thread, out);
	buf_addf(out, ",\"action\":\"%s\",\"until_ms\":%" PRId64, status ? "status" : "", until_ms);
	if (status) {
		buf_addstr(out, ",\"text\":");
		json_quote(out, status, strlen(status));
	}
}

void slk_show_write(void *self, const struct feed_mark *mark, struct buf *out)
{
	struct slk_world *w = self;
	struct slk_conv *c = slk_conv_find(w, mark->chat);

	if (c && c->user)
		buf_addf(out, ",\"bot\":\"%s\"", c->app->app_id);
	if (mark->type == FEED_MESSAGE)
		write_message(w, c, mark, out);
	else if (mark->type == FEED_TYPING)
		write_status(c, mark, out);
}
