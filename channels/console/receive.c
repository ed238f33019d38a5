#include <ctype.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/channel.h"
#include "channels/console/chat.h"
#include "channels/console/console.h"

#define TEXT_MAX (256 * 1024)
#define NAME_MAX 64

/* Checks the ids of a message and a terminal, and the name of a person. */
static bool is_name(const char *s)
{
	size_t len = strlen(s);

	for (size_t i = 0; i < len; i++)
		if (!isgraph((unsigned char)s[i]))
			return false;
	return len > 0 && len <= NAME_MAX;
}

static int check(const struct console_input *w, struct error *err)
{
	size_t len = w->text ? strlen(w->text) : 0;

	if (!w->id || !is_name(w->id))
		return error_set(err, ERROR_OURS,
		    "missing 'id': at most %d printable characters that name the message", NAME_MAX);
	if ((w->user && !is_name(w->user)) || (w->terminal && !is_name(w->terminal)))
		return error_set(
		    err, ERROR_OURS, "'user' and 'terminal' are at most %d printable characters", NAME_MAX);
	if (len == 0 || w->text[strspn(w->text, " \t\r\n")] == '\0')
		return error_set(err, ERROR_OURS, "missing 'text': what to say, not blank");
	if (len > TEXT_MAX)
		return error_set(err, ERROR_OURS,
		    "The text has %zu KiB, and %d are the most. Put it into a file and name that.",
		    len / 1024, TEXT_MAX / 1024);
	if (!utf8_valid(w->text, len))
		return error_set(err, ERROR_OURS, "The text is not UTF-8.");
	return 0;
}

static struct message *message_of(
    const struct channel *ch, const struct console_input *w, const struct address *from)
{
	struct message *m = message_new();

	m->account = xasprintf("console:%s", ch->name);
	m->event_id = xasprintf("%s:%s", w->chat, w->id);
	m->from = *from;
	m->chat_kind = CHAT_PRIVATE;
	m->sender_id = xstrdup(w->user ? w->user : w->chat);
	m->sender_name = xstrdup(m->sender_id);
	m->message_id = xstrdup(w->id);
	m->addressed = true;
	free(m->text);
	m->text = xstrdup(w->text);
	m->sent_ms = clock_wall();
	return m;
}

/* The other terminals of the chat see it, once. */
static void show(struct console *c, const struct console_input *w)
{
	struct console_chat *chat = console_hold(c, w->chat);

	if (!console_find_input(chat, w->id))
		console_add(c, chat,
		    &(struct console_entry){.kind = CONSOLE_INPUT,
			.text = xstrdup(w->text),
			.id = xstrdup(w->id),
			.user = xstrdup(w->user ? w->user : w->chat),
			.terminal = xstrdup(w->terminal)});
	console_release(chat);
}

int console_receive(struct task *t, struct channel *ch, const struct console_input *w, struct error *err)
{
	struct address from;

	if (!ch->state)
		return error_set(err, ERROR_NETWORK, "The daemon is not ready yet.");
	if (address_set(&from, ch->name, w->chat ? w->chat : "", NULL, err) < 0 || check(w, err) < 0)
		return -1;
	struct message *m = message_of(ch, w, &from);
	if (channel_received(t, ch, &m, 1, NULL, err) < 0) {
		err->kind = err->kind == ERROR_OURS ? ERROR_NETWORK : err->kind;
		return -1;
	}
	show(ch->state, w);
	return 0;
}
