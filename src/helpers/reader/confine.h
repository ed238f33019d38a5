#ifndef HELPERS_READER_CONFINE_H
#define HELPERS_READER_CONFINE_H
/* Confines the process: it can compute and use open descriptors only, within limits of time and memory. Any
 * other system call kills it. */
#include <stddef.h>

/* Sets the limits and confines. Returns 0, or -1 with errno. */
int confine(unsigned cpu_s, size_t memory);

#endif
