#ifndef TOOLS_BACKGROUND_H
#define TOOLS_BACKGROUND_H
/*
 * Limits on concurrent programs, and background jobs, which outlive their tool call. A background job
 * belongs to a conversation; it survives turns and reloads, and ends with the conversation, by /stop, or
 * with the process. One table for the whole process, on the loop's thread.
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
	size_t in_chat, in_all; /* maximum running at once */
	size_t output_bytes;    /* bytes kept of each stream */
};

/* How a job ended. */
struct background_end {
	enum background_state state;
	int exit_code, signal; /* signal 0: none */
	const char *limit;     /* what limit ended it, a literal; NULL for none */
};

/* The work of a job. */
struct background_work {
	/* Runs in its own task and is cancelled to end the job; it must leave nothing running when it
	 * returns. Without a background_finish the job has failed, or was killed. */
	void (*run)(struct task *t, struct background_job *job, void *arg);
	void (*free)(void *arg); /* called after run */
	void *arg;
	const char *what;   /* description for people: the command; copied */
	const char *person; /* platform id of who asked for it; NULL: several people; copied */
};

struct background *background_new(void);
/* Ends all jobs, waits for them, and starts no further ones. */
void background_close(struct task *t, struct background *b);
/* The same, and frees it. NULL is allowed. */
void background_free(struct task *t, struct background *b);

/* A slot among the programs that run at once; foreground programs take one too. */
struct background_slot {
	struct list link;
	struct address chat;
	const char *id; /* job id, NULL for none */
};
/* Appends why no slot was free a moment ago, the chat's own limit first, and what helps. A sub-agent in the
 * background counts as a command. */
void background_describe_full(const struct background *b, const struct address *chat,
    const struct background_limits *limits, struct buf *out);
/* Returns false when no slot is free. b may be NULL for no limit. */
bool background_slot_take(struct background *b, const struct address *chat,
    const struct background_limits *limits, struct background_slot *p);
void background_slot_release(struct background_slot *p);

/* Starts a job. Takes work even on failure. Returns NULL when no slot is free. */
struct background_job *background_start(struct background *b, const struct address *chat,
    const struct background_limits *limits, const struct background_work *work);
/* For work.run. */
void background_write(
    struct background_job *job, enum background_stream stream, const char *data, size_t len);
void background_finish(struct background_job *job, const struct background_end *end);

/* Returns a job of this conversation, running or recently ended; NULL for none. Borrowed until the caller
 * suspends. */
struct background_job *background_find(struct background *b, const struct address *chat, const char *id);
/* Returns true when the id belongs to a job of an earlier process. */
bool background_was_interrupted(const struct background *b, const char *id);
const char *background_id(const struct background_job *job);
/* false when it was cancelled because the process stops */
bool background_was_killed(const struct background_job *job);
const struct background_end *background_end(
    const struct background_job *job); /* of a running job: state only */
const struct output *background_output(const struct background_job *job, enum background_stream stream);
uint64_t background_ms(const struct background_job *job); /* its run time so far */
/* Appends the ids of the conversation's running jobs, or "none". */
void background_list(const struct background *b, const struct address *chat, struct buf *out);

/* Keeps the job while the caller suspends. */
void background_hold(struct background_job *job);
void background_release(struct background_job *job);
/* Waits up to wait_ms for the end of a held job. Returns 1 when it has ended, 0 when not, -1 when t was
 * cancelled. */
int background_wait(struct task *t, struct background_job *job, uint64_t wait_ms, struct error *err);
/* Returns how many slots the channel's chats have taken, for jobs and foreground programs. */
size_t background_running(struct background *b, const char *channel);
/* Starts to end the job; background_wait reports when it is gone. */
void background_kill(struct background_job *job);

/* Starts to end the jobs of a conversation, those of one person if person is not NULL, and returns their
 * number. b may be NULL. */
size_t background_stop(struct background *b, const struct address *chat, const char *person);
/* The same with all jobs that the person asked for on the channel. */
size_t background_stop_person(struct background *b, const char *channel, const char *person);
/* Updates the jobs of a chat that got a new id. */
void background_move(struct background *b, const struct address *before, const struct address *after);

#endif
