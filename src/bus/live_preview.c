#include "bus/bus_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"

/* A faster answer needs no preview, which saves its API calls. */
#define LIVE_FIRST_MS 250
/* Telegram shows "typing" for 5 s, Discord for 10 s. */
#define LIVE_TYPING_MS 4000
/* "typing" ends after this time, however long the turn runs. */
#define LIVE_TYPING_MAX_MS (10 * 60 * 1000)
/* Minimum time between two updates, whatever the adapter says. */
#define LIVE_FRAME_MS 50
/* How long the end of a preview waits for an update in flight. */
#define LIVE_END_MS 3000
/* Interval of checks whether a channel is ready. */
#define LIVE_READY_MS 50

struct live {
	struct list link;
	struct bus *bus;
	struct live_options options;
	struct preview preview;
	char *message_id;         /* the message that is being answered */
	struct ack_reaction *ack; /* on it; NULL: none is wanted */
	struct clock_timer timer; /* to the next update */
	struct task_group group;  /* of the task of an update, which ends before the preview is freed */
	struct task *task;
	bool begun, ended;
	bool searched;              /* for a message of an interrupted attempt */
	bool reacted;               /* the model has put its own reaction on the message, which stays */
	bool framing;               /* an update is in flight */
	bool replaced;              /* the text, since that update began */
	bool void_text;             /* the next text replaces the shown one */
	bool note;                  /* the shown text is a notice, which the next text replaces */
	bool no_typing, no_preview; /* off for this answer */
	uint64_t typing_ms, preview_ms, refresh_ms; /* when each is due */
};

/* A draft shows by itself that the bot is writing. */
static bool wants_typing(const struct live *l)
{
	return !l->no_typing && clock_now() >= l->typing_ms &&
	    (l->preview.frames == 0 || l->preview.message_id);
}

static void show_typing(struct task *t, struct live *l, struct channel *ch)
{
	struct error err = {0};

	l->typing_ms = clock_now() + LIVE_TYPING_MS;
	l->no_typing = clock_now() > l->preview.since_ms + LIVE_TYPING_MAX_MS ||
	    ch->ops->typing(t, ch, &l->options.where, &err) < 0;
	if (*err.text && !task_is_cancelled(t))
		log_debug("bus", "typing is not shown: %s", err.text);
}

static bool has_more(const struct live *l)
{
	return l->preview.text.len != l->preview.shown_len && !l->void_text;
}

/* Returns when the next update is due; UINT64_MAX: not before there is more text. */
static uint64_t frame_due(const struct live *l)
{
	if (l->no_preview || l->preview.text.len == 0)
		return UINT64_MAX;
	if (has_more(l))
		return l->preview_ms;
	return l->preview.frames > 0 ? l->refresh_ms : UINT64_MAX;
}

static void report_message(struct task *t, const struct live *l)
{
	if (l->options.shown)
		l->options.shown(t, l->options.arg, l->preview.message_id);
}

static void show_frame(struct task *t, struct live *l, struct channel *ch)
{
	struct error err = {0};
	bool had_message = l->preview.message_id;

	l->framing = true;
	l->replaced = false;
	int wait_ms = ch->ops->preview(t, ch, &l->preview, &err);
	/* The adapter has noted what it showed of the former text. */
	if (l->replaced)
		l->preview.shown_len = 0;
	if (!had_message && l->preview.message_id)
		report_message(t, l);
	l->framing = false;
	l->no_preview = wait_ms < 0;
	if (l->no_preview && !task_is_cancelled(t))
		log_debug("bus", "an answer is not shown as it grows: %s", err.text);
	l->preview_ms = clock_now() + (wait_ms > LIVE_FRAME_MS ? (uint64_t)wait_ms : LIVE_FRAME_MS);
	l->refresh_ms = clock_now() + BUS_PREVIEW_REFRESH_MS;
}

/* Of an interrupted attempt. Until it is found the answer cannot take its place, so that the end waits. */
static void find_message(struct task *t, struct live *l, struct channel *ch)
{
	l->framing = true;
	while (!bus_channel_works(ch) && task_sleep(t, LIVE_READY_MS, NULL) == 0)
		;
	if (task_check(t, NULL) == 0)
		ch->ops->find_preview(t, ch, &l->preview);
	if (l->preview.message_id)
		report_message(t, l);
	l->framing = false;
}

static bool may_have_left_message(const struct live *l, const struct channel *ch)
{
	return l->options.resumed && !l->preview.message_id && ch->ops->find_preview;
}

static void live_run(struct task *t, void *arg);

static void on_due(struct clock_timer *timer, void *arg)
{
	struct live *l = arg;

	(void)timer;
	l->task = task_start(&l->group, "live", live_run, l);
}

/* No task waits meanwhile: there are as many as turns, and each would keep its stack. */
static void wait_for_next(struct live *l, bool ready)
{
	uint64_t due = frame_due(l), now = clock_now();

	if (!l->no_typing && l->typing_ms < due && (l->preview.frames == 0 || l->preview.message_id))
		due = l->typing_ms;
	if (!ready)
		due = now + LIVE_TYPING_MS;
	if (!l->ended && due != UINT64_MAX)
		clock_timer_start(&l->timer, due > now ? due - now : 0, on_due, l);
}

static void live_run(struct task *t, void *arg)
{
	struct live *l = arg;
	struct channel *ch = bus_channel_of(l->bus, &l->options.where);
	bool ready;

	if (may_have_left_message(l, ch) && !l->searched)
		find_message(t, l, ch);
	l->searched = true;
	ready = bus_channel_works(ch);
	if (ready && !l->ended && frame_due(l) <= clock_now())
		show_frame(t, l, ch);
	else if (ready && !l->ended && wants_typing(l))
		show_typing(t, l, ch);
	l->task = NULL;
	wait_for_next(l, ready);
}

static void live_begin(struct clock_timer *timer, void *arg)
{
	struct live *l = arg;
	const struct channel *ch = bus_channel(l->bus, l->options.where.channel);

	l->begun = true;
	l->no_typing = !(ch->ops->caps & CHANNEL_TYPING);
	l->no_preview = !ch->ops->preview;
	l->typing_ms = clock_now();
	if (!l->reacted)
		ack_reaction_show(l->ack);
	on_due(timer, l);
}

struct live *bus_live_start(struct bus *b, const struct live_options *options)
{
	struct live *l = xcalloc(1, sizeof(*l));

	l->bus = b;
	l->options = *options;
	l->message_id = xstrdup(options->message_id);
	if (options->ack && options->message_id)
		l->ack = ack_reaction_new(b, &options->where, options->message_id, options->resumed);
	l->preview.where = options->where;
	buf_init(&l->preview.text);
	l->preview.reply_to = xstrdup(options->message_id);
	l->preview.message_id = xstrdup(options->preview_id);
	l->preview.buttons = xstrdup(options->buttons);
	l->preview.since_ms = clock_now();
	l->preview.draft = options->turn % INT32_MAX + 1;
	task_group_init(&l->group);
	list_append(&b->previews, &l->link);
	struct channel *ch = bus_channel_of(b, &options->where);
	if (ch && !b->stopping && may_have_left_message(l, ch))
		live_begin(NULL, l);
	else if (ch && !b->stopping)
		clock_timer_start(&l->timer, LIVE_FIRST_MS, live_begin, l);
	return l;
}

static void begin_again(struct live *l)
{
	l->void_text = l->note = false;
	l->replaced = true;
	buf_reset(&l->preview.text);
	l->preview.shown_len = 0;
}

static void add_text(struct live *l, const char *piece, size_t len)
{
	bool waits = !has_more(l);

	buf_add(&l->preview.text, piece, len);
	if (waits && l->begun && !l->task)
		wait_for_next(l, true);
}

void bus_live_text(struct live *l, const char *piece, size_t len)
{
	if (l->void_text || l->note)
		begin_again(l);
	add_text(l, piece, len);
}

void bus_live_restart(struct live *l)
{
	l->void_text = !l->note;
}

void bus_live_note(struct live *l, const char *text)
{
	begin_again(l);
	add_text(l, text, strlen(text));
	l->note = true;
}

const char *bus_live_so_far(const struct live *l)
{
	return l->void_text || l->note ? "" : l->preview.text.data;
}

static void stop(struct live *l, bool at_once)
{
	l->ended = true;
	clock_timer_stop(&l->timer);
	if (l->task && (at_once || !l->framing))
		task_cancel(l->task);
}

static void on_overdue(struct clock_timer *timer, void *arg)
{
	(void)timer;
	stop(arg, true);
}

char *bus_live_end(struct task *t, struct live *l)
{
	stop(l, l->bus->stopping);
	clock_timer_start(&l->timer, LIVE_END_MS, on_overdue, l);
	task_shield(t);
	task_group_wait(t, &l->group, NULL);
	task_unshield(t);
	clock_timer_stop(&l->timer);
	char *message_id = l->preview.message_id;
	ack_reaction_end(l->ack, l->reacted);
	list_remove(&l->link);
	buf_clear(&l->preview.text);
	free(l->preview.reply_to);
	free(l->preview.buttons);
	free(l->message_id);
	free(l);
	return message_id;
}

int bus_react(struct task *t, struct bus *b, const struct address *where, const char *message_id,
    const char *emoji, struct error *err)
{
	struct channel *ch = bus_channel_of(b, where);
	int rc;

	if (!ch || !ch->ops->react)
		rc = error_set(err, ERROR_REFUSED, "there are no reactions");
	else if (!ch->state)
		rc = error_set(err, ERROR_REFUSED, "the channel does not run here: try again later");
	else
		rc = ch->ops->react(t, ch, where, message_id, emoji, err);

	list_each(&b->previews, it, tmp) {
		struct live *l = list_entry(it, struct live, link);
		l->reacted |= rc == 0 && l->message_id && strcmp(l->message_id, message_id) == 0 &&
		    strcmp(l->options.where.channel, where->channel) == 0 &&
		    strcmp(l->options.where.chat, where->chat) == 0;
	}
	return rc;
}

void live_stop_all(struct bus *b)
{
	list_each(&b->previews, it, tmp)
		stop(list_entry(it, struct live, link), true);
}
