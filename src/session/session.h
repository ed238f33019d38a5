#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H
/*
 * Sessions: each chat (channel, chat, thread) has one. A session runs one turn at a time;
 * messages that arrive meanwhile wait in the journal. Different sessions run at the same time.
 */
#include <stdbool.h>
#include <stddef.h>

#include "agent/agent.h"
#include "bus/message.h"

struct access_settings;
struct buf;
struct error;
struct files_settings;
struct journal_move;
struct session_settings;
struct sessions;
struct task;

struct sessions_options {
	/* Borrowed. What it points at may be replaced at any time, and lives as base/epoch.h says: a task
	 * that waits while it uses the model, the tools or settings enters first. */
	const struct agent *agent;
	/* The access settings of a channel; NULL for one that is not configured. */
	const struct access_settings *(*access)(void *arg, const char *channel);
	/* Appends what /status tells; details for admins only. */
	void (*status)(struct task *t, void *arg, bool details, struct buf *out);
	/* Appends what /doctor tells. */
	void (*doctor)(struct task *t, void *arg, struct buf *out);
	/* Reads the configuration again, and appends what came of it. NULL: it cannot be. */
	void (*reload)(struct task *t, void *arg, struct buf *out);
	/* Where operators are told of things, malloc'd. False: no place is named, and each channel's admins
	 * are told. NULL: as false. */
	bool (*reports)(void *arg, struct address **to, size_t *count);
	/* Stops in good order and starts again, for /restart; NULL: it cannot. Never suspends. */
	void (*restart)(void *arg);
	void *arg;
	size_t turns_at_once;               /* further ones wait for a place */
	size_t queue_most;                  /* messages of one chat that wait; further ones are refused */
	const struct files_settings *files; /* borrowed */
	const struct session_settings *settings; /* borrowed */
	/* The only channel whose open work a start goes on with; NULL: all. */
	const char *only;
};

struct sessions *sessions_new(const struct sessions_options *options);
/* Stops taking messages, leaves running turns open for the next start, frees. */
void sessions_free(struct task *t, struct sessions *all);

/* bus_handler.received: a committed message; takes it. Never suspends. arg is the struct sessions. */
void sessions_received(void *arg, struct message *m);
/* bus_handler.moved: the sessions of a chat follow it to its new id. Never suspends. */
void sessions_moved(struct sessions *all, const struct journal_move *move, bool committed);
/* After a start: goes on with turns that a stop cut off and messages that were not handled. */
int sessions_resume(struct task *t, struct sessions *all, struct error *err);

/* Ends the turn of a chat that runs or is about to, else drops the message that waits for a place; false when
 * there is nothing to do there. *waiting: messages after it, as far as they are in memory. *behind:
 * background tasks of the chat that are ended, too. */
bool sessions_stop(struct sessions *all, const struct address *where, size_t *waiting, size_t *behind);
/* Ends the turn of a chat, then begins a new conversation, in one commit with the reply (a literal) and the
 * end of the message that asked for it. Messages that wait are answered in the new one. Takes asked. */
void sessions_renew(struct sessions *all, struct message *asked, const char *reply);

/* In force from now on; files and settings are borrowed. */
void sessions_set_limits(struct sessions *all, size_t turns_at_once, size_t queue_most,
    const struct files_settings *files, const struct session_settings *settings);

/* How a session is, for who looks into the process. */
struct session_view {
	const struct address *where;
	const char *doing;      /* "runs a turn", … */
	size_t queued, backlog; /* messages in memory, and in all */
};
void sessions_each(
    const struct sessions *all, void (*fn)(void *arg, const struct session_view *view), void *arg);

/* Messages of a chat are pending again that were not: its queue is read anew. */
void sessions_requeued(struct sessions *all, const struct address *where, size_t count);
/* The last exchange of a chat is answered anew, by a turn that asked begins: takes it, and sees to its answer
 * and its end. -1: it did not; ERROR_REFUSED when a turn runs there, or messages wait. */
int sessions_retry(struct task *t, struct sessions *all, struct message *asked, struct error *err);
/* Messages of a chat that wait for their turn. */
size_t sessions_waiting(struct sessions *all, const struct address *where);

void sessions_doctor(struct task *t, struct sessions *all, struct buf *out);
void sessions_status(struct task *t, struct sessions *all, bool details, struct buf *out);
size_t sessions_running(const struct sessions *all);

#endif
