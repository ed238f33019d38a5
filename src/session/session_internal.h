#ifndef SESSION_SESSION_INTERNAL_H
#define SESSION_SESSION_INTERNAL_H
/* The inside of sessions, shared by the files of this folder. */
#include "base/list.h"
#include "base/task.h"
#include "net/backoff.h"
#include "session/approval/question.h"
#include "session/session.h"
#include "tools/services.h"

/* Waits between tries when the store fails, doubled from the first to the last. */
#define SESSION_RETRY_FIRST_MS 1000
#define SESSION_RETRY_LAST_MS  30000

/* A conversation that is to begin anew. */
struct renewal {
	struct list link;
	struct message *asked;
	const char *reply; /* a literal */
};

struct session {
	struct address where; /* first: the key in the tree */
	struct sessions *all;
	struct task *task;
	struct list queue; /* of struct pending, at most SESSION_QUEUE_MAX; the journal has the rest */
	size_t queued;
	int64_t seen_id;      /* newest inbox row that was handed over before any was left to the journal */
	bool more;            /* the journal has rows beyond seen_id */
	bool missed;          /* one more of them came while the journal was read */
	bool gathering;       /* more of the oldest message is waited for */
	struct list renewals; /* of struct renewal */
	bool resume;          /* the journal may have an open turn */
	bool working;         /* a turn is on its way, from before it begins until it has ended */
	bool stop;            /* it is to end as soon as it has begun */
	bool quietly;         /* how it is to end */
	struct tool_services services; /* what its turns lend their tools */
	struct turn *turn;             /* while it runs in turn_task; else NULL, both */
	struct task *turn_task;
	struct task *fetching;                /* while it loads files for a turn */
	char stop_token[QUESTION_TOKEN_SIZE]; /* of the button that ends it */
	struct list waiting;                  /* for a place among turns_at_once */
	struct task *slot_task;               /* who waits for it, of a turn that goes on; NULL: task */
	/* Of a chat that got another id while turns ran under both: the one of the old id ends first. NULL:
	 * none. */
	struct session *behind, *follower;
	struct list alone; /* its turn is suspected of ending the process: one of those runs at a time */
	/* Its open turn waits for the model. */
	bool waits;
	uint64_t waits_until; /* clock_now(); 0: it does not */
	struct backoff ask_again;
	/* Messages for a turn that were not begun, here and in the journal, and whether more are refused. */
	size_t backlog;
	size_t in_turn; /* of those: in the turn that runs */
	bool refusing;
	int64_t newest_id;     /* of those: the inbox row that came last */
	int64_t drop_up_to_id; /* up to this row they stay unanswered, and their chat was told; 0: none */
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
/* Is a turn what it has to do next? */
bool session_wants_turn(const struct session *s);

#endif
