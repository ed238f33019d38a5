#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "cli/cli.h"

#define TICK_MS 1000
/* Clears the line. */
#define CLEAR "\r\033[K"

/* The thread only reads this; it is changed before it starts and after it has ended. */
static struct {
	const char *what;
	const _Atomic(const char *) *changing; /* instead of what, with rows; NULL: not */
	const atomic_llong *rows;
	char *pattern; /* of the file that grows; NULL: none */
	int64_t whole; /* how large it becomes */
	uint64_t began_us;
	size_t depth;
	int end[2]; /* its closing ends the thread */
	bool runs;
	pthread_t thread;
} now;

static bool is_terminal(void)
{
	const char *terminal = getenv("TERM");

	return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Returns the bytes of the file that grows; -1 when there is none. */
static int64_t grown(void)
{
	struct stat st;
	glob_t found;
	int64_t bytes = -1;

	if (!now.pattern || glob(now.pattern, 0, NULL, &found) != 0)
		return -1;
	if (stat(found.gl_pathv[0], &st) == 0)
		bytes = st.st_size;
	globfree(&found);
	return bytes;
}

static void show(void)
{
	unsigned long long s = (unsigned long long)(clock_measure_us() - now.began_us) / 1000000;
	int64_t bytes = grown();

	if (now.changing)
		fprintf(stderr, CLEAR "%s: %lld rows, %llu s", atomic_load(now.changing),
		    atomic_load(now.rows), s);
	else if (bytes >= 0)
		fprintf(stderr, CLEAR "%s: %" PRId64 " of %" PRId64 " MiB, %llu s", now.what, bytes >> 20,
		    now.whole >> 20, s);
	else
		fprintf(stderr, CLEAR "%s: %llu s", now.what, s);
	fflush(stderr);
}

static void *watch(void *arg)
{
	struct pollfd end = {.fd = now.end[0], .events = POLLIN};
	bool shown = false;
	int rc;

	(void)arg;
	while ((rc = poll(&end, 1, TICK_MS)) == 0 || (rc < 0 && errno == EINTR)) {
		show();
		shown = true;
	}
	if (shown)
		fputs(CLEAR, stderr);
	return NULL;
}

/* Signals are for the other threads. */
static bool start(void)
{
	sigset_t all, were;

	if (pipe2(now.end, O_CLOEXEC) < 0)
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &were);
	int rc = pthread_create(&now.thread, NULL, watch, NULL);
	pthread_sigmask(SIG_SETMASK, &were, NULL);
	if (rc == 0)
		return true;
	close(now.end[0]);
	close(now.end[1]);
	return false;
}

/* Returns false when there is nothing to show. */
static bool begin(const char *what)
{
	if (now.depth++ > 0 || !is_terminal())
		return false;
	now.what = what;
	now.began_us = clock_measure_us();
	return true;
}

void cli_progress_of_file(const char *what, const char *pattern, int64_t whole)
{
	if (!begin(what))
		return;
	now.pattern = xstrdup(pattern);
	now.whole = whole;
	now.runs = start();
}

void cli_progress_of_rows(const _Atomic(const char *) *what, const atomic_llong *rows)
{
	if (!begin(NULL))
		return;
	now.changing = what;
	now.rows = rows;
	now.runs = start();
}

void cli_progress(const char *what)
{
	cli_progress_of_file(what, NULL, 0);
}

void cli_progress_end(void)
{
	if (--now.depth > 0)
		return;
	if (now.runs) {
		close(now.end[1]);
		pthread_join(now.thread, NULL);
		close(now.end[0]);
	}
	now.runs = false;
	free(now.pattern);
	now.pattern = NULL;
	now.changing = NULL;
}
