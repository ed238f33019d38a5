#ifndef TOOLS_FILES_FILE_HASH_H
#define TOOLS_FILES_FILE_HASH_H
/* What is in a file right now, so that a person's yes can be bound to it. */
#include <stdint.h>

#include "base/sha256.h"

struct json_object;
struct task;
struct tool_call;

#define FILE_HASH_MEMBER "sha256"

/* Adds size and hash of a file that the tools may open and that has at most so many bytes to facts; else
 * nothing. */
void file_hash_add(
    struct task *t, const struct tool_call *call, const char *path, int64_t most, struct json_object *facts);
/* The hash of all that fd, open for reading at its beginning, holds. out holds SHA256_TEXT_SIZE. May block:
 * worker threads only. */
int file_hash_of(int fd, char *out);

#endif
