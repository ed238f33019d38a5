#ifndef HELPERS_SANDBOX_NAMESPACES_H
#define HELPERS_SANDBOX_NAMESPACES_H
/* What there is for the program: namespaces of its own, and a root folder in which only what is granted
 * exists. */
#include <stddef.h>

struct grant;
struct options;

/* Leaves the namespaces of the daemon, as an ordinary user does; what is forked next is process 1 of the new
 * ones. Ends the process when it cannot. */
void namespaces_enter(const struct options *p);
/* Makes the root folder: the system's programs and the settings that they need, read-only; what the plan
 * grants; an empty /proc; /tmp and a few devices of its own. Then nothing else is there. Ends the process
 * when it cannot. */
void namespaces_mount_root(const struct options *p, const struct grant *system, size_t count);

#endif
