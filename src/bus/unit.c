#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/format.h"
#include "base/mem.h"
#include "bus/bus_internal.h"
#include "bus/outbox_sender.h"

/*
 * The unit keys of chats, for channels with several units only. The journal stores them as cursors, so that
 * all nodes and units of the bot know them, however many units there are later.
 */
struct chat_unit {
	struct journal_queue chat;
	uint64_t unit_key;
};

#define CURSOR_MAX 80

static int compare(const void *a, const void *b)
{
	const struct chat_unit *x = a, *y = b;

	return outbox_sender_compare_keys(&x->chat, &y->chat);
}

static struct chat_unit *find(const struct bus *b, const struct address *a)
{
	const struct chat_unit wanted = {.chat = outbox_sender_key(a)};
	struct chat_unit **at = tfind(&wanted, &b->chat_units, compare);

	return at ? *at : NULL;
}

static void note(struct bus *b, const struct address *a, uint64_t number)
{
	struct chat_unit *p = find(b, a);

	if (!p) {
		p = xcalloc(1, sizeof(*p));
		p->chat = outbox_sender_key(a);
		tsearch(p, &b->chat_units, compare);
	}
	p->unit_key = number;
}

void unit_clear(struct bus *b)
{
	tdestroy(b->chat_units, free);
	b->chat_units = NULL;
}

struct channel *bus_channel_of(struct bus *b, const struct address *a)
{
	struct channel *ch = bus_channel(b, a->channel);
	const struct chat_unit *p = ch && ch->units > 1 ? find(b, a) : NULL;

	/* The units of a channel follow each other in the list. */
	for (uint64_t unit = p ? p->unit_key % ch->units : 0; unit > 0; unit--)
		ch = bus_next_channel(b, ch);
	return ch;
}

const char *bus_unit(struct bus *b, const struct address *a)
{
	const struct channel *ch = bus_channel_of(b, a);

	return ch ? ch->name : a->channel;
}

static void cursor_name(const struct address *a, char name[static CURSOR_MAX])
{
	str_format(name, CURSOR_MAX, "place %s", a->chat);
}

/* People's private chats are with the first unit. */
static bool is_private(const struct channel *ch, const struct address *a)
{
	const char *prefix = ch->ops->person_chat;

	return prefix && strncmp(a->chat, prefix, strlen(prefix)) == 0;
}

int bus_locate(struct task *t, struct bus *b, const struct address *a, struct error *err)
{
	const struct channel *ch = bus_channel(b, a->channel);
	char name[CURSOR_MAX], *value;

	if (!ch || ch->units <= 1 || is_private(ch, a) || find(b, a))
		return 0;
	cursor_name(a, name);
	if (b->journal.ops->read_cursor(t, b->journal.self, a->channel, name, &value, err) < 0)
		return -1;
	if (value)
		note(b, a, strtoull(value, NULL, 10));
	free(value);
	return 0;
}

int unit_note(struct task *t, struct bus *b, const struct message *m, struct error *err)
{
	const struct chat_unit *known = find(b, &m->from);
	char name[CURSOR_MAX], number[24];
	const struct journal_cursor cursor = {.account = m->from.channel, .name = name, .value = number};

	if (known && known->unit_key == m->unit_key)
		return 0;
	cursor_name(&m->from, name);
	str_format(number, sizeof(number), "%" PRIu64, m->unit_key);
	if (b->journal.ops->put_inbound(t, b->journal.self, NULL, 0, &cursor, err) < 0)
		return -1;
	note(b, &m->from, m->unit_key);
	return 0;
}
