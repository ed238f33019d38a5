/* A sandbox that leaves alone what its programs leave behind: the canary must notice. */
#include "helpers/sandbox/supervise.h"

#include <errno.h>
#include <sys/wait.h>

void supervise_prepare(void) {}

void supervise_forget(void) {}

int supervise(const struct options *p, pid_t program, bool all)
{
	int status = 0;

	(void)p;
	(void)all;
	while (waitpid(program, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

int supervise_namespace(pid_t first)
{
	int status = 0;

	while (waitpid(first, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
