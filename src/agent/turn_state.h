#ifndef AGENT_TURN_STATE_H
#define AGENT_TURN_STATE_H
/*
 * A turn in progress: the conversation sent to the model so far, in step with the journal. Additions are
 * committed first, all or none, even when the task is cancelled meanwhile.
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
	struct prompt_files files; /* as they were at load */
	struct live *live;         /* live preview; NULL for none */
	/* tokens of history that the model accepted when it refused more; 0 unless it did */
	size_t room;
	unsigned refusals;  /* refusals because the history did not fit */
	bool image_refused; /* the model refused an image in this turn */
	char *preview;      /* the preview message that the answer replaces, NULL for none */
};

void turn_state_init(struct turn_state *d, const struct agent *agent, struct turn *turn);
/* Waits for a preview update in flight, if any. */
void turn_state_clear(struct task *t, struct turn_state *d);
/* Stores the preview's message id, so that a restart knows it. The row has it also when the store fails. */
void turn_state_record_preview(
    struct task *t, struct store *store, struct store_turn *row, const char *message_id);
/* Starts the live preview in the chat. */
void turn_state_show_progress(struct turn_state *d);
/* Ends the live preview; turn_state_end does so too. */
void turn_state_hide_progress(struct task *t, struct turn_state *d);
/* Loads the prompt files and the newest turns of the history that fit. */
int turn_state_load(struct task *t, struct turn_state *d, struct error *err);
/* Commits messages to the transcript and moves them into the history; frees them on failure. Empties add. */
int turn_state_append(struct task *t, struct turn_state *d, struct llm_history *add, struct error *err);
/* Adds new messages of the chat to the turn. */
int turn_state_join(struct task *t, struct turn_state *d, struct error *err);
/* Commits the end of the turn: its last messages (freed), its state, and the reply to the chat (NULL for
 * none). Then the history is the next turn's. */
int turn_state_end(struct task *t, struct turn_state *d, enum store_turn_state state,
    struct llm_history *last, const char *reply, struct error *err);
/* Commits that the turn waits for the model, with a notice to the chat (NULL for none). */
int turn_state_wait(struct task *t, struct turn_state *d, const char *notice, struct error *err);
/* Commits a summary of the turn's session that replaces the first count messages, and tells the chat. */
int turn_state_summarised(struct task *t, struct turn_state *d, const struct store_summary *summary,
    size_t count, struct error *err);
/* Drops the oldest turns when the current one has made the history too long. */
void turn_state_prune(struct turn_state *d);

#endif
