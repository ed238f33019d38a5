#ifndef STORE_RECOVER_WAL_H
#define STORE_RECOVER_WAL_H
/*
 * The write-ahead log as bytes (https://www.sqlite.org/fileformat2.html#walformat). SQLite reads it up to the
 * first frame that is not as it was written and drops the rest without a word: right where a power cut tore
 * the last transaction, wrong where an older one was damaged.
 */
#include <stddef.h>

struct error;

/* Counts the commits that stand behind a damaged place, which SQLite will drop. One may be a torn transaction
 * that nobody was promised; more are a loss. 0 when there is no log. */
int wal_lost_commits(const char *path, size_t *commits, struct error *err);

#endif
