#ifndef NET_CHILD_PIPE_H
#define NET_CHILD_PIPE_H
/* One end of a pipe on the loop, for child.c. */
#include <stdbool.h>
#include <uv.h>

#include "base/buf.h"

/* Told of everything: bytes that were read, room to write, the end. */
struct child_pipe_user {
	/* NULL: read into held, at most CHILD_HELD. */
	void (*data)(void *arg, int which, const char *data, size_t len);
	void (*changed)(void *arg);
	void *arg;
};

#define CHILD_HELD (64 * 1024)

/* Allocated by child_pipe_open; child_pipe_close frees it when the loop lets go. */
struct child_pipe {
	uv_poll_t poll;
	int fd, which;
	bool at_end; /* nothing more will come, or go */
	struct buf held;
	struct child_pipe_user user;
};

/* Takes fd, which must not block; begins to read unless it is for writing. */
struct child_pipe *child_pipe_open(int fd, int which, bool writing, const struct child_pipe_user *user);
/* held has been emptied: reads on. */
void child_pipe_resume(struct child_pipe *p);
/* Reads what is there, if held is empty, without waiting for the loop. */
void child_pipe_pull(struct child_pipe *p);
/* Writes what goes in: how much, 0 when it is full (user.changed comes when there is room), -1 when nobody
 * reads. */
long child_pipe_write(struct child_pipe *p, const char *data, size_t len);
/* NULL is fine. */
void child_pipe_close(struct child_pipe *p);

#endif
