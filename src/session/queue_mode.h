#ifndef SESSION_QUEUE_MODE_H
#define SESSION_QUEUE_MODE_H
/*
 * Queue modes: what happens to messages that arrive during a turn. One setting for all chats, and modes
 * set for single chats, stored and all kept in memory. Threads use their chat's mode.
 */
#include <stdbool.h>
#include <stddef.h>

struct address;
struct error;
struct journal_move;
struct sessions;
struct task;

/* The numbers are stored. */
enum queue_mode {
	QUEUE_DEFAULT,   /* the configured mode */
	QUEUE_COLLECT,   /* all waiting messages become one turn */
	QUEUE_INTERRUPT, /* a new message ends the running turn */
	QUEUE_QUEUE,     /* each gets a turn of its own */
	QUEUE_STEER      /* they join the running turn before its next model request */
};

/* The modes that can be configured; ends with NULL. Index i is mode i + 1. */
extern const char *const queue_mode_choices[];

const char *queue_mode_name(enum queue_mode mode);
/* Returns false for an unknown name. */
bool queue_mode_parse(const char *name, enum queue_mode *mode);

/* Loads the modes of single chats. */
int queue_mode_load(struct task *t, struct sessions *all, struct error *err);
void queue_mode_clear(struct sessions *all);
/* Returns the mode set for the chat, or QUEUE_DEFAULT. */
enum queue_mode queue_mode_of_chat(const struct sessions *all, const struct address *where);
/* Returns the configured mode; never QUEUE_DEFAULT. */
enum queue_mode queue_mode_configured(const struct sessions *all);
/* Returns the mode in effect; never QUEUE_DEFAULT. */
enum queue_mode queue_mode(const struct sessions *all, const struct address *where);
/* Notes a committed change. */
void queue_mode_note(struct sessions *all, const struct address *where, enum queue_mode mode);
/* The chat has a new id. */
void queue_mode_move(struct sessions *all, const struct journal_move *move);

#endif
