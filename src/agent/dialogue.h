#ifndef AGENT_DIALOGUE_H
#define AGENT_DIALOGUE_H
/*
 * A turn in progress: what the model has been told so far, in step with the journal. What is added is
 * committed first, all of it or nothing, also when the task is cancelled meanwhile. Private to the agent.
 */
#include "llm/history.h"
#include "store/store.h"
#include "store/turns.h"
#include "tools/prompt_files.h"

struct agent;
struct error;
struct store_summary;
struct task;
struct turn;

struct dialogue {
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

void dialogue_init(struct dialogue *d, const struct agent *agent, struct turn *turn);
/* Waits for the frame of the preview that is under way, if there is one. */
void dialogue_clear(struct task *t, struct dialogue *d);
/* From here on the chat sees that an answer is on its way, and how it grows. */
void dialogue_show(struct dialogue *d);
/* Ends that; also dialogue_end does. */
void dialogue_hide(struct task *t, struct dialogue *d);
/* Reads the files of the prompt, and what was said before; of that, the newest turns that fit. */
int dialogue_load(struct task *t, struct dialogue *d, struct error *err);
/* Commits messages to the transcript, then moves them into the history; on failure they are freed. add is
 * empty then. */
int dialogue_append(struct task *t, struct dialogue *d, struct llm_history *add, struct error *err);
/* Has what was said meanwhile join the turn. */
int dialogue_join(struct task *t, struct dialogue *d, struct error *err);
/* Commits the end of the turn: its last messages (freed), its state, and what the chat is told (NULL:
 * nothing), which leaves then. */
int dialogue_end(struct task *t, struct dialogue *d, enum store_turn_state state, struct llm_history *last,
    const char *reply, struct error *err);
/* Commits that the turn waits for the model, with what the chat is told of it (NULL: nothing). */
int dialogue_wait(struct task *t, struct dialogue *d, const char *notice, struct error *err);
/* Commits a summary, of the turn's session, that stands for the first count messages, and tells the chat. */
int dialogue_summarised(
    struct task *t, struct dialogue *d, const struct store_summary *summary, size_t count, struct error *err);
/* Drops the oldest turns when the present one has made the history too long. */
void dialogue_prune(struct dialogue *d);

#endif
