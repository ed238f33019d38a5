#ifndef BASE_IO_FULL_H
#define BASE_IO_FULL_H
/* All of what a descriptor gives or takes; may block, so for worker threads and small programs. */
#include <stddef.h>

struct buf;

/* Until its end; -1 with errno, or when it is more than most. */
int io_read_full(int fd, struct buf *in, size_t most);
int io_write_full(int fd, const char *data, size_t len);

#endif
