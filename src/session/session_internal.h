#ifndef SESSION_SESSION_INTERNAL_H
#define SESSION_SESSION_INTERNAL_H
/* The internals of sessions, for the files of this folder. */
#include "agent/agent.h"
#include "base/list.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "net/backoff.h"
#include "session/approval/question.h"
#include "session/queue.h"
#include "session/session.h"

struct error;
struct llm_history;
struct message;
struct turn;

/* Delays between retries when the store fails, doubled from the first to the last: after a full disk people
 * are answered within seconds. */
#define SESSION_RETRY_FIRST_MS 1000
#define SESSION_RETRY_LAST_MS  8000

/* What a session is doing about its turns. */
enum session_state {
	SESSION_IDLE,             /* no turn: reads the queue */
	SESSION_COALESCING,       /* waits for the rest of the oldest message */
	SESSION_WAITING_FOR_SLOT, /* a new turn begins when fewer run */
	SESSION_BEGINNING,        /* new turn: loads its files, then stores it */
	SESSION_INTERRUPTED,      /* the store may have an open turn, which comes first; waits for a slot */
	SESSION_RESUMING,         /* reads that turn */
	SESSION_RUNNING,          /* the agent runs a turn */
	SESSION_WAITING_FOR_MODEL /* the turn is open, but no model answers */
};

/* A request for a new conversation. */
struct renewal {
	struct list link;
	struct message *asked;
	const char *reply; /* a literal */
};

/* What turn_slots.c keeps for all sessions. */
struct turn_slots {
	size_t taken;
	void *shares; /* tsearch tree of struct turn_share: whose turns run or wait */
	/* Shares with sessions that wait for a slot. Not a task_semaphore: a reload changes the number of
	 * slots, and a session leaves the list when it no longer needs a turn. */
	struct list waiting;
	struct session *suspect; /* its running turn may have crashed the process before; NULL: none */
	struct task_cond suspect_ended;
};

/* What turn_slots.c keeps for a session. */
struct turn_slot {
	struct list link;         /* waits for a slot among turns_at_once */
	struct turn_share *share; /* while it waits for a slot, or has one */
	struct task *task;        /* waits for a slot to resume a turn; NULL: the session's task */
};

/* What turn/turn.c keeps: the running turn, and how the current turn shall end. */
struct turn_runner {
	struct turn *turn; /* while it runs in task; else both are NULL */
	struct task *task;
	bool stop_requested; /* ends the turn in every state; until session_turn_ended() */
	bool without_notice; /* with stop_requested: sends no notice to the chat */
};

/* What turn/outage_wait.c keeps: how long the open turn may wait for a model. */
struct outage_wait {
	uint64_t until; /* clock_now(); 0: not waiting */
	struct backoff ask_again;
	char session_key[AGENT_SESSION_KEY_MAX];
};

struct session {
	struct address where; /* first member: the key in the tree */
	struct sessions *all;
	struct task *task;
	enum session_state state; /* set by session_move() alone */
	struct list renewals;     /* of struct renewal */
	/* Of a chat whose id changed while both ids had work: the session of the old id ends first. NULL:
	 * none. */
	struct session *predecessor, *successor;
	/* Each is set by the file that owns it, alone. */
	struct queue queue;
	struct turn_slot slot;
	struct turn_runner runner;
	struct outage_wait outage;
	bool held;                            /* session.c: its channel is leaving */
	struct task *fetching;                /* turn/attachments.c: downloads files for a turn */
	char stop_token[QUESTION_TOKEN_SIZE]; /* stop_button.c: the token of the current stop button */
};

struct sessions {
	struct sessions_options options;
	void *tree;  /* tsearch tree of struct session */
	void *modes; /* queue_mode.c: modes of single chats */
	struct turn_slots slots;
	size_t loading;          /* running downloads */
	struct task_cond loaded; /* a download ended, or the limit was raised */
	struct task_group tasks;
	struct list approvals;     /* turns that wait for an approval */
	struct list asks;          /* open questions of tools */
	struct list plans;         /* plans whose messages are being edited */
	struct task *watch;        /* expires open questions; NULL: not started, or stopped */
	struct task *scheduler;    /* runs due reminders; NULL: not started, or stopped */
	bool schedules_changed;    /* since the scheduler's last check */
	struct grants *grants;     /* roles granted from chat */
	size_t grant_commits;      /* of roles granted here */
	struct task *grant_watch;  /* reads what is granted elsewhere; NULL: not started, or stopped */
	bool grants_changed;       /* elsewhere, since they were read */
	struct pairings *pairings; /* strangers who ask for access */
	struct guest_limit *guests;
	bool stopping;
	uint64_t started_ms; /* clock_now() */
	int64_t resumed_id;  /* newest inbox row at the start */
};

/* Returns whether this process serves the channel. */
bool sessions_serve(const struct sessions *all, const struct address *where);
/* Returns the sender's role on the whole channel, whatever a group says. */
enum access_role sessions_channel_role(const struct sessions *all, const struct message *m);
/* Returns whether to load what is stored for the address: while channels are taken over, of those alone; else
 * of all that run here. */
bool sessions_should_load(const struct sessions *all, bool taking, const struct address *where);
struct session *session_find(struct sessions *all, const struct address *where);
/* Returns the session of an address, creating it if needed, and wakes it. */
struct session *session_wake(struct sessions *all, const struct address *where);
/* Finds the sessions of the chat's threads in which a turn is in progress, of this person if it is not NULL.
 * Returns how many there are; the first max are in found. */
size_t sessions_in_threads(const struct sessions *all, const struct address *chat, const char *person,
    struct session **found, size_t max);
/* Changes the state; session.c has the table of allowed changes. */
void session_move(struct session *s, enum session_state to);
/* Returns whether a turn is in progress, or the store may have an open one. */
bool session_has_turn(const struct session *s);
/* Returns whether the session's next step is a turn. */
bool session_wants_turn(const struct session *s);
/* Notes that the store may have an open turn, which then comes first. */
void session_expect_open_turn(struct session *s);
/* Begins a new conversation after the current turn has ended; takes asked. reply is a literal. */
void session_renew(struct session *s, struct message *asked, const char *reply);

/* session/turn_slots.c: limits how many turns run at once, shared fairly between people. */
void turn_slots_init(struct turn_slots *slots);
/* Waits for a slot, an idle session in SESSION_WAITING_FOR_SLOT. 1: it has one. 0: the session wants no turn
 * any more. -1: cancelled. */
int turn_slot_take(struct task *t, struct session *s, struct error *err);
void turn_slot_release(struct session *s);
/* Takes a slot again for a turn that gave up its own. -1: cancelled, but the slot is taken nevertheless. */
int turn_slot_retake(struct task *t, struct session *s, struct error *err);
/* The number of slots may have grown. */
void turn_slots_changed(struct sessions *all);
/* Waits until no other suspect turn runs, so that the next crash can be blamed on one turn. Returns early on
 * /stop. -1: cancelled. */
int turn_suspect_begin(struct task *t, struct session *s, struct error *err);
void turn_suspect_end(struct session *s); /* also without turn_suspect_begin */

/* session/turn/outage_wait.c: a turn that waits because no model answers. It stays open in the store and
 * holds no slot; messages queue up, and commands work. */
/* Begins the wait of a turn of this conversation, or continues one from before the last stop; since_ms: when
 * it began, wall clock time. */
void outage_wait_begin(struct session *s, int64_t session, int64_t since_ms);
/* Call it before any turn resumes: turns that waited at the last stop count as failures, so that one of them
 * tests the model for all. */
int outage_wait_expect(struct task *t, struct sessions *all, struct error *err);
void outage_wait_end(struct session *s);
bool outage_is_overdue(const struct session *s);
/* Waits until it is time to resume the turn: returns 1. -1: cancelled. */
int outage_wait(struct task *t, struct session *s, struct error *err);

/* session/turn/join_turn.c: messages that join the running turn, in queue mode steer. */
/* Implements turn.join; turn->turn_owner is the session. */
int join_turn(struct task *t, struct turn *turn, struct llm_history *add, struct error *err);

/* session/stop_button.c: the button that ends a turn, under the live preview of its answer. */
/* Returns the buttons, in the format of struct outbound, malloc'd, for the turn that is about to run. They
 * work until the next call, and not after a restart. */
char *stop_button_new(struct session *s);
/* Returns whether m is a press of such a button; then it was handled, and *notice is shown to the person,
 * NULL for nothing. */
bool stop_button_pressed(
    struct sessions *all, const struct message *m, enum access_role role, const char **notice);

/* session/stop_reaction.c: the reaction that stops a turn. It counts from a person who may give /stop, on
 * their own message that is being answered, or on the live preview of the answer. */
/* Returns 1 when m was such a reaction of someone with access and was handled; *reply, a literal ("": none),
 * goes to its chat, and m->from has the thread then. 0: it was not. -1: the store failed. */
int stop_reaction_received(struct task *t, struct sessions *all, struct message *m, enum access_role role,
    const char **reply, struct error *err);

#endif
