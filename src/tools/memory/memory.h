#ifndef TOOLS_MEMORY_MEMORY_H
#define TOOLS_MEMORY_MEMORY_H
/*
 * Memories: a text file for each chat, each person, and one shared by all, under memory in the state
 * directory, which file tools cannot access. A call sees only those of its own chat and person.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct json_object;
struct path_error;
struct tool_call;

#define MEMORY_SCOPE_SCHEMA                                                                               \
	"\"scope\":{\"type\":\"string\",\"enum\":[\"chat\",\"person\",\"shared\"],\"description\":\"The " \
	"memory of "                                                                                      \
	"this chat, of the person who asks (in all chats), or the one that everybody shares (default: "   \
	"chat)\"}"

/* The memory that a call means. */
struct memory {
	char *root;        /* the folder of all memories */
	char *path;        /* below root */
	const char *shown; /* the path as a model sees it */
	size_t most;       /* maximum bytes */
	char *former;      /* folder of the chat's former id, whose notes move here; NULL for none */
};

enum memory_use { MEMORY_READS, MEMORY_WRITES };

extern const char *const memory_shared_choices[];

/* Finds the memory of that scope (NULL: chat). Returns NULL, or the failure to answer. Call memory_clear in
 * any case. */
struct json_object *memory_find(
    struct memory *m, const struct tool_call *call, const char *tool, const char *scope, enum memory_use use);
void memory_clear(struct memory *m);

/* On a worker thread. Appends the text. Returns 1, 0 when there is none yet, or -1 with why. */
int memory_load(const struct memory *m, struct buf *out, struct path_error *why);
/* Replaces the text, or appends to it after a blank line. Concurrent writers, in this process or another,
 * wait. */
int memory_store(const struct memory *m, const char *text, size_t len, bool append, struct path_error *why);
/* Removes the paragraphs that contain the folded text (paragraph_fold); more than one only with all.
 * *match_count: their number. Returns -1 with why. */
int memory_drop(
    const struct memory *m, const struct buf *folded, bool all, size_t *match_count, struct path_error *why);
/* Returns the time of the last write, wall clock; 0: never. */
int64_t memory_written_ms(const struct memory *m);

#endif
