/* A sandbox that says it confines files, and does not: the canary must notice. */
#include "helpers/sandbox/landlock.h"

int landlock_version(void)
{
	return LANDLOCK_SCOPES;
}

int landlock_confine(const struct grant *grants, size_t count)
{
	(void)grants;
	(void)count;
	return 0;
}
