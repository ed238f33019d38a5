#include "flow/kill.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "crash/events.h"
#include "flow/flow.h"

static char *asan_options; /* of the test itself, while another program is to get ours */

void kill_next(const struct flow *f, uint64_t at, enum shim_mode mode)
{
	static const char *const modes[] = SHIM_MODE_NAMES;
	const char *build = getenv("MYNA_BUILD");
	char *shim = xasprintf("%s/tests/crash/shim.so", build ? build : "."),
	     *state = xasprintf("%s/state", f->dir);
	char *side = xasprintf("%s/side", f->dir), *number = xasprintf("%llu", (unsigned long long)at);
	char *events = xasprintf("%s/events", side);

	asan_options = xstrdup(getenv("ASAN_OPTIONS"));
	mkdir(side, 0700);
	mkdir(state, 0700);
	unlink(events);
	setenv("LD_PRELOAD", shim, 1);
	/* A build with AddressSanitizer wants to be first. */
	char *options = xasprintf("%s:verify_asan_link_order=0", asan_options ? asan_options : "");
	setenv("ASAN_OPTIONS", options, 1);
	free(options);
	setenv(SHIM_STATE, state, 1);
	setenv(SHIM_SIDE, side, 1);
	setenv(SHIM_MODE, modes[mode], 1);
	if (at > 0)
		setenv(SHIM_AT, number, 1);
	free(shim);
	free(state);
	free(side);
	free(number);
	free(events);
}

void kill_none(void)
{
	unsetenv("LD_PRELOAD");
	unsetenv(SHIM_AT);
	if (asan_options)
		setenv("ASAN_OPTIONS", asan_options, 1);
	else
		unsetenv("ASAN_OPTIONS");
	free(asan_options);
	asan_options = NULL;
}

void kill_run(struct flow *f, uint64_t at, enum shim_mode mode)
{
	kill_next(f, at, mode);
	flow_run(f);
	kill_none();
}

uint64_t kill_last_point(const struct flow *f)
{
	char *side = xasprintf("%s/side", f->dir);
	struct events events = {0};
	struct event e;
	uint64_t last = 0;

	events_load(&events, side);
	while (events_next(&events, &e))
		last = e.point > last ? e.point : last;
	events_clear(&events);
	free(side);
	return last;
}

size_t kill_count(size_t fallback)
{
	const char *size = getenv("MYNA_KILL_POINTS");
	size_t points = size ? strtoul(size, NULL, 10) / 100 : fallback;

	return points > 1 ? points : 1;
}

bool kill_has_died(struct flow *f, size_t *deaths)
{
	int status;

	if (f->gateway == 0 || waitpid(f->gateway, &status, WNOHANG) != f->gateway)
		return false;
	f->gateway = 0;
	++*deaths;
	return true;
}
