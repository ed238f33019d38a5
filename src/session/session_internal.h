#ifndef SESSION_SESSION_INTERNAL_H
#define SESSION_SESSION_INTERNAL_H
/* The inside of sessions, shared by the files of this folder. */
#include "base/list.h"
#include "base/task.h"
#include "net/backoff.h"
#include "session/approval/question.h"
#include "session/queue.h"
#include "session/session.h"

struct error;
struct llm_history;
struct message;
struct turn;

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

/* What turn_slots.c keeps of all sessions. */
struct turn_slots {
	size_t taken;
	struct list waiting;  /* sessions that wait for a slot, in the order of their coming */
	struct list suspects; /* sessions with a suspect turn: the first may run it */
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
	void *tree;  /* tsearch tree of struct session */
	void *modes; /* of what queue_mode.c has set */
	struct turn_slots slots;
	size_t loading;           /* files */
	struct list load_waiting; /* to load one */
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

/* session/turn_slots.c: the slots of the turns that may run at once: first come, first served, one turn at a
 * time. */
void turn_slots_init(struct turn_slots *slots);
void turn_slot_init(struct turn_slot *slot);
/* Waits for a slot. 1: it has one. 0: meanwhile the session wants no turn any more. -1: cancelled. */
int turn_slot_take(struct task *t, struct session *s, struct error *err);
void turn_slot_release(struct session *s);
/* Takes one again for the turn that gave its slot up for a while. -1: cancelled, and it has one all the
 * same. */
int turn_slot_retake(struct task *t, struct session *s, struct error *err);
/* There may be more slots than before. */
void turn_slots_changed(struct sessions *all);
/* Waits until no other suspect turn runs, so that the next death of the process is held against one alone;
 * gives way to /stop. -1: cancelled. */
int turn_suspect_begin(struct task *t, struct session *s, struct error *err);
void turn_suspect_end(struct session *s); /* fine also when it was not taken */

/* session/turn/outage_wait.c: a turn that waits because no model answers. It stays open in the store and
 * takes no slot; messages wait for it, and commands work. */
/* The turn waits from now on; since_ms: wall clock when it began to. */
void outage_wait_begin(struct session *s, int64_t since_ms);
/* It waited before the last stop, and is about to ask again. */
void outage_wait_resume(struct session *s, int64_t since_ms);
void outage_wait_end(struct session *s);
bool outage_is_overdue(const struct session *s);
/* Waits until the turn is to be resumed: 1. -1: cancelled. */
int outage_wait(struct task *t, struct session *s, struct error *err);

/* session/turn/join_turn.c: messages that join the turn that runs, where the queue mode is steer. */
/* join of struct turn, whose turn_owner is its session. */
int join_turn(struct task *t, struct turn *turn, struct llm_history *add, struct error *err);

/* session/stop_button.c: the button that ends a turn, under the message that shows its answer as it grows. */
/* For the turn that is about to run: as struct outbound has buttons, malloc'd. It works until the next call,
 * and not after a restart. */
char *stop_button_new(struct session *s);
/* Is m a press of such a button? Then it was done, and *say is what the person is told, NULL for nothing. */
bool stop_button_pressed(
    struct sessions *all, const struct message *m, enum access_role role, const char **say);

/* session/stop_reaction.c: the reaction that stops a turn: of a person who may give /stop, on their own
 * message that is being answered, or on the message that shows the answer as it grows. */
/* Is m such a reaction, of someone who may talk here? 1: it is done, and *reply, a literal, is for its chat
 * ("": nothing), of which m->from then has the thread. 0: it is none. -1: the store failed. */
int stop_reaction_received(
    struct task *t, struct sessions *all, struct message *m, const char **reply, struct error *err);

#endif
