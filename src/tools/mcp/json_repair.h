#ifndef TOOLS_MCP_JSON_REPAIR_H
#define TOOLS_MCP_JSON_REPAIR_H
/* Repairs valid JSON that our parser refuses, so that one number or one schema does not make a whole
 * message unusable. */
#include <stddef.h>

struct buf;

/* Replaces values that are nested too deeply. */
#define MCP_JSON_REPAIR_DEEP "[nested too deeply]"

/* Appends text with integers beyond 64 bits as floating-point numbers, and with values deeper than 40
 * levels replaced. Invalid JSON stays invalid. */
void mcp_json_repair(struct buf *out, const char *text, size_t len);

#endif
