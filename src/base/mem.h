#ifndef BASE_MEM_H
#define BASE_MEM_H
/*
 * Allocation that does not fail: when memory is out the process aborts with a
 * sentence on stderr. The state is on disk, the supervisor restarts us, and
 * nothing that was acknowledged is lost. Free with free().
 */
#include <stdbool.h>
#include <stddef.h>

/* Ends the process as a failed allocation of size bytes does. */
_Noreturn void mem_exhausted(size_t size);
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t size);
void *xmemdup(const void *p, size_t size);
/* NULL in, NULL out. */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t max);
__attribute__((format(printf, 1, 2))) char *xasprintf(const char *fmt, ...);

/* Copies src, cut to size - 1 bytes; dst is always terminated (size >= 1). 0 when all of
 * src fitted, else -1. */
int str_copy(char *dst, size_t size, const char *src);
/* Nothing but blanks, tabs and ends of lines, or nothing at all. */
bool str_is_blank(const char *s);

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
