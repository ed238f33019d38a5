#ifndef NET_CHILD_PIPE_H
#define NET_CHILD_PIPE_H
/* One end of a pipe on the loop, for child.c. */
#include <stdbool.h>
#include <uv.h>

#include "base/buf.h"

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

#endif
