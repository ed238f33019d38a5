#ifndef TOOLS_SOURCE_INTERNAL_H
#define TOOLS_SOURCE_INTERNAL_H
/* Tools of sources, as the registry sees them. */
#include <stdbool.h>

struct external;
struct json_object;
struct tool;
struct tool_source;
struct tools;
struct tool_sources;

/* Maximum length of a tool name. */
#define TOOL_NAME_MAX 64

/* Hold and release the row of a tool; no effect on a built-in one. */
void tool_hold(const struct tool *tool);
void tool_release(const struct tool *tool);
/* Returns true when its source has dropped it. */
bool tool_is_gone(const struct tool *tool);
/* Returns the parsed schema of a tool that is not built in; borrowed. */
struct json_object *tool_own_schema(const struct tool *tool);

/* Like tool_source_new. */
struct tool_source *source_new(struct tool_sources *all, const char *name);
/* Returns the external folder's source, created on first use. */
struct external *sources_external(struct tool_sources *all);

/* Adds these sources (NULL: new ones) to the tools, whose entries exist. */
void sources_join(struct tools *ts, struct tool_sources *all);
/* Removes the tools from the sources, which their owners free. */
void sources_leave(struct tools *ts);

#endif
