#ifndef BASE_IO_FULL_H
#define BASE_IO_FULL_H
/* Reads and writes that continue until all bytes are done. May block: for worker threads and small
 * programs. */
#include <stddef.h>

struct buf;

/* Reads to the end of the file. Returns -1 with errno set on an error, or when there are more than most
 * bytes. */
int io_read_full(int fd, struct buf *in, size_t most);
int io_write_full(int fd, const char *data, size_t len);

#endif
