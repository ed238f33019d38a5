#include "gateway/restart.h"

#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#define SELF "/proc/self/exe"

static char program[PATH_MAX];
static char name[] = "myna", option[] = "-c";
static char *arguments[16] = {name, option};

void restart_prepare(const char *file, int argc, char **argv)
{
	ssize_t len = readlink(SELF, program, sizeof(program) - 1);

	program[len > 0 ? len : 0] = '\0';
	arguments[2] = (char *)(uintptr_t)file;
	for (int i = 0; i < argc && i < (int)(sizeof(arguments) / sizeof(arguments[0])) - 4; i++)
		arguments[i + 3] = argv[i];
}

void restart_now(void)
{
	sigset_t none;

	alarm(0);
	signal(SIGALRM, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close_range(3, ~0U, CLOSE_RANGE_CLOEXEC);
	execv(program, arguments);
	/* The program has no file any more at its path. */
	execv(SELF, arguments);
}
