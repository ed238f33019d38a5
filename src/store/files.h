#ifndef STORE_FILES_H
#define STORE_FILES_H
/* File operations of the store besides SQLite's. */
#include <stdint.h>

struct error;

/* Creates the directory (0700) when it is missing. */
int files_make_dir(const char *dir, struct error *err);
/* Syncs the directory, so that its names are durable. */
int files_sync(const char *dir, struct error *err);
/* Returns an unused name beside the file, PATH.KIND-TIME; malloc'd. */
char *files_aside(const char *path, const char *kind, int64_t now_ms);
/* Bytes of the file; 0 when there is none. */
int64_t files_size(const char *path);
/* Bytes that are free where the directory is; -1: unknown. */
int64_t files_free_space(const char *dir);
/* Leaves no part of a copy after a failure. */
int files_copy(const char *from, const char *to, struct error *err);

#endif
