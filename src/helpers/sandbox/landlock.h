#ifndef HELPERS_SANDBOX_LANDLOCK_H
#define HELPERS_SANDBOX_LANDLOCK_H
/* Landlock by its own system calls: the headers of a distribution are older than its kernels. */
#include <stdbool.h>
#include <stddef.h>

/* One place that the program may use, with all below it. */
struct grant {
	const char *path;
	bool writable;
};

#define LANDLOCK_TRUNCATE 3 /* the version that knows truncate(2) */
#define LANDLOCK_SCOPES   6 /* signals and abstract sockets */

/* The version that the kernel has; 0: none. */
int landlock_version(void);
/* Confines this process to grants, those that are not there left out. 0, or -1 with errno. */
int landlock_confine(const struct grant *grants, size_t count);

#endif
