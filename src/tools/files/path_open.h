#ifndef TOOLS_FILES_PATH_OPEN_H
#define TOOLS_FILES_PATH_OPEN_H
/*
 * Opening a path so that it cannot leave the directory that it begins at: by openat2 (Linux 5.6),
 * or where a kernel or a filter has none, by walking it component by component. May block.
 */
#include <stdbool.h>

/* Has this system openat2? */
bool path_open_has_openat2(int dir);
/* Opens path, which is relative, with flags for reading (O_RDONLY or O_PATH). The descriptor, or -1 with
 * errno: EXDEV: it leaves dir. Links are followed as long as they are relative and stay beneath dir; by a
 * walk they are not, and give ELOOP. A magic link of /proc gives ELOOP. Never waits for the other end of a
 * pipe. */
int path_open_beneath(int dir, const char *path, int flags);
int path_open_walk(int dir, const char *path, int flags);

#endif
