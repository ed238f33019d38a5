/* A sandbox that says it confines system calls, and does not: the canary must notice. */
#include "helpers/sandbox/sandbox_internal.h"

int seccomp_confine(const struct seccomp_options *given)
{
	(void)given;
	return 0;
}
