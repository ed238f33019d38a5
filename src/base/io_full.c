#include "base/io_full.h"

#include <errno.h>
#include <unistd.h>

#include "base/buf.h"

int io_read_full(int fd, struct buf *in, size_t max)
{
	char chunk[64 * 1024];
	ssize_t n;

	while ((n = read(fd, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			buf_add(in, chunk, (size_t)n);
		if (in->len > max)
			return -1;
	}
	return 0;
}

int io_write_full(int fd, const char *data, size_t len)
{
	for (size_t at = 0; at < len;) {
		ssize_t n = write(fd, data + at, len - at);
		if (n < 0 && errno != EINTR)
			return -1;
		at += n > 0 ? (size_t)n : 0;
	}
	return 0;
}
