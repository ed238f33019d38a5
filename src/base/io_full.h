#ifndef BASE_IO_FULL_H
#define BASE_IO_FULL_H
/* Reads and writes that continue until all bytes are done. May block: for worker threads and small
 * programs. */
#include <stddef.h>

struct buf;

/* Appends what is left of the file. Returns 0, or -1: on an error, which errno tells, or when in has more
 * than max bytes, which it does not. */
int io_read_full(int fd, struct buf *in, size_t max);
/* Returns 0, or -1 with errno. */
int io_write_full(int fd, const char *data, size_t len);

#endif
