#ifndef HELPERS_SANDBOX_CONFINE_H
#define HELPERS_SANDBOX_CONFINE_H
/* The last steps before the program itself, in its own process. */
#include <stddef.h>

struct grant;
struct options;

/* Becomes the program under everything that the plan's level asks for, with scratch for temporary files
 * (NULL: /tmp is its own). Reports and ends the process when anything of that cannot be had. */
_Noreturn void confine_and_run(
    const struct options *p, const struct grant *system, size_t count, const char *scratch);

#endif
