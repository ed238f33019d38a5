#include "channels/console/chat.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/mem.h"

/* Entries kept per chat for late terminals; unconfirmed ones are always kept. */
#define ENTRIES_MAX     256
#define ENTRY_BYTES_MAX (1 << 20)
/* A chat without terminals for this long is dropped; its unsent answers are in the outbox. */
#define CHAT_KEEP_MS 60000

static void entry_free(struct console_chat *chat, struct console_entry *e)
{
	list_remove(&e->link);
	chat->entry_count--;
	chat->entry_bytes -= strlen(e->text);
	free(e->text);
	free(e->id);
	free(e->user);
	free(e->terminal);
	free(e);
}

static void chat_free(struct console_chat *chat)
{
	list_remove(&chat->link);
	list_each(&chat->entries, it, tmp)
		entry_free(chat, list_entry(it, struct console_entry, link));
	free(chat->preview);
	free(chat->preview_of);
	task_cond_clear(&chat->changed);
	free(chat);
}

struct console *console_new(struct channel *ch)
{
	struct console *c = xcalloc(1, sizeof(*c));

	c->ch = ch;
	list_init(&c->chats);
	clock_random(&c->epoch, sizeof(c->epoch));
	return c;
}

void console_free(struct console *c)
{
	list_each(&c->chats, it, tmp)
		chat_free(list_entry(it, struct console_chat, link));
	free(c);
}

static void forget_old(struct console *c)
{
	list_each(&c->chats, it, tmp) {
		struct console_chat *chat = list_entry(it, struct console_chat, link);
		if (chat->users == 0 && clock_now() > chat->seen_ms + CHAT_KEEP_MS)
			chat_free(chat);
	}
}

struct console_chat *console_find(struct console *c, const char *name)
{
	list_each(&c->chats, it, tmp) {
		struct console_chat *chat = list_entry(it, struct console_chat, link);
		if (strcmp(chat->name, name) == 0)
			return chat;
	}
	return NULL;
}

struct console_chat *console_hold(struct console *c, const char *name)
{
	struct console_chat *chat = console_find(c, name);

	if (!chat) {
		forget_old(c);
		chat = xcalloc(1, sizeof(*chat));
		str_copy(chat->name, sizeof(chat->name), name);
		list_init(&chat->entries);
		task_cond_init(&chat->changed);
		list_append(&c->chats, &chat->link);
	}
	chat->users++;
	return chat;
}

void console_release(struct console_chat *chat)
{
	chat->users--;
}

static bool is_too_much(const struct console_chat *chat)
{
	return chat->entry_count > ENTRIES_MAX || chat->entry_bytes > ENTRY_BYTES_MAX;
}

static void trim(struct console_chat *chat)
{
	list_each(&chat->entries, it, tmp) {
		struct console_entry *e = list_entry(it, struct console_entry, link);
		if (!is_too_much(chat) || (e->kind == CONSOLE_MESSAGE && e->seq > chat->acked))
			return;
		entry_free(chat, e);
	}
}

struct console_entry *console_add(
    struct console *c, struct console_chat *chat, const struct console_entry *entry)
{
	struct console_entry *e = xmemdup(entry, sizeof(*entry));

	trim(chat);
	e->seq = ++c->seq;
	list_append(&chat->entries, &e->link);
	chat->entry_count++;
	chat->entry_bytes += strlen(e->text);
	task_cond_broadcast(&chat->changed);
	return e;
}

struct console_entry *console_find_row(struct console_chat *chat, int64_t row)
{
	list_each(&chat->entries, it, tmp) {
		struct console_entry *e = list_entry(it, struct console_entry, link);
		if (e->kind == CONSOLE_MESSAGE && e->row == row)
			return e;
	}
	return NULL;
}

struct console_entry *console_find_input(struct console_chat *chat, const char *id)
{
	list_each(&chat->entries, it, tmp) {
		struct console_entry *e = list_entry(it, struct console_entry, link);
		if (e->kind == CONSOLE_INPUT && strcmp(e->id, id) == 0)
			return e;
	}
	return NULL;
}

bool console_has_terminal(const struct console_chat *chat)
{
	return chat->watchers > 0 ||
	    (chat->seen_ms > 0 && !chat->terminal_left && clock_now() < chat->seen_ms + CONSOLE_LINGER_MS);
}
