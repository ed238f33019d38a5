#ifndef SESSION_QUEUE_MODE_H
#define SESSION_QUEUE_MODE_H
/*
 * What becomes of messages that come while one is answered: a setting for all chats, and what was set for
 * single ones, kept in the store and all in memory. Threads go as their chat does. Private to sessions.
 */
#include <stdbool.h>
#include <stddef.h>

struct address;
struct error;
struct journal_move;
struct sessions;
struct task;

/* Stored numbers. */
enum queue_mode {
	QUEUE_DEFAULT,   /* as the settings say */
	QUEUE_COLLECT,   /* all that wait become one turn */
	QUEUE_INTERRUPT, /* the turn that runs ends for them */
	QUEUE_QUEUE,     /* each waits its turn */
	QUEUE_STEER      /* they join the turn that runs, before its next request to the model */
};

/* Those that can be set as default, ends with NULL: index i is the mode i + 1. */
extern const char *const queue_mode_choices[];

const char *queue_mode_name(enum queue_mode mode);
/* False when there is none of this name. */
bool queue_mode_parse(const char *name, enum queue_mode *mode);

/* Reads what was set. */
int queue_mode_load(struct task *t, struct sessions *all, struct error *err);
void queue_mode_clear(struct sessions *all);
/* What was set for the chat, QUEUE_DEFAULT if nothing was. */
enum queue_mode queue_mode_own(const struct sessions *all, const struct address *where);
/* What the settings say; never QUEUE_DEFAULT. */
enum queue_mode queue_mode_usual(const struct sessions *all);
/* What counts there; never QUEUE_DEFAULT. */
enum queue_mode queue_mode(const struct sessions *all, const struct address *where);
/* It was set, and is committed. */
void queue_mode_note(struct sessions *all, const struct address *where, enum queue_mode mode);
/* The chat has another id. */
void queue_mode_move(struct sessions *all, const struct journal_move *move);

#endif
