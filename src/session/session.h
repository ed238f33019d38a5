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
struct channel;
struct error;
struct files_settings;
struct journal_move;
struct session_settings;
struct sessions;
struct task;

struct sessions_options {
	/* Borrowed. A reload may replace what it points at, which stays valid as base/epoch.h says: a task
	 * that suspends while it uses the model, the tools or settings enters an epoch first. */
	const struct agent *agent;
	/* Returns the access settings of a channel; NULL for one that is not configured. */
	const struct access_settings *(*access)(void *arg, const char *channel);
	/* Appends the text of /status; details for admins only. */
	void (*status)(struct task *t, void *arg, bool details, struct buf *out);
	/* Appends the text of /doctor. */
	void (*doctor)(struct task *t, void *arg, struct buf *out);
	/* Reloads the configuration and appends the result. NULL: not possible. */
	void (*reload)(struct task *t, void *arg, struct buf *out);
	/* Returns the addresses for operators' reports, malloc'd. False: none is configured, and each
	 * channel's admins are notified. NULL: as false. */
	bool (*reports)(void *arg, struct address **to, size_t *count);
	/* Shuts down in order and starts again, for /restart; NULL: not possible. Never suspends. */
	void (*restart)(void *arg);
	void *arg;
	size_t turns_at_once;                    /* further turns wait for a slot */
	size_t queue_most;                       /* waiting messages of one chat; further ones are refused */
	const struct files_settings *files;      /* borrowed */
	const struct session_settings *settings; /* borrowed */
	/* The only channel whose unfinished work a start resumes; NULL: all. */
	const char *only_channel;
};

struct sessions *sessions_new(const struct sessions_options *options);
/* Stops taking messages, leaves running turns open for the next start, frees. */
void sessions_free(struct task *t, struct sessions *all);

/* bus_handler.received: a committed message; takes it. Never suspends. arg is the struct sessions. */
void sessions_received(void *arg, struct message *m);
/* bus_handler.moved: the sessions of a chat follow it to its new id. Never suspends. */
void sessions_moved(struct sessions *all, const struct journal_move *move, bool committed);
/* After a start: resumes interrupted turns and pending messages, but for channels that are
 * CHANNEL_ELSEWHERE. */
int sessions_resume(struct task *t, struct sessions *all, struct error *err);
/* The same for channels taken over from other nodes, after bus_take_channels: those nodes have changed what
 * was read at the start. Interrupted turns resume at held_until. May be called again after a failure. */
int sessions_take_channels(struct task *t, struct sessions *all, struct error *err);

/* Returns whether nothing of the channel is in progress, nor any short task that may belong to it. While it
 * is leaving, messages may wait for a turn. */
bool sessions_are_idle(struct sessions *all, const char *channel);
/* The channel stays after all: starts the messages that wait. */
void sessions_keep_channel(struct sessions *all, const char *channel);
/* The channel has left: forgets the messages that wait, which stay in the journal. Waits, even when t is
 * cancelled, until the channel has no session any more: one that is in progress ends first. */
void sessions_forget_channel(struct task *t, struct sessions *all, const char *channel);

/* Ends the chat's turn, running or about to run, else drops the message that waits for a slot; false when
 * there is neither. *waiting: messages after it that are in memory. *background: background tasks of the chat
 * that were ended, too. person: what this person asked alone; NULL: anybody. */
bool sessions_stop(struct sessions *all, const struct address *where, const char *person, size_t *waiting,
    size_t *background);
/* Ends the chat's turn, then begins a new conversation: one commit with the reply (a literal) and the end of
 * the message that asked. Waiting messages belong to the new conversation. Takes asked. */
void sessions_renew(struct sessions *all, struct message *asked, const char *reply);

/* After roles have changed: ends the turns and the waiting messages of people who may not talk to the agent
 * any more. */
void sessions_roles_changed(struct sessions *all);
/* Reloads what is cached here and another node may have changed. */
void sessions_reload(struct sessions *all);
/* Applies new limits and roles at once; files and settings are borrowed. */
void sessions_set_limits(struct sessions *all, size_t turns_at_once, size_t queue_most,
    const struct files_settings *files, const struct session_settings *settings);

/* The state of a session, for diagnostics. */
struct session_view {
	const struct address *where;
	const char *doing;      /* "runs a turn" and the like */
	size_t queued, backlog; /* messages in memory, and all */
};
void sessions_each(
    const struct sessions *all, void (*fn)(void *arg, const struct session_view *view), void *arg);

/* This many messages of a chat that had ended are pending again: its session reads the queue again. */
void sessions_requeued(struct sessions *all, const struct address *where, size_t count);
/* Answers the last exchange of a chat again, in a turn that asked begins; takes asked with the duty to answer
 * and end it. Returns -1 without taking it; ERROR_REFUSED when a turn runs there or messages wait. */
int sessions_retry(struct task *t, struct sessions *all, struct message *asked, struct error *err);
/* Returns how many messages of a chat wait for a turn. */
size_t sessions_waiting(struct sessions *all, const struct address *where);

void sessions_doctor(struct task *t, struct sessions *all, struct buf *out);
void sessions_status(struct task *t, struct sessions *all, bool details, struct buf *out);
size_t sessions_running(const struct sessions *all);

#endif
