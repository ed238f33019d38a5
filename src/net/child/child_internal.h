#ifndef NET_CHILD_CHILD_INTERNAL_H
#define NET_CHILD_CHILD_INTERNAL_H
/* What child.c builds on. */
#include <stdbool.h>
#include <sys/types.h>
#include <uv.h>

#include "base/buf.h"
#include "net/child/child.h"

/* pipe.c: One end of a pipe on the loop, for child.c. */

/* Callbacks for bytes read, for room to write, and for the end. */
struct child_pipe_user {
	/* NULL: bytes go into held, at most CHILD_HELD. */
	void (*data)(void *arg, int which, const char *data, size_t len);
	void (*changed)(void *arg);
	void *arg;
};

#define CHILD_HELD (64 * 1024)

/* Allocated by child_pipe_open; child_pipe_close frees it once the loop has released it. */
struct child_pipe {
	uv_poll_t poll;
	int fd, which;
	bool at_end; /* no more bytes in or out */
	struct buf held;
	struct child_pipe_user user;
};

/* Takes fd, which must be non-blocking; starts to read unless writing. */
struct child_pipe *child_pipe_open(int fd, int which, bool writing, const struct child_pipe_user *user);
/* Continues to read after the caller emptied held. */
void child_pipe_resume(struct child_pipe *p);
/* Reads what is available without waiting for the loop, if held is empty. */
void child_pipe_pull(struct child_pipe *p);
/* Writes and returns the number of bytes accepted: 0 when the pipe is full (user.changed is called when
 * there is room), -1 when the reader has closed it. */
long child_pipe_write(struct child_pipe *p, const char *data, size_t len);
/* NULL is allowed. */
void child_pipe_close(struct child_pipe *p);

/* spawn.c: Starts a process, for child.c: none of our code runs between fork and exec. */

/* Our ends of its streams, -1 for unused ones. They are non-blocking and close-on-exec. */
struct child_ends {
	int input;
	int output[CHILD_STREAMS];
};

/* Returns 0 with *pid and *ends, or -1 with err and errno in err->code. */
int child_spawn(const struct child_options *o, pid_t *pid, struct child_ends *ends, struct error *err);

#endif
