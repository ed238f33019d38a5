#include "channels/console/chat.h"

#include <inttypes.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/channel.h"

/* Longer than the bus waits between two typing signals. */
#define TYPING_MS 5000
#define FRAME_MS  50

char **console_split(const char *text)
{
	char **parts = xcalloc(2, sizeof(*parts));

	parts[0] = xstrdup(text);
	return parts;
}

int console_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err)
{
	struct console_chat *chat = console_hold(ch->state, delivery->to.chat);
	int rc = 0;

	while (rc >= 0 && !console_has_terminal(chat))
		rc = t ? task_cond_wait(t, &chat->changed, NULL) : -1;
	console_release(chat);
	return rc < 0 ? error_cancelled(err) : 0;
}

/* The answer has arrived: its preview is over. */
static void end_preview(struct console_chat *chat, const struct outbound *delivery)
{
	if (delivery->kind != OUTBOUND_REPLY)
		return;
	if (chat->preview_of && delivery->reply_to && strcmp(chat->preview_of, delivery->reply_to) == 0) {
		free(chat->preview);
		free(chat->preview_of);
		chat->preview = chat->preview_of = NULL;
	}
	chat->typing = false;
	chat->change++;
}

/* Returns what a message of a turn is, by its key: "approval" and "question" wait for the person, "waits"
 * says that no model answers, "failed" ends a turn without an answer, "notice" goes before the answer. NULL:
 * an answer, or of no turn. */
static const char *about_of(const char *key)
{
	static const struct {
		const char *end, *about;
	} rows[] = {{":approval:", "approval"}, {":ask:", "question"}, {":failed", "failed"},
	    {":waits:", "notice"}, {":waits", "waits"}, {":", "notice"}};
	const char *end = key && strncmp(key, "turn:", 5) == 0 ? strchr(key + 5, ':') : NULL;

	for (size_t i = 0; end && i < ARRAY_LEN(rows); i++)
		if (strncmp(end, rows[i].end, strlen(rows[i].end)) == 0)
			return rows[i].about;
	return NULL;
}

/* A delivery that is sent again is the same entry, so that a terminal's confirmation of the first time
 * counts. */
static struct console_entry *entry_of(
    struct console *c, struct console_chat *chat, const struct outbound *delivery)
{
	struct console_entry *e = console_find_row(chat, delivery->id);

	if (!e) {
		end_preview(chat, delivery);
		e = console_add(c, chat,
		    &(struct console_entry){.kind = CONSOLE_MESSAGE,
			.text = xstrdup(delivery->text),
			.id = xstrdup(delivery->reply_to),
			.about = about_of(delivery->key),
			.row = delivery->id});
	}
	e->repeat = e->repeat || delivery->repeat;
	return e;
}

int console_send(struct task *t, struct channel *ch, const struct outbound *delivery, char **platform_id,
    struct error *err)
{
	struct console_chat *chat = console_hold(ch->state, delivery->to.chat);
	struct console_entry *e = entry_of(ch->state, chat, delivery);
	uint64_t seq = e->seq;
	int rc = 0;

	while (rc >= 0 && chat->acked < seq && console_has_terminal(chat))
		rc = task_cond_wait_until(t, &chat->changed,
		    chat->watchers > 0 ? UINT64_MAX : chat->seen_ms + CONSOLE_LINGER_MS, NULL);
	if (chat->acked >= seq) {
		*platform_id = xasprintf("%" PRId64, delivery->id);
		rc = 0;
	} else {
		rc = error_set(err, rc < 0 ? ERROR_CANCELLED : ERROR_NETWORK,
		    "the terminal left before it confirmed the message");
		err->uncertain = e->repeat = e->polled;
	}
	console_release(chat);
	return rc;
}

int console_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err)
{
	struct console_chat *chat = console_find(ch->state, where->chat);

	(void)t;
	(void)err;
	if (!chat)
		return 0;
	chat->typing_until = clock_now() + TYPING_MS;
	if (!chat->typing) {
		chat->typing = true;
		chat->change++;
		task_cond_broadcast(&chat->changed);
	}
	return 0;
}

int console_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err)
{
	struct console_chat *chat = console_find(ch->state, p->where.chat);

	(void)t;
	(void)err;
	p->frames++;
	p->shown_len = p->text.len;
	if (!chat || (chat->preview && strcmp(chat->preview, p->text.data) == 0))
		return FRAME_MS;
	free(chat->preview);
	free(chat->preview_of);
	chat->preview = xstrdup(p->text.data);
	chat->preview_of = xstrdup(p->reply_to);
	chat->change++;
	task_cond_broadcast(&chat->changed);
	return FRAME_MS;
}
