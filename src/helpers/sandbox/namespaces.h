#ifndef HELPERS_SANDBOX_NAMESPACES_H
#define HELPERS_SANDBOX_NAMESPACES_H
/* Namespaces of the program, and a root folder with only the granted paths. */
#include <stddef.h>

struct grant;
struct options;

/* Enters new namespaces as an unprivileged user; the next fork is their process 1. Exits on failure. */
void namespaces_enter(const struct options *p);
/* Mounts the root folder: the system's programs and their settings, read-only; the granted paths; an empty
 * /proc; its own /tmp and a few devices. Nothing else is visible. Exits on failure. */
void namespaces_mount_root(const struct options *p, const struct grant *system, size_t count);

#endif
