#ifndef TOOLS_BACKGROUND_H
#define TOOLS_BACKGROUND_H
/*
 * What tools run: how much of it at once, and what goes on when its call has answered. A background job
 * belongs to the conversation in which it was begun; it outlives turns and reloads, and ends with the
 * conversation, by /stop, or with the process. One table for the whole process, on the loop's thread.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "bus/address.h"
#include "tools/output.h"

struct background;
struct background_job;
struct buf;
struct error;
struct task;

enum background_state {
	BACKGROUND_RUNNING,
	BACKGROUND_COMPLETED, /* with any exit status */
	BACKGROUND_FAILED,
	BACKGROUND_KILLED,
	BACKGROUND_TIMED_OUT
};

enum background_stream { BACKGROUND_STDOUT, BACKGROUND_STDERR, BACKGROUND_STREAMS };

struct background_limits {
	size_t in_chat, in_all; /* that run at once */
	size_t output_bytes;    /* kept of each stream */
};

/* How it ended. */
struct background_end {
	enum background_state state;
	int exit_code, signal; /* signal 0: none */
	const char *limit;     /* what ended it, a literal; NULL: nothing did */
};

/* What a job does. */
struct background_work {
	/* In a task of its own; cancelled when it is to end, and then nothing of it may be left when it
	 * returns. Without a background_finish it has failed, or was killed. */
	void (*run)(struct task *t, struct background_job *job, void *arg);
	void (*free)(void *arg); /* after run */
	void *arg;
	const char *what; /* for people: the command; copied */
};

struct background *background_new(void);
/* Ends all that runs and waits for it. NULL is fine. */
void background_free(struct task *t, struct background *b);

/* A place among what runs at once, taken by what is waited for as well. */
struct background_slot {
	struct list link;
	struct address chat;
	const char *id; /* of the job, NULL: none */
};
/* False: there are as many already. b may be NULL: then there is no limit. */
bool background_slot_take(struct background *b, const struct address *chat,
    const struct background_limits *limits, struct background_slot *p);
void background_slot_release(struct background_slot *p);

/* Takes work, also when it fails. NULL: there are as many already. */
struct background_job *background_start(struct background *b, const struct address *chat,
    const struct background_limits *limits, const struct background_work *work);
/* For work.run. */
void background_write(
    struct background_job *job, enum background_stream stream, const char *data, size_t len);
void background_finish(struct background_job *job, const struct background_end *end);

/* The job of this conversation, running or lately ended; NULL: there is none. Borrowed until the caller
 * suspends. */
struct background_job *background_find(struct background *b, const struct address *chat, const char *id);
/* Is it the id of a job that a process before this one had? */
bool background_was_interrupted(const struct background *b, const char *id);
const char *background_id(const struct background_job *job);
const char *background_what(const struct background_job *job);
bool background_was_killed(const struct background_job *job); /* not: cancelled, because the process stops */
const struct background_end *background_end(
    const struct background_job *job); /* of one that runs: state alone */
const struct output *background_output(const struct background_job *job, enum background_stream stream);
uint64_t background_ms(const struct background_job *job); /* how long it has run */
/* Appends the ids of what runs in the conversation, "none" when nothing does. */
void background_list(const struct background *b, const struct address *chat, struct buf *out);

/* So that it stays while the caller suspends. */
void background_hold(struct background_job *job);
void background_release(struct background_job *job);
/* Waits for its end, at most wait_ms: 1 it has ended, 0 it has not, -1 t was cancelled. Of one that is
 * held. */
int background_wait(struct task *t, struct background_job *job, uint64_t wait_ms, struct error *err);
/* Begins to end it; background_wait tells when it is gone. */
void background_kill(struct background_job *job);

/* Begins to end all jobs of a conversation: how many. b may be NULL. */
size_t background_stop(struct background *b, const struct address *chat);
/* A chat has got another id. */
void background_move(struct background *b, const struct address *before, const struct address *after);

#endif
