#ifndef BASE_MEM_H
#define BASE_MEM_H
/*
 * Allocation that does not fail: without memory the process aborts with a sentence on stderr. The state
 * is on disk, the supervisor restarts us, and no acknowledged data is lost. Free with free().
 */
#include <stdbool.h>
#include <stddef.h>

/* Aborts as a failed allocation of size bytes does. */
_Noreturn void mem_exhausted(size_t size);
void *xmalloc(size_t size);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t size);
void *xmemdup(const void *p, size_t size);
/* NULL gives NULL. */
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t max);
__attribute__((format(printf, 1, 2))) char *xasprintf(const char *fmt, ...);

/* Copies src, cut to size - 1 bytes; dst is always terminated (size >= 1). Returns 0 when src fit
 * completely, else -1. */
int str_copy(char *dst, size_t size, const char *src);
/* True for an empty string or one of blanks, tabs and line ends. */
bool str_is_blank(const char *s);
bool str_ends_with(const char *s, const char *end);

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
