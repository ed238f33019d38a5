#ifndef TOOLS_MCP_HEADER_H
#define TOOLS_MCP_HEADER_H
/* Arguments that a modern server wants in HTTP headers, too: x-mcp-header in a tool's schema (MCP 2026-07-28,
 * "Transports", custom headers from tool parameters). */
#include <stdbool.h>

struct buf;
struct error;
struct json_object;

/* Are the marks in a schema in order? A tool with one that is not must not be offered. */
int mcp_header_check(struct json_object *schema, struct error *err);
/* Appends "Mcp-Param-NAME: VALUE\n" for each argument that is marked and given. */
void mcp_header_add(struct buf *out, struct json_object *schema, struct json_object *args);
/* Appends a value as it can stand in a header: as it is, or as =?base64?...?=. */
void mcp_header_encode(struct buf *out, const char *value);

#endif
