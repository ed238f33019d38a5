#include "bus/bus_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Maximum number of successive moves to follow. */
#define MOVE_HOPS_MAX 8

static const struct journal_move *find_from(const struct bus *b, const struct address *a)
{
	for (size_t i = 0; i < b->move_count; i++)
		if (strcmp(b->moves[i].old_chat, a->chat) == 0 &&
		    strcmp(b->moves[i].channel, a->channel) == 0)
			return &b->moves[i];
	return NULL;
}

static void add(struct bus *b, const struct journal_move *move)
{
	b->moves = xrealloc(b->moves, (b->move_count + 1) * sizeof(*b->moves));
	b->moves[b->move_count++] = *move;
}

int move_resume(struct task *t, struct bus *b, struct error *err)
{
	struct journal_move *moves = NULL;
	int n = b->journal.ops->list_moves(t, b->journal.self, &moves, err);

	for (int i = 0; i < n; i++) {
		struct address old = {0};

		memcpy(old.channel, moves[i].channel, sizeof(old.channel));
		memcpy(old.chat, moves[i].old_chat, sizeof(old.chat));
		if (!find_from(b, &old))
			add(b, &moves[i]);
	}
	free(moves);
	return n < 0 ? -1 : 0;
}

static void notify_handler(struct bus *b, const struct journal_move *move, bool committed)
{
	if (b->handler.moved)
		b->handler.moved(b->handler.arg, move, committed);
}

void bus_note_move(struct bus *b, const struct journal_move *move)
{
	struct address old = {0}, target = {0};

	memcpy(old.channel, move->channel, sizeof(old.channel));
	memcpy(old.chat, move->old_chat, sizeof(old.chat));
	target = old;
	memcpy(target.chat, move->new_chat, sizeof(target.chat));
	/* A known move, or one that would close a cycle. */
	if (bus_follow_move(b, &old) ||
	    (bus_follow_move(b, &target) && strcmp(target.chat, move->old_chat) == 0) ||
	    strcmp(move->old_chat, move->new_chat) == 0)
		return;
	add(b, move);
	notify_handler(b, move, false);
}

int bus_move_chat(struct task *t, struct bus *b, const struct journal_move *move, struct error *err)
{
	struct address old = {0};

	bus_note_move(b, move);
	memcpy(old.channel, move->channel, sizeof(old.channel));
	memcpy(old.chat, move->old_chat, sizeof(old.chat));
	if (!find_from(b, &old))
		return 0;
	if (b->journal.ops->move_chat(t, b->journal.self, move, err) < 0)
		return -1;
	notify_handler(b, move, true);
	return 0;
}

bool bus_follow_move(const struct bus *b, struct address *a)
{
	const struct journal_move *move;
	int hops = 0;

	while (hops < MOVE_HOPS_MAX && (move = find_from(b, a))) {
		memcpy(a->chat, move->new_chat, sizeof(a->chat));
		a->thread[0] = '\0';
		hops++;
	}
	return hops > 0;
}

const char *bus_former_chat_id(const struct bus *b, const struct address *a)
{
	for (size_t i = 0; i < b->move_count; i++)
		if (strcmp(b->moves[i].new_chat, a->chat) == 0 &&
		    strcmp(b->moves[i].channel, a->channel) == 0)
			return b->moves[i].old_chat;
	return NULL;
}
