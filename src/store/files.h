#ifndef STORE_FILES_H
#define STORE_FILES_H
/* What the store does with files beside SQLite. */
struct error;

/* Makes the directory (0700) when it is missing. */
int files_make_dir(const char *dir, struct error *err);
/* Names in the directory are durable. */
int files_sync(const char *dir, struct error *err);
int files_copy(const char *from, const char *to, struct error *err);

#endif
