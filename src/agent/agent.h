#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H
/*
 * Runs one turn: asks the model, runs the tools that it calls, appends the results, and asks again until
 * it answers. Every step is journalled before its effect is used, so that an interrupted turn continues
 * from its journal. The agent does not know sessions: its caller, the turn_owner, provides a struct
 * turn.
 */
#include <stdbool.h>
#include <stddef.h>

#include "bus/address.h"
#include "store/store.h"
#include "store/turn/turns.h"

struct approval;
struct approval_answer;
struct background;
struct budget;
struct budget_spender;
struct bus;
struct error;
struct llm;
struct llm_history;
struct histogram;
struct counter;
struct task;
struct tool_call;
struct tool_plan;
struct tool_question;
struct tool_reply;
struct tools;

extern struct histogram agent_first_request_delay, agent_model_time;
extern struct counter agent_turns;

/* The modules that every turn uses. */
struct agent {
	struct store *store;
	struct bus *bus;
	struct llm *llm;
	struct tools *tools;
	struct background *background; /* background jobs of its tools; may be NULL */
	struct budget *budget;         /* NULL: unlimited */
	const char *name;              /* the agent's name for itself */
};

struct turn {
	struct store_turn row; /* started or resumed by the turn_owner, who clears it */
	struct address chat;
	const char *chat_kind;         /* "private chat", "group" */
	bool is_private;               /* the chat has one person in it */
	const char *chat_title;        /* may be NULL */
	const char *chat_instructions; /* from the configuration; may be NULL */
	const char *reply_to;          /* platform id of the message to reply to, NULL for none */
	bool admin;
	bool admin_here; /* an admin of this group alone */
	bool resumed;    /* begun before a restart */
	bool guest;      /* a guest's turn: no tool that writes or sends */
	bool denied;     /* the person may not talk to the agent any more */
	char *buttons;   /* under the live preview message, NULL for none; owned by the turn_owner */
	/* Asks a person to approve a call and waits for the decision, which is committed before it is
	 * confirmed to the person; after a crash the same question stands. The caller owns answer's reason.
	 * Returns -1 when cancelled or the store failed. NULL when no person can be asked. */
	int (*approve)(struct task *t, void *arg, const struct turn *turn, const char *call_id,
	    const struct approval *a, struct approval_answer *answer, struct error *err);
	void *approve_arg;
	/* What its tools may ask of the conversation, as in struct tool_services; NULL when they may not. */
	int (*ask_person)(struct task *t, void *turn_owner, const struct tool_call *call,
	    const struct tool_question *q, struct tool_reply *reply, struct error *err);
	int (*show_plan)(struct task *t, void *turn_owner, const struct tool_call *call,
	    const struct tool_plan *plan, struct error *err);
	/* Called before each request to the model; may be NULL. Adds new messages of the chat to the turn:
	 * commits them and appends them to add. Returns -1 as below. May change what the turn_owner filled
	 * in. */
	int (*join)(struct task *t, struct turn *turn, struct llm_history *add, struct error *err);
	/* Called before each call of a tool with approve_arg; may be NULL. Sets admin, admin_here, guest and
	 * denied to what the person may do now. */
	void (*rights)(void *approve_arg, struct turn *turn);
	void *turn_owner;
	/* Why a cancelled turn ends: true when a person stopped it, and it is over; false when the process
	 * stops, and the turn stays open for the next start. */
	bool stopped;
	bool without_notice; /* stopped without a notice, because the chat's next message is the reason */
	/* It has waited for the model as long as allowed: the next failure ends it. */
	bool overdue;
	/* Set when it ended so: the messages after it get no answer either, and the chat has that notice. */
	bool abandons_queue;
	bool counted; /* already counted as a turn in the usage */
};

/* Reads again what the person may do. */
static inline void turn_read_rights(struct turn *turn)
{
	if (turn->rights)
		turn->rights(turn->approve_arg, turn);
}

/* Returns true when several people ask in the turn. It may then do no more than any of them. */
static inline bool turn_is_of_several(const struct turn *turn)
{
	return turn->row.person && !*turn->row.person;
}

/* The key of all model requests of a conversation. */
#define AGENT_SESSION_KEY_MAX 32
void agent_session_key(char key[AGENT_SESSION_KEY_MAX], int64_t session);

/* Runs the turn to its end, which is committed with all its messages. Returns 0, also when the model failed
 * and the chat was told so. Returns 1 when the turn stays open because no model answers for now: the chat
 * was told once, and the caller resumes the turn after llm_await. Returns -1 when it stays open because the
 * process stops or the store failed: read the turn from the store again. err is not NULL. */
int agent_run(struct task *t, const struct agent *a, struct turn *turn, struct error *err);
/* A summary of a conversation without its newest exchange. */
struct agent_summary {
	char *text;      /* malloc'd */
	int64_t upto;    /* last transcript row that it covers */
	size_t messages; /* number of messages that it covers */
};
/* Returns 1 with an uncommitted summary, 0 when there is nothing to summarise, or -1. model: chosen for the
 * chat, NULL for none. Adds to who->spent, also on failure. */
int agent_summarise(struct task *t, const struct budget_spender *who, int64_t session, const char *model,
    struct agent_summary *out, struct error *err);
/* Ends a turn that must not be retried, with a message to its chat; does not read its transcript. */
int agent_give_up(
    struct task *t, const struct agent *a, struct turn *turn, const char *text, struct error *err);

#endif
