#ifndef NET_CHILD_CHILD_H
#define NET_CHILD_CHILD_H
/*
 * Child processes on the loop. A child is the leader of a session and process group of its own; it sees
 * exactly the environment that it is given, no descriptor but its streams, every signal as by default, and
 * never a terminal. What is left of its group when it ends is killed. What leaves the group (setsid) is out
 * of reach here: only the supervisor of tools/sandbox/sandbox.h ends the whole tree.
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
	CHILD_REPORT, /* its descriptor 3: for helper programs that have something to say besides */
	CHILD_STREAMS
};

/* Called on the loop with what came, as it comes; must not suspend. */
typedef void child_sink_fn(void *arg, enum child_stream stream, const char *data, size_t len);

struct child_options {
	/* NULL-terminated; a first word without '/' is looked up in the PATH of env */
	const char *const *argv;
	const char *const *env; /* NULL-terminated "NAME=value"; NULL: child_environment without additions */
	const char *dir;        /* where it runs; NULL: where we run */
	bool input;             /* a pipe for child_write; otherwise its standard input is empty */
	bool merge;             /* what it writes to stderr comes with CHILD_STDOUT, in order */
	bool report;            /* it gets a descriptor 3 for CHILD_REPORT */
	uint64_t deadline_ms;   /* it is stopped after so long; 0: never */
	uint64_t grace_ms;      /* between TERM and KILL; 0: 2 s */
	/* Takes all output as it comes, however much that is (keep what you want); borrowed until child_free.
	 * NULL: each stream is for child_read, and the child waits when 64 KiB of one have not been read. */
	child_sink_fn *sink;
	void *sink_arg;
};

/* How it ended. */
struct child_end {
	int status;     /* its exit status; 128 + N when signal N ended it; -1: lost */
	int signal;     /* 0: none */
	bool timed_out; /* its deadline had passed, and it was stopped for that */
	bool stopped;   /* by child_stop or child_free */
};

/* Starts a program; does not suspend. NULL with a sentence; err->code is the errno then: ENOENT when there is
 * no such program, ENOTDIR when dir is none. */
struct child *child_start(const struct child_options *o, struct error *err);
/* Process id, and group; also after its end. */
int child_pid(const struct child *c);
/* Has it ended? Then *end (may be NULL) says how. */
bool child_ended(const struct child *c, struct child_end *end);

/* Waits until it has ended and the sink has got all output (something that left the group and holds a pipe
 * open is not waited for longer than a second). -1 only when t was cancelled: the child runs on. Any number
 * of tasks may wait. */
int child_wait(struct task *t, struct child *c, struct child_end *end, struct error *err);
/* Waits until the stream has ended, or the program, whichever comes first. -1 only when t was cancelled. */
int child_wait_stream(struct task *t, struct child *c, enum child_stream stream, struct error *err);
/* Waits for output of a stream without a sink and appends it to out: 1 some came, 0 wait_ms are over, -1 the
 * stream has ended (ERROR_NETWORK), or t was cancelled. One task at a time and stream. */
int child_read(struct task *t, struct child *c, enum child_stream stream, struct buf *out, uint64_t wait_ms,
    struct error *err);
/* Writes all of it to its standard input, waiting while the pipe is full. -1: it has closed its input
 * (ERROR_NETWORK), or t was cancelled; part may have been written. One task at a time. */
int child_write(struct task *t, struct child *c, const void *data, size_t len, struct error *err);
/* The end of its standard input. Twice is fine. */
void child_close_input(struct child *c);

/* Begins to end it: TERM to its group now, KILL after its grace. Does not wait; twice is fine, and after its
 * end. */
void child_stop(struct child *c);
/* Stops it if it runs, waits for its end whatever happens to t, and frees. NULL is fine. */
void child_free(struct task *t, struct child *c);

/* A clean environment: PATH, LANG=C.UTF-8 and the time zone of ours, then extra ("NAME=value",
 * NULL-terminated, NULL: none), which wins. Nothing else of ours. The array and its strings are one malloc'd
 * block. */
const char **child_environment(const char *const *extra);

/* Where a helper program of ours is: beside the running executable (a build tree), else in the package's
 * folder for such programs. malloc'd; NULL with a sentence when it is in neither. */
char *helper_path(const char *name, struct error *err);
/* For tests, whose executables lie elsewhere: looked into first. Borrowed; NULL: no more. */
void helper_set_folder(const char *dir);

#endif
