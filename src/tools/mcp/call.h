#ifndef TOOLS_MCP_CALL_H
#define TOOLS_MCP_CALL_H
/* A tool of an MCP server, as the registry has it. */
struct mcp_definition;
struct mcp_server;
struct tool_definition;

/* Fills in what tool_source_replace wants. Its texts are borrowed from d. */
void mcp_call_define(struct tool_definition *out, struct mcp_server *s, const struct mcp_definition *d);

#endif
