#ifndef SESSION_TURN_COALESCE_H
#define SESSION_TURN_COALESCE_H
/*
 * Bursts: messages that were one for their writer, and came as several because the platform cut a long text,
 * or sends an album photo by photo. They become one turn. Only a message that its adapter marks
 * (message.continues) is waited for; every other one begins its turn at once. In the queue modes that
 * collect, all that waits is taken together. Private to sessions.
 */
#include <stdbool.h>
#include <stddef.h>

/* The next one follows within this time, as we receive them. */
#define COALESCE_QUIET_MS 300
/* What we received later, because we were away, was sent within this time. Platforms count in whole
 * seconds. */
#define COALESCE_SENT_MS 1000
/* What comes beyond these limits is a turn of its own. */
#define COALESCE_MESSAGES_MAX 12
#define COALESCE_CHARS_MAX    50000
/* The same where all that waits becomes one turn. */
#define COALESCE_COLLECTED_MAX 32

struct error;
struct message;
struct pending;
struct session;
struct task;

/* In order; never empty once it was taken. */
struct coalesced {
	struct pending *items[COALESCE_COLLECTED_MAX];
	size_t count;
};

bool coalesce_same_sender(const struct message *a, const struct message *b); /* person */
/* Does m go on where last was cut? */
bool coalesce_continues(const struct message *last, const struct message *m);
/* Does m go on with a message that waits in the queue? */
bool coalesce_accepts(struct session *s, const struct message *m);
/* Waits while more of the oldest message in the queue is likely to come. 0, also when it wants no turn any
 * more. -1: cancelled, or the journal cannot be read. */
int coalesce_wait(struct task *t, struct session *s, struct error *err);
/* Is the oldest in the queue a message, and no more of it to be waited for? */
bool coalesce_is_complete(struct session *s);
/* The oldest message of the queue and all that goes on with it; the caller's then. False when none is in
 * memory. */
bool coalesce_shift(struct session *s, struct coalesced *b);
/* Back to the front: no turn could be begun for it. */
void coalesce_unshift(struct session *s, struct coalesced *b);
void coalesce_clear(struct coalesced *b);

#endif
