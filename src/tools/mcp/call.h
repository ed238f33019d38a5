#ifndef TOOLS_MCP_CALL_H
#define TOOLS_MCP_CALL_H
/* A tool of an MCP server in the registry. */
struct mcp_definition;
struct mcp_server;
struct tool_definition;

/* Fills in a definition for tool_source_replace. Its texts are borrowed from d. */
void mcp_call_define(struct tool_definition *out, struct mcp_server *s, const struct mcp_definition *d);

#endif
