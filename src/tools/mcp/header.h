#ifndef TOOLS_MCP_HEADER_H
#define TOOLS_MCP_HEADER_H
/* Tool arguments that a modern server also wants as HTTP headers: x-mcp-header in a tool's schema (MCP
 * 2026-07-28, "Transports", custom headers from tool parameters). */
#include <stdbool.h>

struct buf;
struct error;
struct json_object;

/* Checks the marks in a schema. A tool with an invalid one must not be offered. */
int mcp_header_check(struct json_object *schema, struct error *err);
/* Appends "Mcp-Param-NAME: VALUE\n" for each marked argument that is present. */
void mcp_header_add(struct buf *out, struct json_object *schema, struct json_object *args);
/* Appends a header value: verbatim, or as =?base64?...?=. */
void mcp_header_encode(struct buf *out, const char *value);

#endif
