#ifndef BUS_BUS_H
#define BUS_BUS_H
/*
 * The bus: inbound messages are committed to the journal, then handed to the handler;
 * outbound rows are committed, then sent in order per chat, each by the task of its sender
 * (channel and chat), with a state in the ledger that tells the truth.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bus/channel.h"
#include "bus/journal.h"

struct bus;
struct histogram;
struct counter;

extern struct histogram bus_delivery_time;
extern struct counter bus_arrivals, bus_deliveries;

struct bus_handler {
	/* A message was committed; takes it. On the loop or in a task, never suspends. */
	void (*received)(void *arg, struct message *m);
	/* An outbound row reached sent, uncertain or failed. Borrowed. May be NULL. */
	void (*delivered)(void *arg, const struct outbound *row);
	/* A chat has another id: first as it becomes known, and then, maybe more than once, when what was
	 * kept for the old one belongs to the new one. May be NULL. */
	void (*moved)(void *arg, const struct journal_move *move, bool committed);
	void *arg;
};

struct bus *bus_new(const struct journal *journal, const struct bus_handler *handler);
/* Stops channels, ends senders (rows stay in the journal), frees. */
void bus_free(struct task *t, struct bus *b);

/* Adds a channel; settings are the adapter's (parsed), kept by the caller. Not started yet. */
struct channel *bus_add_channel(
    struct bus *b, const char *name, const struct channel_ops *ops, const void *settings);
struct channel *bus_channel(struct bus *b, const char *name);           /* NULL if there is none */
struct channel *bus_next_channel(struct bus *b, struct channel *after); /* NULL to begin; NULL at the end */
/* Reads which chats have moved, and resumes senders that the journal has rows for. Once, before channels
 * start. */
int bus_resume(struct task *t, struct bus *b, struct error *err);

/* A chat has another id from now on: what is sent to the old one goes to the new one. */
void bus_note_move(struct bus *b, const struct journal_move *move);
/* The same, and commits it. Again: fine. */
int bus_move_chat(struct task *t, struct bus *b, const struct journal_move *move, struct error *err);
/* Puts the present id of the chat into the address. True when it is another: ids of messages and threads are
 * void then. */
bool bus_follow_move(const struct bus *b, struct address *a);
/* The id that the chat had before, which may stand in the configuration; NULL if none. Good until the next
 * move. */
const char *bus_former_chat_id(const struct bus *b, const struct address *a);

/* Cuts the text as the channel asks, and fills rows that are ready to be put into the journal: malloc'd array
 * of *count rows, freed by bus_rows_free. key, if any, gets "/PART" appended for parts after the first. */
struct outbound **bus_rows(struct bus *b, const struct address *to, enum outbound_kind kind, const char *text,
    const char *reply_to, const char *key, int64_t turn, size_t *count, struct error *err);
void bus_rows_free(struct outbound **rows, size_t count);
/* Why a part is not sent when one before it was not delivered. */
#define BUS_PART_LOST "The part before this one was not delivered."
/* Commits rows and wakes their senders. */
int bus_send(struct task *t, struct bus *b, struct outbound *const *rows, size_t count, struct error *err);
/* Somebody else committed rows for this chat (with a turn): wakes its sender. */
void bus_wake(struct bus *b, const struct address *to);
/* Waits until the row is sent, uncertain or failed, at most ms: the row as it stands then, to be freed. */
struct outbound *bus_await(struct task *t, struct bus *b, int64_t id, uint64_t ms, struct error *err);

/*
 * What a turn shows of itself before it ends: after 250 ms a reaction to the message and "typing", and its
 * answer as it grows, as far as the platform can and its budget allows. One of a chat at a time.
 */
struct live;

/* How long a frame of a preview may stand without being shown again: Telegram's drafts last 30 s. */
#define BUS_PREVIEW_REFRESH_MS 20000

struct live_options {
	struct address where;
	const char *message_id; /* which it answers; NULL: none */
	bool ack;               /* put the channel's reaction on it */
	const char *preview_id; /* of a message that a cut-off try left, NULL: none */
	const char *buttons;    /* under such a message, as struct outbound has them; NULL: none */
	/* A message that shows the answer was sent, and has this id: to be written down, so that the answer
	 * takes its place after a crash, too. */
	void (*shown)(struct task *t, void *arg, const char *message_id);
	void *arg;
};

struct live *bus_live_start(struct bus *b, const struct live_options *options);
/* More of the answer. */
void bus_live_text(struct live *l, const char *piece, size_t len);
/* What is shown is void: the next piece begins anew. */
void bus_live_restart(struct live *l);
/* Says something of our own meanwhile; what is written next takes its place. */
void bus_live_note(struct live *l, const char *text);
/* What has been written since then; until bus_live_end. */
const char *bus_live_so_far(const struct live *l);
/* Ends it, after the frame that is under way, so that none comes behind the answer; for that it waits some
 * seconds at most, also when t is cancelled. Returns the id of the message that the answer replaces,
 * malloc'd, or NULL. */
char *bus_live_end(struct task *t, struct live *l);

const struct journal *bus_journal(struct bus *b);

/* Each sender that has something to send; wait_ms: until its row may go. */
void bus_each_sender(const struct bus *b,
    void (*fn)(void *arg, const char *channel, const char *chat, bool busy, uint64_t wait_ms), void *arg);

#endif
