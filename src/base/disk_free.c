#include "base/disk_free.h"

#include <sys/statvfs.h>

#define INODE_BYTES 16384

int64_t disk_free(const struct statvfs *st)
{
	int64_t bytes = (int64_t)(st->f_bavail * st->f_frsize);
	/* Some file systems have no number of inodes. */
	int64_t names = st->f_files > 0 ? (int64_t)st->f_favail * INODE_BYTES : bytes;

	return names < bytes ? names : bytes;
}

bool disk_has_room(int fd, int64_t reserve, int64_t len)
{
	struct statvfs st;

	return reserve == 0 || fstatvfs(fd, &st) < 0 || disk_free(&st) >= reserve + len;
}
