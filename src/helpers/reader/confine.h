#ifndef HELPERS_READER_CONFINE_H
#define HELPERS_READER_CONFINE_H
/* From here on the process computes, reads what is open and writes to it, and nothing else, within limits of
 * time and memory: any other system call ends it. */
#include <stddef.h>

/* With so much processor time and memory at most. 0, or -1 with errno. */
int confine(unsigned cpu_s, size_t memory);

#endif
