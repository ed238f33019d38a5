#include "flow/kill.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "crash/events.h"
#include "flow/flow.h"

void kill_next(const struct flow *f, uint64_t at, enum shim_mode mode)
{
	static const char *const modes[] = SHIM_MODE_NAMES;
	char *state = xasprintf("%s/state", f->dir);
	char *side = xasprintf("%s/side", f->dir), *number = xasprintf("%llu", (unsigned long long)at);
	char *events = xasprintf("%s/events", side);

	mkdir(side, 0700);
	mkdir(state, 0700);
	unlink(events);
	flow_preload("tests/crash/shim.so");
	setenv(SHIM_STATE, state, 1);
	setenv(SHIM_SIDE, side, 1);
	setenv(SHIM_MODE, modes[mode], 1);
	if (at > 0)
		setenv(SHIM_AT, number, 1);
	free(state);
	free(side);
	free(number);
	free(events);
}

void kill_none(void)
{
	flow_preload(NULL);
	unsetenv(SHIM_AT);
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
