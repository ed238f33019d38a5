#ifndef SESSION_TURN_COALESCE_H
#define SESSION_TURN_COALESCE_H
/*
 * Coalescing: messages that were one for their sender, but arrive as several, because the platform cut
 * a long text or sends an album photo by photo, become one turn. Only a message that its adapter marks
 * (message.continues) is waited for; any other begins its turn at once. In the queue modes that
 * collect, all waiting messages are taken together.
 */
#include <stdbool.h>
#include <stddef.h>

/* The next part arrives within this time. */
#define COALESCE_QUIET_MS 300
/* Parts that arrive late, after the bot was offline, were sent within this time. Platforms count in whole
 * seconds. */
#define COALESCE_SENT_MS 1000
/* What exceeds these limits becomes another turn. */
#define COALESCE_MESSAGES_MAX 12
#define COALESCE_CHARS_MAX    50000
/* The maximum where all waiting messages become one turn. */
#define COALESCE_COLLECTED_MAX 32

struct error;
struct message;
struct pending;
struct session;
struct task;

/* In order; never empty once filled. */
struct coalesced {
	struct pending *items[COALESCE_COLLECTED_MAX];
	size_t count;
};

bool coalesce_same_sender(const struct message *a, const struct message *b); /* the same person */
/* Returns the platform id of the person who wrote all of it, NULL when unknown; "" when there are several. */
const char *coalesced_person(const struct coalesced *b);
/* Returns whether m continues the text or album of last. */
bool coalesce_continues(const struct message *last, const struct message *m);
/* Returns whether m continues a message in the queue. */
bool coalesce_accepts(struct session *s, const struct message *m);
/* Waits while more parts of the oldest message are likely to arrive. 0: done, or the session no longer wants
 * a turn. -1: cancelled, or the journal cannot be read. */
int coalesce_wait(struct task *t, struct session *s, struct error *err);
/* Returns whether the queue's oldest is a message with nothing more to wait for. */
bool coalesce_is_complete(struct session *s);
/* Removes the oldest message and its continuations from the queue; the caller owns them. False when none is
 * in memory. */
bool coalesce_shift(struct session *s, struct coalesced *b);
/* Puts them back to the front: their turn could not begin. */
void coalesce_unshift(struct session *s, struct coalesced *b);
void coalesce_clear(struct coalesced *b);

#endif
