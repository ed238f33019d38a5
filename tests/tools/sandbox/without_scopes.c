/* A sandbox that says it keeps signals inside, and does not: as on a kernel before Linux 6.12, and worse. */
#include "helpers/sandbox/landlock.h"

#define LANDLOCK_NEWEST  5
#define landlock_version real_version
int real_version(void);
#include "helpers/sandbox/landlock.c"
#undef landlock_version

int landlock_version(void)
{
	return LANDLOCK_SCOPES;
}
