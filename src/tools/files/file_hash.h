#ifndef TOOLS_FILES_FILE_HASH_H
#define TOOLS_FILES_FILE_HASH_H
/* Hashes a file's contents, so that an approval can be bound to them. */
#include <stdint.h>

#include "base/sha256.h"

struct json_object;
struct task;
struct tool_call;

#define FILE_HASH_MEMBER "sha256"

/* Adds size and hash of a file to facts, if the tools may open it and it has at most that many bytes.
 * Suspends. */
void file_hash_add(
    struct task *t, const struct tool_call *call, const char *path, int64_t most, struct json_object *facts);
/* Hashes all that fd, open for reading at its start, holds. out has room for SHA256_TEXT_SIZE. May block:
 * worker threads only. */
int file_hash_of(int fd, char *out);

#endif
