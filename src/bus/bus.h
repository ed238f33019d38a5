#ifndef BUS_BUS_H
#define BUS_BUS_H
/*
 * The message bus. It commits inbound messages to the journal and then hands them to the handler. It
 * commits outbound deliveries and then sends them in order per chat, each by the task of its sender
 * (channel and chat), and records the delivery state in the outbox. A file leads by five seconds at most:
 * what comes after it in its chat may then pass it.
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
	/* A message was committed. Takes m. Runs on the loop or in a task; never suspends. */
	void (*received)(void *arg, struct message *m);
	/* A delivery reached sent, uncertain or failed. row is borrowed. May be NULL. */
	void (*delivered)(void *arg, const struct outbound *row);
	/* A chat has a new id. Called when the move becomes known, and again, perhaps more than once, with
	 * committed set when the data of the old id belongs to the new one. May be NULL. */
	void (*moved)(void *arg, const struct journal_move *move, bool committed);
	/* Deliveries were committed for a channel that another node serves. May be NULL. */
	void (*put_elsewhere)(void *arg, const char *channel);
	/* Does any node serve this channel now? Suspends. May be NULL. */
	bool (*has_owner)(struct task *t, void *arg, const char *channel);
	void *arg;
};

struct bus *bus_new(const struct journal *journal, const struct bus_handler *handler);
/* Tests: the least time before a doubtful message is repeated; 0: it is repeated at once, whatever the status
 * of its channel. */
void bus_set_repeat(struct bus *b, uint64_t ms);
/* Stops the channels, ends the senders and frees the bus. Deliveries stay in the journal. Suspends. */
void bus_free(struct task *t, struct bus *b);

/* Adds a channel without starting it, and returns its first unit. settings are the adapter's parsed settings;
 * the caller keeps them. */
struct channel *bus_add_channel(
    struct bus *b, const char *name, const struct channel_ops *ops, const void *settings);
struct channel *bus_channel(struct bus *b, const char *name); /* a unit, usually the only one; NULL: none */
/* Return the unit that serves the chat, and its name, which is a->channel when there is none. An unknown chat
 * belongs to the first unit. */
struct channel *bus_channel_of(struct bus *b, const struct address *a);
const char *bus_unit(struct bus *b, const struct address *a);
/* Reads from the journal which unit serves the chat. Needed for a chat that comes from the journal, or from
 * people. Suspends if there are several units. */
int bus_locate(struct task *t, struct bus *b, const struct address *a, struct error *err);
struct channel *bus_next_channel(
    struct bus *b, struct channel *after); /* NULL starts the iteration; returns NULL at the end */
/* Loads the chat moves and resumes the senders that have deliveries in the journal. Call it once, before
 * channels start. Suspends. */
int bus_resume(struct task *t, struct bus *b, struct error *err);

/* In a cluster: checks each second for deliveries that other nodes have stored for channels served here. Call
 * it before bus_resume. */
void bus_share(struct bus *b);
bool bus_is_shared(const struct bus *b);
/* Tells the nodes that serve the channel, or units of it, that something has changed. */
void bus_notify_owners(struct bus *b, const char *channel);
/* Does this process serve the channel? Not if it is CHANNEL_ELSEWHERE, nor, in a cluster, if the
 * configuration does not have it: another node's may. */
bool bus_serves(struct bus *b, const struct address *a);
/* Does any node serve the channel? True if that cannot be found out. Suspends. */
bool bus_has_owner(struct task *t, struct bus *b, const struct address *a);
/* Another node has stored deliveries for a channel served here: checks the outbox at once. */
void bus_check_outbox(struct bus *b);
/* The gained channels are no longer CHANNEL_ELSEWHERE from now on: sends what is left of them, but what a
 * former owner may be sending only after held_until. The caller starts them. Suspends; may be called again
 * after a failure. */
int bus_take_channels(struct task *t, struct bus *b, struct error *err);
/* Is it one of these? Not if it was gained after bus_take_channels. */
bool bus_is_taking(const struct channel *ch);
/* Stops the adapter of an idle channel that another node gets (ch->leaving). The channel is CHANNEL_ELSEWHERE
 * from the first moment on: what is put meanwhile waits for the next owner. Suspends. */
void bus_leave_channel(struct task *t, struct channel *ch);

/* Returns true when nothing of the channel is being sent or marked, and the bus has no other task, which
 * might be of any channel. */
bool bus_is_idle(struct bus *b, const char *channel);

/* Redirects deliveries from a chat's old id to its new one from now on. */
void bus_note_move(struct bus *b, const struct journal_move *move);
/* Like bus_note_move, and commits the move. Idempotent. Suspends. */
int bus_move_chat(struct task *t, struct bus *b, const struct journal_move *move, struct error *err);
/* Replaces the chat id in the address by the current one. Returns true when it changed: message and thread
 * ids are void then. */
bool bus_follow_move(const struct bus *b, struct address *a);
/* Returns the chat's previous id, which the configuration may still name; NULL if none. Valid until the
 * next move. */
const char *bus_former_chat_id(const struct bus *b, const struct address *a);

/* Splits the text by the channel's limits and returns deliveries that are ready for the journal: a malloc'd
 * array of *count rows, freed by bus_rows_free. Parts after the first get "/PART" appended to key, if there
 * is a key. */
struct outbound **bus_rows(struct bus *b, const struct address *to, enum outbound_kind kind, const char *text,
    const char *reply_to, const char *key, int64_t turn, size_t *count, struct error *err);
void bus_rows_free(struct outbound **rows, size_t count);
/* Returns a text of the gateway with its commands as people type them in that chat: "/stop" is "/myna stop"
 * on Slack. Malloc'd. */
char *bus_own_text(struct bus *b, const struct address *to, const char *text);
/* The reason of a part that is not sent because an earlier part was not delivered. */
#define BUS_PART_LOST "The part before this one was not delivered."
/* Commits the deliveries and wakes their senders. Suspends. */
int bus_send(struct task *t, struct bus *b, struct outbound *const *rows, size_t count, struct error *err);
/* Enclose a commit of deliveries that other code makes, with the end of a turn. bus_prepare makes the first
 * one OUTBOUND_SENDING if it can be sent as soon as it is committed: nothing is under way to its chat, and
 * nothing has to be waited for. The journal queues it all the same when another one stands before it.
 * bus_committed, which must follow, sends it and wakes the senders of the others; done: they are committed.
 */
void bus_prepare(struct bus *b, struct outbound *const *rows, size_t count);
void bus_committed(struct bus *b, struct outbound *const *rows, size_t count, bool done);
/* Wakes the sender of a chat after other code committed deliveries for it. */
void bus_wake(struct bus *b, const struct address *to);
/* Waits up to ms until the delivery is sent, uncertain or failed, be it by another node. Returns it as it was
 * then, or, when the time is over, as it was last read, maybe before the wait; the caller frees it. Returns
 * NULL with err: ERROR_REFUSED when it does not exist, ERROR_CANCELLED. Suspends. */
struct outbound *bus_await(struct task *t, struct bus *b, int64_t id, uint64_t ms, struct error *err);

/*
 * The live preview of a turn: after 250 ms a reaction to the message and "typing", then the answer as it
 * grows, as far as the platform supports it and its rate limit allows. One at a time in a chat.
 */
struct live;

/* How long a preview may stand before it is sent again. Telegram's drafts expire after 30 s. */
#define BUS_PREVIEW_REFRESH_MS 20000

struct live_options {
	struct address where;
	int64_t turn;           /* each try of a turn shows the same preview, where previews have numbers */
	const char *message_id; /* the message that is being answered; NULL for none */
	bool ack;               /* put the channel's reaction on that message until the end */
	bool resumed;           /* an interrupted attempt may have left that reaction, or a preview */
	const char *preview_id; /* preview message that an interrupted attempt left; NULL for none */
	const char *buttons;    /* under the preview message, encoded as in struct outbound; NULL for none */
	/* The message that shows the answer was sent and has this id. Store it, so that the answer can
	 * replace the message after a crash too. */
	void (*shown)(struct task *t, void *arg, const char *message_id);
	void *arg;
};

struct live *bus_live_start(struct bus *b, const struct live_options *options);
/* Appends to the answer. */
void bus_live_text(struct live *l, const char *piece, size_t len);
/* Discards what the preview shows: the next piece starts again. */
void bus_live_restart(struct live *l);
/* Shows a status line of the gateway until the next piece of the answer. */
void bus_live_note(struct live *l, const char *text);
/* Returns the text since the last restart; valid until bus_live_end. */
const char *bus_live_so_far(const struct live *l);
/* Ends the preview. First waits a few seconds at most, even when t is cancelled, for the update in flight,
 * so that none arrives after the answer. Returns the malloc'd id of the message that the answer replaces,
 * or NULL. */
char *bus_live_end(struct task *t, struct live *l);

/* Sets a reaction of the model's choice, which the end of a live preview leaves in place. As
 * channel_ops.react.
 */
int bus_react(struct task *t, struct bus *b, const struct address *where, const char *message_id,
    const char *emoji, struct error *err);

const struct journal *bus_journal(struct bus *b);

/* Calls fn for each sender with something to send; wait_ms is the time until its next delivery may go. */
void bus_each_sender(const struct bus *b,
    void (*fn)(void *arg, const char *channel, const char *chat, bool busy, uint64_t wait_ms), void *arg);

#endif
