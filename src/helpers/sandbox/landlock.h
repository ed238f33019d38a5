#ifndef HELPERS_SANDBOX_LANDLOCK_H
#define HELPERS_SANDBOX_LANDLOCK_H
/* Landlock by direct system calls: a distribution's headers may be older than its kernel. */
#include <stdbool.h>
#include <stddef.h>

/* A path that the program may use, with everything below it. */
struct grant {
	const char *path;
	bool writable, no_names; /* no_names: nothing can be made or moved there, only changed or removed */
};

#define LANDLOCK_TRUNCATE 3 /* first ABI version with truncate(2) */
#define LANDLOCK_SCOPES   6 /* first ABI version with signals and abstract sockets */

/* Returns the kernel's ABI version; 0 for none. */
int landlock_version(void);
/* Confines this process to grants, ignoring missing paths. Returns 0, or -1 with errno. */
int landlock_confine(const struct grant *grants, size_t count);

#endif
