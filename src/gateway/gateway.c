#include "gateway/gateway.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/open_files.h"
#include "bus/bus.h"
#include "ops/state_dump.h"
#include "gateway/gateway_internal.h"
#include "ops/gateway_view.h"
#include "net/http/http.h"
#include "net/http/library.h"
#include "net/loop.h"
#include "net/loop_busy.h"
#include "net/web/web.h"
#include "gateway/restart.h"

/* Time limit of a stop: if something hangs that cannot be cancelled, such as a file system that does not
 * answer, the process exits. Its state is durable, and the next start continues from there. */
#define GATEWAY_STOP_S 9

/* Reloads again when a request arrived meanwhile. */
static void reload_task(struct task *t, void *arg)
{
	struct gateway *g = arg;

	while (g->reload_requested && task_check(t, NULL) == 0) {
		struct buf text = BUF_INIT;
		g->reload_requested = false;
		gateway_reload(t, g, &text);
		buf_clear(&text);
	}
}

static void start_reload(struct gateway *g)
{
	if (g->reload_requested && g->is_up && !g->stopping && task_group_is_empty(&g->reloads))
		task_start(&g->reloads, "reload", reload_task, g);
}

static void on_reload(int signo, void *arg)
{
	struct gateway *g = arg;

	(void)signo;
	g->reload_requested = true;
	start_reload(g);
}

/* A task of its own, so that a stop can cancel it: opening a large database takes time. */
static void start_task(struct task *t, void *arg)
{
	struct gateway *g = arg;

	while (gateway_parts[g->started].name && g->rc == 0 && task_check(t, NULL) == 0) {
		g->rc = gateway_parts[g->started].start(t, g);
		if (g->rc == 0)
			g->started++;
	}
	g->starter = NULL;
	if (g->stopping)
		g->rc = 0;
	else if (g->rc < 0)
		log_error("gateway", "cannot start %s: %s", gateway_parts[g->started].name, g->err->text);
	else
		log_info("gateway", "started ms=%llu", (unsigned long long)gateway_uptime_ms(g));
	g->is_up = g->rc == 0 && !g->stopping;
	if (g->is_up)
		sd_notify_ready("running");
}

static void on_stop_overdue(int signo)
{
	static const char text[] = "myna: the stop took too long; ending at once\n";

	(void)signo;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(0);
	_exit(0);
}

static void on_restart_overdue(int signo)
{
	restart_now();
	on_stop_overdue(signo);
}

void gateway_begin_stop(struct gateway *g)
{
	g->stopping = true;
	/* Under systemd, a restart in place is not a stop. */
	if (!g->restart)
		sd_notify_stopping();
	signal(SIGALRM, g->restart ? on_restart_overdue : on_stop_overdue);
	alarm(GATEWAY_STOP_S);
	if (g->starter)
		task_cancel(g->starter);
	if (g->task)
		task_wake(g->task);
}

static void guest_task(struct task *t, void *arg)
{
	struct gateway *g = arg;

	g->guest->run(t, g->guest->arg);
	gateway_begin_stop(g);
}

static void gateway_task(struct task *t, void *arg)
{
	struct gateway *g = arg;
	struct task_group start;

	task_group_init(&start);
	g->starter = task_start(&start, "start", start_task, g);
	task_group_wait(t, &start, NULL);
	if (g->guest && g->rc == 0 && !g->stopping)
		task_start(&g->guests, "guest", guest_task, g);
	if (g->rc == 0 && !g->guest)
		gateway_prove_sandbox(g);
	if (g->rc == 0)
		start_reload(g);
	while (g->rc == 0 && !g->stopping)
		task_wait(t, NULL);
	task_group_finish(t, &g->guests);
	task_group_finish(t, &g->reloads);
	while (g->started > 0) {
		const struct gateway_part *part = &gateway_parts[--g->started];
		if (part->stop)
			part->stop(t, g);
	}
	log_info("gateway", "stopped");
	g->task = NULL;
	loop_stop();
}

static void on_signal(int signo, void *arg)
{
	struct gateway *g = arg;

	if (g->stopping)
		return;
	log_info("gateway", "stopping signal=%d", signo);
	gateway_begin_stop(g);
}

static void on_dump(int signo, void *arg)
{
	(void)signo;
	state_dump_log(arg);
}

static void hold_signals(int how)
{
	sigset_t stops;

	sigemptyset(&stops);
	sigaddset(&stops, SIGINT);
	sigaddset(&stops, SIGHUP);
	sigaddset(&stops, SIGTERM);
	pthread_sigmask(how, &stops, NULL);
}

void gateway_prepare(void)
{
	/* Not 0: only for 1 the kernel starts no program that would take the core (core_pattern). */
	const struct rlimit none = {1, 1};
	char few[200];

	/* Small blocks that are freed join others at once. Otherwise glibc keeps them, and walks through all
	 * of them when it is asked for a large block, several times for a message. */
	mallopt(M_MXFAST, 0);
	/* One heap for all threads: with several, what one thread has freed lies idle while another asks for
	 * more. They allocate too little to get into each other's way. */
	mallopt(M_ARENA_MAX, 1);
	open_files_raise();
	if (open_files_are_few(few, sizeof(few)))
		log_warn("gateway", "%s", few);

	/* A limit that is lower already cannot be raised; either is enough. */
	bool limited = setrlimit(RLIMIT_CORE, &none) == 0, closed = prctl(PR_SET_DUMPABLE, 0) == 0;
	if (!limited && !closed)
		log_warn("gateway", "core dumps cannot be switched off: secrets may come to disk in a crash");
	hold_signals(SIG_BLOCK);
}

int gateway_run_for(const struct gateway_config *gc, const struct gateway_guest *guest, struct error *err)
{
	struct gateway g = {.config = gc, .first = gc, .guest = guest, .err = err, .started_ms = clock_now()};

	if (http_library_check(err) < 0)
		return -1;
	loop_init();
	task_group_init(&g.guests);
	task_group_init(&g.reloads);
	g.rc = loop_on_signal(SIGTERM, on_signal, &g, err);
	if (g.rc == 0 && !guest)
		g.rc = loop_on_signal(SIGINT, on_signal, &g, err);
	if (g.rc == 0 && !guest)
		g.rc = loop_on_signal(SIGHUP, on_reload, &g, err);
	if (g.rc == 0)
		g.rc = loop_on_signal(SIGUSR2, on_dump, &g, err);
	hold_signals(SIG_UNBLOCK);
	loop_busy_begin();
	if (!guest)
		sd_notify_begin();
	if (g.rc == 0) {
		g.task = task_start(NULL, "gateway", gateway_task, &g);
		loop_run();
	}
	http_finish();
	web_finish();
	sd_notify_end();
	loop_busy_end();
	loop_finish();
	if (g.config != gc)
		gateway_retire_config((void *)g.config);
	for (size_t i = 0; i < g.notice_count; i++)
		free(g.notices[i]);
	return g.rc == 0 && g.restart ? GATEWAY_RESTART : g.rc;
}

int gateway_run(const struct gateway_config *gc, struct error *err)
{
	return gateway_run_for(gc, NULL, err);
}

const struct gateway_config *gateway_config(const struct gateway *g)
{
	return g->config;
}

struct bus *gateway_bus(struct gateway *g)
{
	return g->bus;
}

struct store *gateway_store(struct gateway *g)
{
	return g->store;
}

struct sessions *gateway_sessions(struct gateway *g)
{
	return g->sessions;
}

bool gateway_ready(struct gateway *g)
{
	if (g->stopping)
		return false;
	for (struct channel *ch = NULL; (ch = bus_next_channel(g->bus, ch));)
		if (ch->status != CHANNEL_READY && ch->status != CHANNEL_ELSEWHERE)
			return false;
	return true;
}

struct mcp *gateway_mcp(struct gateway *g)
{
	return g->mcp;
}

struct budget *gateway_budget(struct gateway *g)
{
	return g->budget;
}

struct health *gateway_health(struct gateway *g)
{
	return g->health;
}

uint64_t gateway_uptime_ms(const struct gateway *g)
{
	return clock_now() - g->started_ms;
}

const char *gateway_notice(const struct gateway *g, size_t i)
{
	return i < g->notice_count ? g->notices[i] : NULL;
}
