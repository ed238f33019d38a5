#ifndef READER_WHOLE_H
#define READER_WHOLE_H
/* All of what a pipe gives or takes, for programs that do nothing else meanwhile. */
#include <stddef.h>

struct buf;

/* Until its end; -1 with errno, or when it is more than most. */
int whole_read(int fd, struct buf *in, size_t most);
int whole_write(int fd, const char *data, size_t len);

#endif
