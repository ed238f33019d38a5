#ifndef TOOLS_FILES_INCOMING_FILES_H
#define TOOLS_FILES_INCOMING_FILES_H
/*
 * Files that people sent, stored in the workspace as files/CHANNEL-CHAT/NAME, where the file tools find
 * them. They are written like the file tools write: inside the workspace even if the path changes
 * meanwhile, completely or not at all, and never over an existing file.
 */
#include <stddef.h>
#include <stdint.h>

struct address;
struct attachment;
struct buf;
struct error;
struct task;
struct tools;

/* Returns the path for a file, relative to the workspace, malloc'd: its sanitized name with a suffix
 * derived from key, so that the same file always has the same path and another file a different one.
 * Pure. */
char *incoming_file_path(const struct address *where, const struct attachment *a, const char *key);

/* Returns 1 when the file exists, with its contents appended unless bytes is NULL; 0 when it does not; or
 * -1. Suspends. */
int incoming_file_read(struct task *t, const struct tools *ts, const char *path, int64_t most,
    struct buf *bytes, struct error *err);
/* Appends the contents as base64, encoded on the worker thread. Returns 1; 0 when the file is missing or
 * its SHA-256 (hexadecimal) differs; or -1. Suspends. */
int incoming_file_encode(struct task *t, const struct tools *ts, const char *path, const char *hash,
    int64_t most, struct buf *base64, struct error *err);
/* Stores the file, unless the folder would exceed folder_max bytes (0: no limit). bytes is unchanged when
 * it returns 0, and may be empty otherwise. ERROR_REFUSED with a sentence for people when it cannot be
 * stored. Suspends. */
int incoming_file_store(struct task *t, const struct tools *ts, const char *path, struct buf *bytes,
    int64_t folder_max, struct error *err);

#endif
