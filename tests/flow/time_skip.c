#include "flow/time_skip.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <uv.h>

#include "base/time/clock.h"

#define SOON_MS 20

static struct {
	uv_timer_t look;
	unsigned waits;  /* of the loop for events, since the last look */
	unsigned events; /* that came */
	uint64_t max_ms;
} pace;

static int note(int fd, int count)
{
	if (fd == uv_backend_fd(uv_default_loop())) {
		pace.waits++;
		pace.events += count > 0;
	}
	return count;
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout)
{
	static __typeof__(&epoll_wait) real;

	if (!real)
		real = (__typeof__(&epoll_wait))dlsym(RTLD_NEXT, "epoll_wait");
	return note(fd, real(fd, events, most, timeout));
}

int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout, const sigset_t *mask)
{
	static __typeof__(&epoll_pwait) real;

	if (!real)
		real = (__typeof__(&epoll_pwait))dlsym(RTLD_NEXT, "epoll_pwait");
	return note(fd, real(fd, events, most, timeout, mask));
}

/* curl has timers of its own, by the real clock: it means to do something soon. */
static void note_timer(uv_handle_t *handle, void *arg)
{
	bool *quiet = arg;

	if (handle->type == UV_TIMER && uv_is_active(handle) && handle != (uv_handle_t *)&pace.look &&
	    uv_timer_get_due_in((uv_timer_t *)handle) < SOON_MS)
		*quiet = false;
}

/* The loop has waited, and in vain. Files may still be read or written on threads. */
static void on_look(uv_timer_t *look)
{
	bool quiet = pace.waits > 0 && pace.events == 0 && uv_default_loop()->active_reqs.count == 0;
	uint64_t now = clock_now(), due = clock_first_due();

	(void)look;
	pace.waits = pace.events = 0;
	if (quiet)
		uv_walk(uv_default_loop(), note_timer, &quiet);
	if (!quiet || due == UINT64_MAX)
		return;
	due = due > now ? due - now : 0;
	clock_advance(due < pace.max_ms ? due : pace.max_ms);
}

void time_skip_start(int64_t wall_ms, uint64_t seed, uint64_t max_ms)
{
	clock_fake(wall_ms, seed);
	pace.max_ms = max_ms;
	uv_timer_init(uv_default_loop(), &pace.look);
	uv_timer_start(&pace.look, on_look, 1, 1);
}

void time_skip_stop(void)
{
	uv_timer_stop(&pace.look);
	uv_close((uv_handle_t *)&pace.look, NULL);
	uv_run(uv_default_loop(), UV_RUN_NOWAIT);
}
