#ifndef TOOLS_SOURCE_H
#define TOOLS_SOURCE_H
/*
 * Tools that come and go at run time. A source (a folder of programs, an MCP server) replaces its whole
 * list whenever it changes. A turn sees changes only from its next start on (tools_pin); a call whose
 * tool has disappeared is answered TOOL_NOT_FOUND, and a running call keeps its row and context to its
 * end.
 * A source cannot take the names and aliases of built-in tools, or names of sources that joined earlier:
 * such a tool, one with a bad name or schema, and one that its source refuses, is quarantined with the
 * reason. So are all but one of a source's tools with the same name. Names that differ only in '-' and '_'
 * are equal here. All on the loop's thread; nothing here suspends.
 */
#include <stddef.h>

#include "tools/tools.h"

struct json_object;
struct task;
struct tool_source;

/* A tool as its source defines it. Texts are copied. */
struct tool_definition {
	const char *name;           /* ^[a-zA-Z0-9_-]{1,64}$ */
	const char *summary;        /* for the model */
	struct json_object *schema; /* taken; NULL with a refusal */
	unsigned flags;             /* enum tool_flag; TOOL_UNTRUSTED_SCHEMA for a schema that is not ours */
	enum tool_guard guard;
	const char *refusal; /* why the source does not offer it: a sentence; NULL when it does */
	struct json_object *(*run)(struct task *t, const struct tool_call *call, struct json_object *args);
	void *context;                       /* taken; call->tool->context in run */
	void (*free_context)(void *context); /* called once, when no list and no call uses it; may be NULL */
};

/* Adds a source to the tools and those that replace them in a reload (tools_share). name is copied; /tools
 * shows it, and it is the tools' origin: "external", "mcp:web". Free the source before the last of these
 * tools. */
struct tool_source *tool_source_new(struct tools *ts, const char *name);
/* Removes its tools. NULL is allowed. */
void tool_source_free(struct tool_source *s);
/* Replaces the whole list, in any order. Call it only after a change: quarantined tools are logged each
 * time. */
void tool_source_replace(struct tool_source *s, const struct tool_definition *list, size_t count);
/* Sets the problem of the source as a whole, for /tools: a sentence without paths of the host, copied; NULL
 * for none. */
void tool_source_problem(struct tool_source *s, const char *problem);

/* A tool that is not offered, with the reason. */
struct tool_absent {
	const char *source;
	const char *name; /* NULL: the source itself */
	const char *reason;
};

/* Lists the sources' tools that a model is not offered, limited to what the call might use (NULL: all): a
 * malloc'd array of borrowed texts. */
struct tool_absent *tools_absent(const struct tools *ts, const struct tool_call *call, size_t *count);

/* Returns a new {tools: [all with all their fields], absent: [{source, name?, reason}]} of the current tools.
 */
struct json_object *tools_listing(const struct tools *ts);

#endif
