#ifndef HELPERS_SANDBOX_LIMITS_H
#define HELPERS_SANDBOX_LIMITS_H
#include <stdbool.h>

struct options;

/* Sets the resource limits of the program and its descendants. own_users: the process count is that of a
 * separate user namespace. Exits on failure. */
void limits_set(const struct options *p, bool own_users);
/* Lets the kernel kill this process before the daemon when memory runs out. */
void limits_set_oom_score(void);

#endif
