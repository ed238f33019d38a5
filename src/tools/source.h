#ifndef TOOLS_SOURCE_H
#define TOOLS_SOURCE_H
/*
 * Tools that come and go while we run. A source (a folder of programs, an MCP server) replaces its whole list
 * whenever it changes. A turn sees a change with its next beginning only (tools_pin); a call whose tool has
 * gone meanwhile is answered TOOL_NOT_FOUND, and one that runs keeps its row and context to its end.
 *
 * The names and aliases of built-in tools, and the names of sources that joined earlier, cannot be taken:
 * such a tool, one with a bad name or schema, and one that its source refuses itself, is quarantined with the
 * reason. Names are the same here when they differ in '-' and '_' only.
 *
 * All on the loop's thread; nothing here suspends.
 */
#include <stddef.h>

#include "tools/tools.h"

struct json_object;
struct task;
struct tool_source;

/* One tool as its source gives it. Texts are copied. */
struct tool_definition {
	const char *name;           /* ^[a-zA-Z0-9_-]{1,64}$ */
	const char *summary;        /* for the model */
	struct json_object *schema; /* taken; NULL with a refusal */
	unsigned flags; /* enum tool_flag; TOOL_UNTRUSTED_SCHEMA for a schema that we did not ask for */
	enum tool_guard guard;
	const char *refusal; /* why the source itself does not want it offered: a sentence; NULL: it does */
	struct json_object *(*run)(struct task *t, const struct tool_call *call, struct json_object *args);
	void *context;                       /* taken; in run it is call->tool->context */
	void (*free_context)(void *context); /* called once, when no list and no call uses it; may be NULL */
};

/* Joins the tools, and those that take their place in a reload (tools_share). name, which is copied, stands
 * in /tools and as the tools' origin: "external", "mcp:web". Free it before the last of these tools. */
struct tool_source *tool_source_new(struct tools *ts, const char *name);
/* Its tools are gone. NULL is fine. */
void tool_source_free(struct tool_source *s);
/* The whole list anew, in any order. Call it when something has changed: what is quarantined is logged each
 * time. */
void tool_source_replace(struct tool_source *s, const struct tool_definition *list, size_t count);
/* What is wrong with the source as a whole, for /tools: a sentence without paths of the host, copied; NULL:
 * nothing. */
void tool_source_problem(struct tool_source *s, const char *problem);

/* A tool that is not offered, and why. */
struct tool_absent {
	const char *source;
	const char *name; /* NULL: the source itself */
	const char *reason;
};

/* What the sources have that a model is not offered, of that what the call might use (NULL: all): a malloc'd
 * array of borrowed texts. */
struct tool_absent *tools_absent(const struct tools *ts, const struct tool_call *call, size_t *count);

/* {tools: as tools_describe, absent: [{source, name?, reason}]}, new: what there is now. */
struct json_object *tools_listing(const struct tools *ts);

#endif
