#ifndef SESSION_INBOUND_H
#define SESSION_INBOUND_H
/* What comes in, sorted. Private to sessions. */
#include "session/access/access.h"

struct message;
struct sessions;

enum inbound_kind {
	INBOUND_IGNORED,  /* not answered */
	INBOUND_COMMAND,  /* answered at once */
	INBOUND_EDIT,     /* for the message that it changes, while that one waits */
	INBOUND_JOINED,   /* greeted */
	INBOUND_MOVED,    /* the sessions follow their chat */
	INBOUND_PRESS,    /* of a button: done with at once */
	INBOUND_SCHEDULE, /* of a person who may not any more: its schedule is paused */
	INBOUND_TURN      /* waits for its turn */
};

struct inbound_decision {
	enum inbound_kind kind;
	enum access_verdict verdict;
	enum access_role role;
	const char *why; /* it is not answered, or an edit comes too late; JOURNAL_CONTEXT: it is kept for the
			    next turn */
};

/* What becomes of a message: its own words and the settings decide, nothing else. */
struct inbound_decision inbound_classify(const struct sessions *all, const struct message *m);
/* Commits the end of a message that needs no turn, after running it if it is a command: in a task. Takes
 * it. */
void inbound_finish(struct sessions *all, struct message *m, const struct inbound_decision *fate);
/* A message that the journal had at the start; takes it. Those for a turn are freed: the queues read them.
 * *before is the last of those in the same chat, to be freed by the caller. */
void inbound_resume(struct sessions *all, struct message *m, struct message **before);

#endif
