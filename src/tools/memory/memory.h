#ifndef TOOLS_MEMORY_MEMORY_H
#define TOOLS_MEMORY_MEMORY_H
/*
 * Memories: one text file for each chat, each person and one that all share, under memory in the
 * state directory, where no file tool comes. A call sees the one of its own chat and person only.
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
	"this chat, of the person who asks, in all chats, or the one that everybody shares (default: "    \
	"chat)\"}"

/* Which memory a call means. */
struct memory {
	char *root;        /* the folder of all memories */
	char *path;        /* beneath it */
	const char *shown; /* what a model is told of the path */
	size_t most;       /* bytes that it may have */
	char *former;      /* the folder of the id that the chat had before, to be taken over; NULL: none */
};

enum memory_use { MEMORY_READS, MEMORY_WRITES };

extern const char *const memory_shared_choices[];

/* The memory of that scope (NULL: chat). NULL, or the failure to answer. memory_clear in any case. */
struct json_object *memory_find(
    struct memory *m, const struct tool_call *call, const char *tool, const char *scope, enum memory_use use);
void memory_clear(struct memory *m);

/* On a worker thread. Appends the text: 1, 0 when there is none yet, -1 with why. */
int memory_load(const struct memory *m, struct buf *out, struct path_error *why);
/* Replaces the text, or appends to it after a blank line. Others who write meanwhile, in this process or
 * another, wait. */
int memory_store(const struct memory *m, const char *text, size_t len, bool append, struct path_error *why);
/* Takes the paragraphs out that hold the text that folded is (paragraph_fold); more than one only with all.
 * *held: how many hold it. -1 with why. */
int memory_drop(
    const struct memory *m, const struct buf *folded, bool all, size_t *held, struct path_error *why);
/* When it was written last, wall clock; 0: never. */
int64_t memory_written_ms(const struct memory *m);

#endif
