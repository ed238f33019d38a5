#ifndef HELPERS_SANDBOX_CONFINE_H
#define HELPERS_SANDBOX_CONFINE_H
/* The last steps before exec, in the program's own process. */
#include <stddef.h>

struct grant;
struct options;

/* Applies the restrictions of the level in the options and runs the program, with scratch for temporary
 * files (NULL: it has its own /tmp). Reports and exits when a restriction fails. */
_Noreturn void confine_and_run(
    const struct options *p, const struct grant *system, size_t count, const char *scratch);

#endif
