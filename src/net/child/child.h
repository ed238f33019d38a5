#ifndef NET_CHILD_CHILD_H
#define NET_CHILD_CHILD_H
/*
 * Child processes on the loop. A child leads its own session and process group; it gets exactly the
 * given environment, no descriptors but its streams, default signal handling, and no terminal. When it
 * ends, the rest of its group is killed. Processes that leave the group (setsid) are out of reach here:
 * only the supervisor of tools/sandbox/sandbox.h ends the whole tree.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct child;
struct error;
struct task;

enum child_stream {
	CHILD_STDOUT,
	CHILD_STDERR,
	CHILD_REPORT, /* its descriptor 3: extra output of helper programs */
	CHILD_STREAMS
};

/* Called on the loop with each piece of output; must not suspend. */
typedef void child_sink_fn(void *arg, enum child_stream stream, const char *data, size_t len);

struct child_options {
	/* NULL-terminated; a first word without '/' is looked up in the PATH of env */
	const char *const *argv;
	const char *const *env; /* NULL-terminated "NAME=value"; NULL: child_environment without additions */
	const char *dir;        /* working directory; NULL: ours */
	bool input;             /* gives it a pipe for child_write; otherwise its standard input is empty */
	bool merge;             /* sends stderr to CHILD_STDOUT, in order */
	bool report;            /* gives it descriptor 3 for CHILD_REPORT */
	uint64_t deadline_ms;   /* time limit; 0 for none */
	uint64_t grace_ms;      /* time between TERM and KILL; 0: 2 s */
	/* Receives all output as it arrives, without a limit; borrowed until child_free. NULL: read each
	 * stream with child_read; the child blocks when 64 KiB of one are unread. */
	child_sink_fn *sink;
	void *sink_arg;
};

/* How a child ended. */
struct child_end {
	int status;     /* exit status; 128 + N after signal N; -1 when unknown */
	int signal;     /* 0 for none */
	bool timed_out; /* stopped because of its deadline */
	bool stopped;   /* by child_stop or child_free */
};

/* Starts a program; does not suspend. Returns NULL with err; err->code is the errno: ENOENT when the
 * program does not exist, ENOTDIR when dir is no directory. */
struct child *child_start(const struct child_options *o, struct error *err);
/* The process and group id; also after its end. */
int child_pid(const struct child *c);
/* Returns true when it has ended; *end (may be NULL) then says how. */
bool child_ended(const struct child *c, struct child_end *end);

/* Waits until it has ended and the sink has all output (at most a second for a process outside the group
 * that holds a pipe open). Returns -1 only when t was cancelled: the child keeps running. Any number of
 * tasks may wait. */
int child_wait(struct task *t, struct child *c, struct child_end *end, struct error *err);
/* Waits for the end of the stream or the program. Returns -1 only when t was cancelled. */
int child_wait_stream(struct task *t, struct child *c, enum child_stream stream, struct error *err);
/* Waits for output of a stream without a sink and appends it to out. Returns 1 on output, 0 after wait_ms,
 * -1 when the stream has ended (ERROR_NETWORK) or t was cancelled. One task at a time per stream. */
int child_read(struct task *t, struct child *c, enum child_stream stream, struct buf *out, uint64_t wait_ms,
    struct error *err);
/* Writes all bytes to its standard input, suspending while the pipe is full. Returns -1 when it closed its
 * input (ERROR_NETWORK) or t was cancelled; part may have been written. One task at a time. */
int child_write(struct task *t, struct child *c, const void *data, size_t len, struct error *err);
/* Closes its standard input. May be called twice. */
void child_close_input(struct child *c);

/* Starts to end it: TERM to its group now, KILL after grace_ms. Does not wait. May be called twice, and
 * after its end. */
void child_stop(struct child *c);
/* Stops it if it runs, waits for its end even when t is cancelled, and frees it. NULL is allowed. */
void child_free(struct task *t, struct child *c);

/* On any thread, in a process that is about to end: ends all children with their groups, within a fifth of a
 * second. */
void child_kill_all(void);

/* Returns a clean environment: PATH, LANG=C.UTF-8 and our time zone, overridden by extra ("NAME=value",
 * NULL-terminated; NULL for none). The array and its strings are one malloc'd block. */
const char **child_environment(const char *const *extra);

/* Returns the malloc'd path of one of our helper programs: beside the running executable (a build tree),
 * else in the package's libexec folder. NULL with err when it is in neither. */
char *helper_path(const char *name, struct error *err);
/* For tests, whose executables are elsewhere: a folder to search first. Borrowed; NULL for none. */
void helper_set_folder(const char *dir);

#endif
