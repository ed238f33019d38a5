/* A sandbox that says it confines system calls, and does not: the canary must notice. */
#include "sandbox/calls.h"

int calls_confine(const struct calls_given *given)
{
	(void)given;
	return 0;
}
