#ifndef BUS_BUS_INTERNAL_H
#define BUS_BUS_INTERNAL_H
/* State that the files of src/bus share. */
#include "base/list.h"
#include "base/task.h"
#include "bus/bus.h"

struct error;
struct task;

struct bus {
	struct journal journal;
	struct bus_handler handler;
	struct list channels;
	void *senders; /* tsearch tree of struct sender by channel and chat */
	size_t sender_count;
	void *chat_units; /* tsearch tree, unit.c */
	struct list previews;
	struct list waiters;        /* callers of bus_await: a list, because each gets its row */
	struct journal_move *moves; /* chats that have a new id */
	size_t move_count;
	struct task_group tasks; /* senders and removals of reactions */
	size_t ack_removals;
	char *files; /* folder of file copies to be sent; NULL for none */
	bool files_are_shared;
	/* Quiet hours. */
	int64_t (*quiet_hours_until)(void *arg, const struct address *to);
	void *quiet_arg;
	struct task *watch; /* wakes deliveries that wait for their time; NULL when none does */
	bool shared;        /* other nodes put deliveries into the journal, too */
	bool poll_now;      /* the watch must check the outbox at once */
	bool stopping;      /* no further delivery starts */
	uint64_t repeat_ms; /* before a doubtful message is repeated */
};

/* A delivery reached its final state: notifies the handler and the callers of bus_await. */
void bus_delivered(struct bus *b, const struct outbound *row);

/* Can messages be sent, as far as the channel knows? It is ready, or some of its shards are. */
bool bus_channel_works(const struct channel *ch);

/* chat_move.c: Chats that got a new id. The public functions are in bus.h. */

/* Loads the moves from the journal. Suspends. */
int move_resume(struct task *t, struct bus *b, struct error *err);

/* unit.c: Which unit of a channel has a chat. The public functions are in bus.h. */

/* Commits the unit key of the chat that the message came from, unless it is known. */
int unit_note(struct task *t, struct bus *b, const struct message *m, struct error *err);
void unit_clear(struct bus *b);

/* live_preview.c: Live previews of turns, see bus_live_start. */

/* Stops all previews at shutdown. */
void live_stop_all(struct bus *b);

/* ack_reaction.c: The reaction that marks a message while a turn answers it. */

struct ack_reaction;
/* set: an interrupted turn may have left it on the message. */
struct ack_reaction *ack_reaction_new(
    struct bus *b, const struct address *where, const char *message_id, bool set);
/* Shows it, where the channel has one. NULL does nothing. */
void ack_reaction_show(struct ack_reaction *a);
/* Takes a (or NULL). Removes the reaction unless it is kept, after it was set, and tries again when the rate
 * limit or the network does not let it. Nobody waits for either. */
void ack_reaction_end(struct ack_reaction *a, bool keep);

#endif
