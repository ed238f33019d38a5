#include "net/loop.h"

#include <signal.h>
#include <stdlib.h>
#include <uv.h>

#include "base/error.h"
#include "base/list.h"
#include "base/mem.h"
#include "base/task.h"

struct loop_watcher {
	uv_signal_t handle;
	struct list link;
	loop_signal_fn *fn;
	void *arg;
};

static struct list watchers = LIST_INIT(watchers);
static size_t closing;
/* libuv's handlers only write into a pipe. */
static void (*handlers[NSIG])(int signo);
static volatile sig_atomic_t caught[NSIG];

void loop_init(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	signal(SIGPIPE, SIG_IGN);
	task_catch_overflow();
}

static void on_signal(uv_signal_t *handle, int signo)
{
	struct loop_watcher *w = handle->data;

	w->fn(signo, w->arg);
}

static void on_caught(int signo)
{
	caught[signo] = 1;
	handlers[signo](signo);
}

static void note_when_caught(int signo)
{
	struct sigaction action;

	if (sigaction(signo, NULL, &action) != 0 || action.sa_handler == on_caught)
		return;
	caught[signo] = 0;
	handlers[signo] = action.sa_handler;
	action.sa_handler = on_caught;
	sigaction(signo, &action, NULL);
}

bool loop_caught(int signo)
{
	return caught[signo];
}

static void on_closed(uv_handle_t *handle)
{
	free(handle->data);
	closing--;
}

static void watcher_close(struct loop_watcher *w)
{
	list_remove(&w->link);
	closing++;
	uv_close((uv_handle_t *)&w->handle, on_closed);
}

int loop_on_signal(int signo, loop_signal_fn *fn, void *arg, struct error *err)
{
	struct loop_watcher *w = xcalloc(1, sizeof(*w));
	int rc = uv_signal_init(uv_default_loop(), &w->handle);

	if (rc != 0) {
		free(w);
		return error_set(err, ERROR_OURS, "cannot watch signals: %s", uv_strerror(rc));
	}
	w->handle.data = w;
	w->fn = fn;
	w->arg = arg;
	list_append(&watchers, &w->link);
	rc = uv_signal_start(&w->handle, on_signal, signo);
	if (rc != 0) {
		watcher_close(w);
		return error_set(err, ERROR_OURS, "cannot watch signal %d: %s", signo, uv_strerror(rc));
	}
	note_when_caught(signo);
	return 0;
}

void loop_run(void)
{
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}

void loop_stop(void)
{
	uv_stop(uv_default_loop());
}

void loop_finish(void)
{
	list_each(&watchers, it, next)
		watcher_close(list_entry(it, struct loop_watcher, link));
	/* At least once: others may have closed handles after the loop stopped. */
	do {
		uv_run(uv_default_loop(), UV_RUN_NOWAIT);
	} while (closing > 0);
}
