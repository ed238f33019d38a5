#ifndef TOOLS_SOURCE_INTERNAL_H
#define TOOLS_SOURCE_INTERNAL_H
/* Tools of sources as the registry sees them. */
#include <stdbool.h>

struct external;
struct json_object;
struct tool;
struct tool_source;
struct tools;
struct tool_sources;

/* Of names of tools. */
#define TOOL_NAME_MAX 64

/* Keeps the row of a tool, and lets it go; nothing for a built-in one. */
void tool_hold(const struct tool *tool);
void tool_release(const struct tool *tool);
/* Has its source dropped it? */
bool tool_is_gone(const struct tool *tool);
/* The parsed schema of a tool that is not built in; borrowed. */
struct json_object *tool_own_schema(const struct tool *tool);

/* As tool_source_new. */
struct tool_source *source_new(struct tool_sources *all, const char *name);
/* The external folder's, made when it is asked for. */
struct external *sources_external(struct tool_sources *all);

/* Shows these sources, NULL: new ones, among the tools, whose entries are made. */
void sources_join(struct tools *ts, struct tool_sources *all);
/* The sources themselves are their owners'. */
void sources_leave(struct tools *ts);

#endif
