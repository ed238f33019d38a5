#include "net/child/child_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"

#define BLOCK (32 * 1024)
/* Blocks read in one go, so that the rest of the loop gets its turn. */
#define BURST 8

static void pipe_end(struct child_pipe *p)
{
	p->at_end = true;
	uv_poll_stop(&p->poll);
}

/* Reads one block; false when no more is available now. */
static bool read_block(struct child_pipe *p)
{
	char block[BLOCK];
	ssize_t n = read(p->fd, block, sizeof(block));

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n <= 0) {
		pipe_end(p);
		return false;
	}
	if (p->user.data) {
		p->user.data(p->user.arg, p->which, block, (size_t)n);
		return true;
	}
	buf_add(&p->held, block, (size_t)n);
	if (p->held.len < CHILD_HELD)
		return true;
	uv_poll_stop(&p->poll);
	return false;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct child_pipe *p = poll->data;

	(void)events;
	if (status < 0)
		pipe_end(p);
	else
		for (int i = 0; i < BURST && read_block(p); i++)
			;
	p->user.changed(p->user.arg);
}

static void on_writable(uv_poll_t *poll, int status, int events)
{
	struct child_pipe *p = poll->data;

	(void)status; /* the next write reports the error */
	(void)events;
	uv_poll_stop(&p->poll);
	p->user.changed(p->user.arg);
}

void child_pipe_resume(struct child_pipe *p)
{
	if (!p->at_end)
		uv_poll_start(&p->poll, UV_READABLE, on_readable);
}

void child_pipe_pull(struct child_pipe *p)
{
	if (p->held.len == 0 && !p->at_end)
		read_block(p);
}

struct child_pipe *child_pipe_open(int fd, int which, bool writing, const struct child_pipe_user *user)
{
	struct child_pipe *p = xcalloc(1, sizeof(*p));

	p->fd = fd;
	p->which = which;
	p->user = *user;
	buf_init(&p->held);
	/* Fails only for a descriptor that cannot be polled; a pipe can. */
	uv_poll_init(uv_default_loop(), &p->poll, fd);
	p->poll.data = p;
	if (!writing)
		child_pipe_resume(p);
	return p;
}

long child_pipe_write(struct child_pipe *p, const char *data, size_t len)
{
	ssize_t n = write(p->fd, data, len);

	if (n > 0)
		return (long)n;
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		pipe_end(p);
		return -1;
	}
	uv_poll_start(&p->poll, UV_WRITABLE, on_writable);
	return 0;
}

static void on_closed(uv_handle_t *handle)
{
	struct child_pipe *p = handle->data;

	buf_clear(&p->held);
	free(p);
}

void child_pipe_close(struct child_pipe *p)
{
	if (!p)
		return;
	uv_poll_stop(&p->poll);
	close(p->fd);
	uv_close((uv_handle_t *)&p->poll, on_closed);
}
