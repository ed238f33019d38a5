#ifndef STORE_FILES_H
#define STORE_FILES_H
/* What the store does with files beside SQLite. */
#include <stdint.h>

struct error;

/* Makes the directory (0700) when it is missing. */
int files_make_dir(const char *dir, struct error *err);
/* Names in the directory are durable. */
int files_sync(const char *dir, struct error *err);
/* A name for what is set aside, PATH.damaged-TIME, that no file has yet; malloc'd. */
char *files_aside(const char *path, int64_t now_ms);
int files_copy(const char *from, const char *to, struct error *err);

#endif
