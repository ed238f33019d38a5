#ifndef AGENT_AGENT_H
#define AGENT_AGENT_H
/*
 * One turn: ask the model, run the tools that it calls, append the results, ask again,
 * until it answers. Every step is journalled before its effect is used, so that a turn that
 * a crash cut off continues from its journal. The agent does not know sessions: it is lent
 * a struct turn.
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
struct tool_services;
struct tools;

extern struct histogram agent_first_request_delay, agent_model_time;
extern struct counter agent_turns;

/* What every turn works with. */
struct agent {
	struct store *store;
	struct bus *bus;
	struct llm *llm;
	struct tools *tools;
	struct background *background; /* what its tools have in the background; may be NULL */
	struct budget *budget;         /* what may be spent; NULL: anything */
	const char *name;              /* what the agent calls itself */
};

struct turn {
	struct store_turn row; /* begun or resumed by the turn_owner, who clears it */
	struct address chat;
	const char *chat_kind;         /* "private chat", "group" */
	bool is_private;               /* the chat has one person in it */
	const char *chat_title;        /* may be NULL */
	const char *chat_instructions; /* of the configuration, for this chat; may be NULL */
	const char *reply_to;          /* the platform's id of the message to answer, NULL for none */
	bool admin;
	bool guest;    /* whose turns use no tool that writes or sends */
	char *buttons; /* under the message that shows its answer as it grows, NULL: none; the turn_owner's */
	/* Asks a person about a call, and waits for what they say, which is committed before it is answered;
	 * after a crash the same question still stands. answer's reason is the caller's. -1: cancelled, or
	 * the store failed. NULL: there is nobody to ask. */
	int (*approve)(struct task *t, void *arg, const struct turn *turn, const char *call_id,
	    const struct approval *a, struct approval_answer *answer, struct error *err);
	void *approve_arg;
	const struct tool_services *services; /* what its tools may ask of the conversation; NULL: nothing */
	/* Asked before each request to the model, NULL: never. What was said meanwhile joins the turn: it is
	 * committed, and put into add. -1 as below. What the turn_owner filled in may change. */
	int (*join)(struct task *t, struct turn *turn, struct llm_history *add, struct error *err);
	void *turn_owner;
	/* Says why a cancelled turn ends: true = a person stopped it, and it is over; false = the process
	 * stops, and the turn stays open for the next start. */
	bool stopped;
	bool quietly; /* then: the chat is not told, because its next message is why */
	/* It has waited for the model as long as it may: when that fails once more, the turn ends. */
	bool overdue;
	/* Set when it ended so: its chat was told that what came after it stays unanswered, too. */
	bool left;
	bool counted; /* as a turn, in what was spent */
};

/* Do several people ask in it? It may do no more then than any of them. */
static inline bool turn_is_of_several(const struct turn *turn)
{
	return turn->row.person && !*turn->row.person;
}

/* Runs the turn to its end, which is committed with everything that leaves because of it. 0, also when the
 * model failed and the person was told so. 1 when the turn is left open because no model answers for now: its
 * chat was told once, and it is to be resumed when llm_await says so. -1 when it is left open because the
 * process stops, or the store failed, and then the turn is to be read from it again. err is not NULL. */
int agent_run(struct task *t, const struct agent *a, struct turn *turn, struct error *err);
/* A summary of a conversation but for its newest exchange. */
struct agent_summary {
	char *text;      /* malloc'd */
	int64_t upto;    /* the last row of the transcript that it stands for */
	size_t messages; /* that it stands for */
};
/* 1: made, nothing is committed; 0: there is nothing to summarise; -1. model: chosen for the chat, NULL:
 * none. who->spent is added to, also when it fails. */
int agent_summarise(struct task *t, const struct budget_spender *who, int64_t session, const char *model,
    struct agent_summary *out, struct error *err);
/* Ends a turn that must not be tried again, with a message to its chat; reads nothing of what was said. */
int agent_give_up(
    struct task *t, const struct agent *a, struct turn *turn, const char *text, struct error *err);

#endif
