#ifndef HELPERS_SANDBOX_SYSTEM_PATHS_H
#define HELPERS_SANDBOX_SYSTEM_PATHS_H
/* System paths that programs need and that hold no user data. */
#include <stddef.h>

struct grant;
struct options;

#define SYSTEM_PATHS_MAX 256

/* Adds the existing paths of programs, libraries, shared data, and settings in /etc. */
size_t system_paths_add(struct grant *out);
/* Adds devices that belong to no user. */
size_t system_paths_devices(struct grant *out);
/* Returns the granted path of the options or the system that contains path, which must stay hidden; NULL
 * for none. */
const char *system_paths_exposing(const struct options *p, const char *path);

#endif
