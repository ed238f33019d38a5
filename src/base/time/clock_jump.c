#include "base/time/clock_jump.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

#include "base/mem.h"

static struct list watches = LIST_INIT(watches);
static uv_poll_t *handle;

/* A timer that never expires: the kernel cancels it when the clock is set. */
static int arm(int fd)
{
	const struct itimerspec never = {
	    .it_value.tv_sec = (time_t)(sizeof(time_t) > 4 ? INT64_MAX : INT32_MAX)};

	return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	uint64_t expired;
	uv_os_fd_t fd;

	(void)events;
	if (status < 0 || uv_fileno((uv_handle_t *)poll, &fd) != 0)
		return;
	if (read(fd, &expired, sizeof(expired)) >= 0 || errno != ECANCELED)
		return;
	arm(fd);
	clock_jumped();
}

void clock_jumped(void)
{
	list_each(&watches, it, next) {
		struct clock_jump_watch *w = list_entry(it, struct clock_jump_watch, link);

		w->fn(w->arg);
	}
}

static bool open_handle(void)
{
	int fd = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK | TFD_CLOEXEC);

	if (fd < 0)
		return false;
	handle = xcalloc(1, sizeof(*handle));
	if (arm(fd) == 0 && uv_poll_init(uv_default_loop(), handle, fd) == 0) {
		uv_poll_start(handle, UV_READABLE, on_readable);
		uv_unref((uv_handle_t *)handle);
		return true;
	}
	free(handle);
	handle = NULL;
	close(fd);
	return false;
}

static void free_handle(uv_handle_t *closed)
{
	free(closed);
}

static void close_handle(void)
{
	uv_os_fd_t fd;

	if (uv_fileno((uv_handle_t *)handle, &fd) == 0) {
		uv_poll_stop(handle);
		close(fd);
	}
	uv_close((uv_handle_t *)handle, free_handle);
	handle = NULL;
}

bool clock_jump_watch_start(struct clock_jump_watch *w, void (*fn)(void *arg), void *arg)
{
	if (!handle && !open_handle())
		return false;
	w->fn = fn;
	w->arg = arg;
	list_append(&watches, &w->link);
	return true;
}

void clock_jump_watch_stop(struct clock_jump_watch *w)
{
	if (!w->fn)
		return;
	w->fn = NULL;
	list_remove(&w->link);
	if (list_is_empty(&watches))
		close_handle();
}
