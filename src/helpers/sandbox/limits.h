#ifndef HELPERS_SANDBOX_LIMITS_H
#define HELPERS_SANDBOX_LIMITS_H
#include <stdbool.h>

struct options;

/* Limits of the program and all that it starts. own_users: the count of processes is of a user namespace of
 * its own. Ends the process when it cannot. */
void limits_set(const struct options *p, bool own_users);
/* Out of memory, this is ended before anything of the daemon is. */
void limits_set_oom_score(void);

#endif
