#ifndef SESSION_SESSION_INTERNAL_H
#define SESSION_SESSION_INTERNAL_H
/* The inside of sessions, shared by the files of this folder. */
#include "base/list.h"
#include "base/task.h"
#include "net/backoff.h"
#include "session/approval/question.h"
#include "session/queue.h"
#include "session/session.h"

/* Waits between tries when the store fails, doubled from the first to the last. */
#define SESSION_RETRY_FIRST_MS 1000
#define SESSION_RETRY_LAST_MS  30000

/* What a session does about its turns. */
enum session_state {
	SESSION_IDLE,             /* no turn: the queue is read */
	SESSION_COALESCING,       /* more of the oldest message is awaited */
	SESSION_BEGINNING,        /* a new turn: its files are loaded, then it is put into the store */
	SESSION_INTERRUPTED,      /* the store may have an open turn: it comes first */
	SESSION_RESUMING,         /* that turn is read */
	SESSION_RUNNING,          /* the agent has a turn */
	SESSION_WAITING_FOR_MODEL /* the turn is open, and no model answers */
};

/* A conversation that is to begin anew. */
struct renewal {
	struct list link;
	struct message *asked;
	const char *reply; /* a literal */
};

/* What turn_slots.c keeps of a session. */
struct turn_slot {
	struct list link;  /* waits for a slot among turns_at_once */
	struct task *task; /* which waits for it, of a turn that goes on; NULL: the session's */
	struct list
	    suspect_link; /* its turn is suspected of ending the process: one of those runs at a time */
};

/* What turn/turn.c keeps: the turn that runs, and how the turn under way is to end. */
struct turn_runner {
	struct turn *turn; /* while it runs in task; else NULL, both */
	struct task *task;
	bool stop_requested; /* it is to end as soon as it has begun */
	bool without_notice; /* then: its chat is not told */
};

/* What turn/outage_wait.c keeps: how long the open turn may wait for the model. */
struct outage_wait {
	uint64_t until; /* clock_now(); 0: it does not wait */
	struct backoff ask_again;
};

struct session {
	struct address where; /* first: the key in the tree */
	struct sessions *all;
	struct task *task;
	enum session_state state; /* session_move() alone sets it */
	struct list renewals;     /* of struct renewal */
	/* Of a chat that got another id while turns ran under both: the one of the old id ends first. NULL:
	 * none. */
	struct session *predecessor, *successor;
	/* Each is set by the file that owns it, alone. */
	struct queue queue;
	struct turn_slot slot;
	struct turn_runner runner;
	struct outage_wait outage;
	struct task *fetching;                /* turn/attachments.c: loads files for a turn */
	char stop_token[QUESTION_TOKEN_SIZE]; /* stop_button.c: of the button that ends the turn */
};

struct sessions {
	struct sessions_options options;
	void *tree;               /* tsearch tree of struct session */
	void *modes;              /* of what queue_mode.c has set */
	size_t running;           /* turns that have a place */
	size_t loading;           /* files */
	struct list load_waiting; /* to load one */
	struct list waiting;      /* sessions that wait for a place, in the order of their coming */
	struct list alone;        /* sessions with a suspect turn: the first may run it */
	struct task_group tasks;
	struct list approvals;     /* of turns that wait for a person's yes */
	struct list asks;          /* open questions of tools */
	struct list plans;         /* whose messages are being changed */
	struct task *watch;        /* looks after open questions; NULL: not yet, or no more */
	struct task *scheduler;    /* looks after reminders; NULL: not yet, or no more */
	bool schedules_changed;    /* since it looked */
	struct grants *grants;     /* roles that were given from chat */
	struct pairings *pairings; /* strangers who ask for one */
	bool stopping;
	uint64_t started_ms; /* clock_now() */
	int64_t resumed_id;  /* inbox rows up to this one were there at the start */
};

struct session *session_find(struct sessions *all, const struct address *where);
/* The session of an address, made when there is none, which is told that there is work. */
struct session *session_wake(struct sessions *all, const struct address *where);
/* The session is in another state from now on, which must be one that follows. */
void session_move(struct session *s, enum session_state to);
/* Is a turn under way, or does the store perhaps have an open one? */
bool session_has_turn(const struct session *s);
/* Is a turn what it has to do next? */
bool session_wants_turn(const struct session *s);
/* The store may have an open turn: it comes first. */
void session_expect_open_turn(struct session *s);
/* Begins a new conversation once the turn under way has ended; takes asked. reply is a literal. */
void session_renew(struct session *s, struct message *asked, const char *reply);

#endif
