#include <inttypes.h>
#include <stdlib.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/console/chat.h"
#include "channels/console/console.h"

#define WAIT_MAX_MS 60000

/* The position of a terminal: "next" is EPOCH-SEQ-CHANGE. */
struct place {
	bool known; /* issued by this process */
	uint64_t seq, change;
};

static bool read_number(const char **at, int base, char end, uint64_t *out)
{
	char *stop;

	*out = strtoull(*at, &stop, base);
	if (stop == *at || *stop != end)
		return false;
	*at = stop + (end != '\0');
	return true;
}

static struct place read_place(const struct console *c, const struct console_chat *chat, const char *after)
{
	struct place p = {0};
	uint64_t epoch;

	if (!after || *after == '\0') {
		p.seq = chat->acked;
		return p;
	}
	/* From an earlier process: everything since this start is new to the terminal. */
	if (!read_number(&after, 16, '-', &epoch) || epoch != c->epoch ||
	    !read_number(&after, 10, '-', &p.seq) || !read_number(&after, 10, '\0', &p.change))
		return (struct place){0};
	p.known = true;
	return p;
}

static struct json_object *entry_object(const struct console_entry *e)
{
	struct json_object *o = json_object_new_object();
	bool is_input = e->kind == CONSOLE_INPUT;

	json_set_str(o, "kind", is_input ? "said" : "message");
	json_set_str(o, "text", e->text);
	json_set_str(o, is_input ? "id" : "reply_to", e->id);
	json_set_str(o, "user", e->user);
	json_set_str(o, "terminal", e->terminal);
	json_set_str(o, "about", e->about);
	if (!is_input)
		json_set_int(o, "row", e->row);
	if (e->repeat)
		json_set_bool(o, "repeat", true);
	return o;
}

static struct json_object *events_after(struct console_chat *chat, uint64_t *seq)
{
	struct json_object *events = json_object_new_array();

	list_each(&chat->entries, it, tmp) {
		struct console_entry *e = list_entry(it, struct console_entry, link);
		if (e->seq <= *seq)
			continue;
		e->polled = true;
		*seq = e->seq;
		json_object_array_add(events, entry_object(e));
	}
	return events;
}

static struct json_object *answer(const struct console *c, struct console_chat *chat, const struct place *p)
{
	struct json_object *o = json_object_new_object(), *preview;
	uint64_t seq = p->seq;

	json_set(o, "events", events_after(chat, &seq));
	json_set_bool(o, "typing", chat->typing);
	if (chat->preview) {
		preview = json_object_new_object();
		json_set_str(preview, "text", chat->preview);
		json_set_str(preview, "reply_to", chat->preview_of);
		json_set(o, "preview", preview);
	}
	char *next = xasprintf("%" PRIx64 "-%" PRIu64 "-%" PRIu64, c->epoch, seq, chat->change);
	json_set_str(o, "next", next);
	free(next);
	return o;
}

static bool has_news(const struct console_chat *chat, const struct place *p)
{
	const struct list *last = chat->entries.prev;

	if (!p->known || chat->change != p->change)
		return true;
	return last != &chat->entries && list_entry(last, struct console_entry, link)->seq > p->seq;
}

/* Typing has no end event: it ends when nothing has repeated it in time. */
static void settle_typing(struct console_chat *chat)
{
	if (chat->typing && clock_now() >= chat->typing_until) {
		chat->typing = false;
		chat->change++;
	}
}

/* Returns 0 on news or timeout, -1 when the terminal has left or the gateway stops. */
static int await_news(struct task *t, struct console_chat *chat, const struct place *p, uint64_t due)
{
	while (clock_now() < due) {
		settle_typing(chat);
		if (has_news(chat, p))
			break;
		if (task_cond_wait_until(t, &chat->changed,
			chat->typing && chat->typing_until < due ? chat->typing_until : due, NULL) < 0)
			return -1;
	}
	return 0;
}

struct json_object *console_poll(
    struct task *t, struct channel *ch, const struct console_poll *w, struct error *err)
{
	struct console *c = ch->state;
	struct json_object *o = NULL;
	struct address where;

	if (!c) {
		error_set(err, ERROR_NETWORK, "The daemon is not ready yet.");
		return NULL;
	}
	if (address_set(&where, ch->name, w->chat ? w->chat : "", NULL, err) < 0)
		return NULL;
	struct console_chat *chat = console_hold(c, w->chat);
	struct place p = read_place(c, chat, w->after);
	if (p.known && p.seq > chat->acked)
		chat->acked = p.seq;
	chat->watchers++;
	/* An answer may wait for a terminal, or for this one's confirmation. */
	task_cond_broadcast(&chat->changed);
	int rc = await_news(t, chat, &p, clock_now() + (w->wait_ms < WAIT_MAX_MS ? w->wait_ms : WAIT_MAX_MS));
	if (rc == 0)
		o = answer(c, chat, &p);
	else
		error_cancelled(err);
	chat->watchers--;
	chat->seen_ms = clock_now();
	chat->terminal_left = !o;
	task_cond_broadcast(&chat->changed);
	console_release(chat);
	return o;
}
