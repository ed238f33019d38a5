#ifndef HELPERS_SANDBOX_SYSTEM_PATHS_H
#define HELPERS_SANDBOX_SYSTEM_PATHS_H
/* The places of a system that programs need and that hold nothing of anybody. */
#include <stddef.h>

struct grant;
struct options;

#define SYSTEM_PATHS_MAX 256

/* Programs, libraries, what is shared, and settings in /etc: what of them is there. */
size_t system_paths_add(struct grant *out);
/* The devices that have no owner. */
size_t system_paths_devices(struct grant *out);
/* What of path, which must not be reached, lies in a place that the plan or the system grants: that place, or
 * NULL. */
const char *system_paths_exposing(const struct options *p, const char *path);

#endif
