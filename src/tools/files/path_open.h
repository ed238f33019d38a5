#ifndef TOOLS_FILES_PATH_OPEN_H
#define TOOLS_FILES_PATH_OPEN_H
/*
 * Opens a path so that it cannot leave its starting directory: with openat2 (Linux 5.6), or by walking
 * its components where the kernel or a filter refuses openat2. May block.
 */
#include <stdbool.h>

/* Returns true when the system has openat2. */
bool path_open_has_openat2(int dir);
/* Opens the relative path with read flags (O_RDONLY or O_PATH). Returns the descriptor, or -1 with errno;
 * EXDEV: the path leaves dir. Follows relative links that stay below dir; the walk follows none and gives
 * ELOOP. Magic links of /proc give ELOOP. Never waits for the other end of a pipe. */
int path_open_beneath(int dir, const char *path, int flags);
int path_open_walk(int dir, const char *path, int flags);

#endif
