#ifndef TOOLS_MCP_JSON_REPAIR_H
#define TOOLS_MCP_JSON_REPAIR_H
/* A message that is JSON, and yet not taken here: so that one number or one schema in it does not cost all
 * the rest. */
#include <stddef.h>

struct buf;

/* Stands where something was nested too deeply. */
#define MCP_JSON_REPAIR_DEEP "[nested too deeply]"

/* Appends text with integers beyond 64 bits as numbers that are not whole, and with what is nested more
 * deeply than 40 levels replaced. What is no JSON stays none. */
void mcp_json_repair(struct buf *out, const char *text, size_t len);

#endif
