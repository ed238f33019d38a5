#ifndef SANDBOX_PLACES_H
#define SANDBOX_PLACES_H
/* The places of a system that programs need and that hold nothing of anybody. */
#include <stddef.h>

struct grant;
struct plan;

#define PLACES_MOST 256

/* Programs, libraries, what is shared, and settings in /etc: what of them is there. */
size_t places_system(struct grant *out);
/* The devices that have no owner. */
size_t places_devices(struct grant *out);
/* What of path, which must not be reached, lies in a place that the plan or the system grants: that place, or
 * NULL. */
const char *places_exposing(const struct plan *p, const char *path);

#endif
