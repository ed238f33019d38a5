#ifndef STORE_SQLITE_WAL_H
#define STORE_SQLITE_WAL_H
/*
 * The write-ahead log as bytes (https://www.sqlite.org/fileformat2.html#walformat). SQLite silently
 * stops at the first invalid frame. That is right for a last transaction torn by a power failure, and
 * wrong for damage in an older one.
 */
#include <stddef.h>

struct error;

/* Counts the commits after a damaged frame, which SQLite will drop. One may be a torn, unacknowledged
 * transaction; more are a loss. 0 when there is no log. */
int wal_lost_commits(const char *path, size_t *commits, struct error *err);

#endif
