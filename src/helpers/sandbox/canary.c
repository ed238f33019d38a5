#include "helpers/sandbox/canary.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns a fact given as "name=value", so that neither side depends on positions. */
static const char *fact(int count, char **facts, const char *name)
{
	size_t len = strlen(name);

	for (int i = 0; i < count; i++) {
		if (strncmp(facts[i], name, len) == 0 && facts[i][len] == '=')
			return facts[i] + len + 1;
	}
	printf("end 0: no %s\n", name);
	exit(2);
}

static int number(int count, char **facts, const char *name)
{
	return (int)strtol(fact(count, facts, name), NULL, 10);
}

static int try_all(const struct canary_act *acts, const struct canary_facts *f)
{
	int n = 0;

	for (; acts->name; acts++, n++) {
		int error = acts->try(f);
		char level[16] = "+";

		if (acts->level >= 0)
			snprintf(level, sizeof(level), "%d", acts->level);
		printf("%s %s %s %d\n", level, acts->name, error ? "denied" : "done", error);
		fflush(stdout);
	}
	return n;
}

/* The number of the daemon's process. In a namespace of our own, it may be that of the first process or of
 * us, as when the daemon is process 1 of a container: then a number that no process has. */
static int daemon_pid(int count, char **facts)
{
	int pid = number(count, facts, "pid");

	return getppid() == 1 && (pid == 1 || pid == getpid()) ? INT_MAX : pid;
}

int canary_run(int count, char **facts)
{
	const struct canary_facts f = {
	    .dir = fact(count, facts, "dir"),
	    .secret = fact(count, facts, "secret"),
	    .victim = fact(count, facts, "victim"),
	    .listener = fact(count, facts, "listener"),
	    .datagram = fact(count, facts, "datagram"),
	    .abstract = fact(count, facts, "abstract"),
	    .tcp = number(count, facts, "tcp"),
	    .udp = number(count, facts, "udp"),
	    .pid = daemon_pid(count, facts),
	    .workspace = fact(count, facts, "workspace"),
	    .other = fact(count, facts, "other"),
	};
	int n = try_all(canary_self, &f);

	n += try_all(canary_files, &f);
	n += try_all(canary_calls, &f);
	printf("end %d\n", n);
	return 0;
}
