#ifndef BASE_DISK_FREE_H
#define BASE_DISK_FREE_H
#include <stdbool.h>
#include <stdint.h>

struct statvfs;

/* Returns the free bytes of a file system, or what its free inodes are worth, 16 KiB each, if that is less: a
 * disk without inodes for files is full, too. */
int64_t disk_free(const struct statvfs *st);
/* Returns whether reserve bytes stay free on the disk of fd after len more; true when reserve is 0 or the
 * kernel does not tell. May block. */
bool disk_has_room(int fd, int64_t reserve, int64_t len);

#endif
