#ifndef TOOLS_SANDBOX_SANDBOX_INTERNAL_H
#define TOOLS_SANDBOX_SANDBOX_INTERNAL_H
/* struct sandbox, for sandbox.c, run.c, which starts programs, and canary.c, which tests it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/task.h"
#include "base/task_cond.h"
#include "tools/files/disk_usage.h"
#include "tools/sandbox/sandbox.h"

struct error;
struct task;

#define SANDBOX_HELPER "myna-sandbox"

/* A folder by its name and its real path, without links. */
struct sandbox_folder {
	char *name, *real;
};

struct sandbox {
	struct sandbox_folder *folders; /* the workspace first, then the roots */
	size_t folder_count;
	char **hidden; /* real paths; NULL-terminated */
	char *run_as;
	char *fingerprint; /* all options, as text */
	unsigned refs;
	enum sandbox_level required, proved;
	struct sandbox_options limits; /* only its numbers, no pointers */
	bool is_proved, proving;
	struct task_cond verdict;
	struct buf reason, acts;
};

/* run.c: sandbox_start at any level, proved or not: for the test. */
struct sandboxed *sandbox_start_at(
    const struct sandbox *s, enum sandbox_level level, const struct sandbox_run *run, struct error *err);

/* canary.c: Runs the canary at a level. Returns 0 when every forbidden act failed; 1 when not, with the cause
 * in reason; -1 when cancelled. acts gets the attempted acts. */
int sandbox_canary_run(
    struct task *t, const struct sandbox *s, enum sandbox_level level, struct buf *reason, struct buf *acts);

/* disk_watch.c: Stops a program when the space for tools runs out, or its own folders hold more than its
 * quota: the workspace, its home, and that of its temporary files where they are on a disk. */
enum { DISK_WORKSPACE, DISK_HOME, DISK_TEMP, DISK_OWN };

struct disk_watch {
	const struct sandbox *sandbox; /* NULL: not started */
	struct child *child;
	uint64_t every_ms;   /* interval of checks */
	char *own[DISK_OWN]; /* NULL for none, or unknown */
	int64_t quota;       /* of all of them; 0: none */
	bool keep_free;
	/* The last count, the free space at that time, and when the next one may be made, and must be. */
	int64_t counted_bytes, free_at_count;
	uint64_t count_after, count_before;
	const char *limit; /* it was stopped: "disk" or "quota"; else NULL */
	char advice[SANDBOX_ADVICE];
	struct task_group tasks;
};

/* Returns whether less is free than disk_reserve where programs write; -1 when cancelled. */
int disk_is_low(struct task *t, const struct sandbox *s, struct error *err);
/* Counts the files of these folders, some of which may be NULL. Returns -1 when cancelled. */
int disk_count(struct task *t, const char *const own[DISK_OWN], struct disk_usage *used, struct error *err);
void disk_watch_start(struct disk_watch *w, const struct sandbox *s, struct child *child,
    const char *const own[DISK_OWN], int64_t quota, bool keep_free, uint64_t every_ms);
void disk_watch_stop(struct task *t, struct disk_watch *w);

/*
 * canary_targets.c: Targets for a canary: a world-accessible folder, files in it, listening sockets, and our
 * own process (its SIGURG, which nothing else uses), none of them granted. The canary's report counts only if
 * nothing here was touched.
 */

struct canary_targets {
	char *dir, *secret, *victim, *listener, *datagram, *abstract;
	/* In the workspace: two chats' folders, of which the canary gets the first; and the second one's
	 * file. */
	char *chats, *own, *other, *others_file;
	bool has_chats; /* they could be made */
	char content[33];
	int tcp_port, udp_port;
	int tcp, udp, named, unnamed, mailbox; /* descriptors, -1 for none */
	int dir_lock, chats_lock;              /* dir and chats are in use */
	int signals;                           /* how many SIGURG had come when this was created */
};

/* Creates the targets, files on a worker thread. Returns -1 with an error sentence, or when cancelled. */
int canary_targets_create(struct task *t, struct canary_targets *b, const char *workspace, struct error *err);
/* Returns a description of what was touched, NULL for nothing. whole: also checks calls that take a path
 * without opening it (chmod, truncate). */
const char *canary_targets_touched_files(struct task *t, const struct canary_targets *b, bool whole);
const char *canary_targets_touched_network(const struct canary_targets *b);
const char *canary_targets_touched_process(const struct canary_targets *b);
/* Removes everything, even when t is cancelled. */
void canary_targets_clear(struct task *t, struct canary_targets *b);

#endif
