#ifndef SESSION_INBOUND_H
#define SESSION_INBOUND_H
/* Classification of incoming messages. */
#include "session/access/access.h"

struct message;
struct sessions;

enum inbound_kind {
	INBOUND_IGNORED,  /* not answered */
	INBOUND_COMMAND,  /* answered at once */
	INBOUND_EDIT,     /* an edit of a message that still waits */
	INBOUND_JOINED,   /* greeted: a group, or a private chat that was opened */
	INBOUND_MOVED,    /* the chat has a new id: its session follows */
	INBOUND_PRESS,    /* a press of a button: handled at once */
	INBOUND_SCHEDULE, /* its owner lost access: the schedule is paused */
	INBOUND_TURN      /* queued for a turn */
};

struct inbound_decision {
	enum inbound_kind kind;
	enum access_verdict verdict;
	enum access_role role;
	/* Why there is no answer, or an edit is too late; JOURNAL_CONTEXT: kept for the next turn. */
	const char *why;
};

/* Decides what to do with a message from its content and the settings alone. */
struct inbound_decision inbound_classify(const struct sessions *all, const struct message *m);
/* Commits the end of a message that needs no turn, in a task; runs it first if it is a command. Takes it. */
void inbound_finish(struct sessions *all, struct message *m, const struct inbound_decision *decision);
/* Handles a message that was pending at the start, unless an earlier try did; takes it. Those for a turn are
 * freed: the queues read them again. *before is the previous message of the same chat; the caller frees it.
 */
void inbound_resume(struct sessions *all, struct message *m, struct message **before);

#endif
