#ifndef AGENT_TURN_STATE_H
#define AGENT_TURN_STATE_H
/*
 * A turn in progress: what the model has been told so far, in step with the journal. What is added is
 * committed first, all of it or nothing, also when the task is cancelled meanwhile. Private to the agent.
 */
#include "llm/history.h"
#include "store/store.h"
#include "store/turn/turns.h"
#include "tools/prompt/files.h"

struct agent;
struct error;
struct store_summary;
struct task;
struct turn;

struct turn_state {
	const struct agent *agent;
	struct turn *turn;
	struct llm_history history;
	struct prompt_files files; /* as they were when it was loaded */
	struct live *live;         /* what the chat sees meanwhile; NULL: nothing, or no more */
	size_t room;        /* tokens of history that the model took, as it refused more; 0: it did not */
	unsigned refusals;  /* of the history, because it did not fit */
	bool image_refused; /* the model did not take an image in this turn */
	char *preview;      /* then: the message of ours that the answer replaces, NULL for none */
};

void turn_state_init(struct turn_state *d, const struct agent *agent, struct turn *turn);
/* Waits for the frame of the preview that is under way, if there is one. */
void turn_state_clear(struct task *t, struct turn_state *d);
/* From here on the chat sees that an answer is on its way, and how it grows. */
void turn_state_show_progress(struct turn_state *d);
/* Ends that; also turn_state_end does. */
void turn_state_hide_progress(struct task *t, struct turn_state *d);
/* Reads the files of the prompt, and what was said before; of that, the newest turns that fit. */
int turn_state_load(struct task *t, struct turn_state *d, struct error *err);
/* Commits messages to the transcript, then moves them into the history; on failure they are freed. add is
 * empty then. */
int turn_state_append(struct task *t, struct turn_state *d, struct llm_history *add, struct error *err);
/* Has what was said meanwhile join the turn. */
int turn_state_join(struct task *t, struct turn_state *d, struct error *err);
/* Commits the end of the turn: its last messages (freed), its state, and what the chat is told (NULL:
 * nothing), which leaves then. */
int turn_state_end(struct task *t, struct turn_state *d, enum store_turn_state state,
    struct llm_history *last, const char *reply, struct error *err);
/* Commits that the turn waits for the model, with what the chat is told of it (NULL: nothing). */
int turn_state_wait(struct task *t, struct turn_state *d, const char *notice, struct error *err);
/* Commits a summary, of the turn's session, that stands for the first count messages, and tells the chat. */
int turn_state_summarised(struct task *t, struct turn_state *d, const struct store_summary *summary,
    size_t count, struct error *err);
/* Drops the oldest turns when the present one has made the history too long. */
void turn_state_prune(struct turn_state *d);

#endif
