#ifndef BASE_WHOLE_H
#define BASE_WHOLE_H
/* All of what a descriptor gives or takes; may block, so for worker threads and small programs. */
#include <stddef.h>

struct buf;

/* Until its end; -1 with errno, or when it is more than most. */
int whole_read(int fd, struct buf *in, size_t most);
int whole_write(int fd, const char *data, size_t len);

#endif
