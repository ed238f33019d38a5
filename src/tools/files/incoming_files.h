#ifndef TOOLS_FILES_INCOMING_FILES_H
#define TOOLS_FILES_INCOMING_FILES_H
/*
 * Files that people sent, kept in the workspace as files/CHANNEL-CHAT/NAME, where the file tools find them.
 * They are written as the file tools write: beneath the workspace whatever the path becomes meanwhile, whole
 * or not at all, and never over what is there.
 */
#include <stddef.h>
#include <stdint.h>

struct address;
struct attachment;
struct buf;
struct error;
struct task;
struct tools;

/* Where a file is kept, relative to the workspace, malloc'd: its name, made harmless, with a mark that
 * follows from key, so that the same file has the same path again, and another one another. Pure. */
char *incoming_file_path(const struct address *where, const struct attachment *a, const char *key);

/* Is the file there? 1, with its bytes appended unless bytes is NULL; 0 it is not; -1. */
int incoming_file_read(struct task *t, const struct tools *ts, const char *path, int64_t most,
    struct buf *bytes, struct error *err);
/* Appends its bytes as base64, made on the worker thread: 1; 0 it is not there, or not the file of that
 * SHA-256 (hexadecimal); -1. */
int incoming_file_encode(struct task *t, const struct tools *ts, const char *path, const char *hash,
    int64_t most, struct buf *base64, struct error *err);
/* Puts it there, unless the folder then held more than folder_max bytes (0: any); its bytes are as before
 * when it returns 0, and may be gone when not. ERROR_REFUSED with a sentence for people when it cannot be
 * kept. */
int incoming_file_store(struct task *t, const struct tools *ts, const char *path, struct buf *bytes,
    int64_t folder_max, struct error *err);

#endif
