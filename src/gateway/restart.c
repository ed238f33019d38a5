#include "gateway/restart.h"

#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

#define SELF "/proc/self/exe"

static char program[PATH_MAX];
static char name[] = "myna", option[] = "-c";
static char *arguments[16] = {name, option};
/* The environment at the start: the gateway removes from its own what its children must not have. */
static char **environment;

void restart_prepare(const char *file, int argc, char **argv)
{
	ssize_t len = readlink(SELF, program, sizeof(program) - 1);
	size_t count = 0;

	program[len > 0 ? len : 0] = '\0';
	arguments[2] = (char *)(uintptr_t)file;
	for (int i = 0; i < argc && i < (int)(sizeof(arguments) / sizeof(arguments[0])) - 4; i++)
		arguments[i + 3] = argv[i];
	while (environ[count])
		count++;
	free(environment);
	environment = xcalloc(count + 1, sizeof(*environment));
	memcpy(environment, environ, count * sizeof(*environment));
}

void restart_now(void)
{
	sigset_t none;

	alarm(0);
	signal(SIGALRM, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	execve(program, arguments, environment ? environment : environ);
	/* The program has no file any more at its path. */
	execve(SELF, arguments, environment ? environment : environ);
}
