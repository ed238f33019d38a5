#ifndef TOOLS_MCP_MCP_H
#define TOOLS_MCP_MCP_H
/*
 * The configured MCP servers, and their tools in the registry. Startup does not wait for a server: its
 * tools appear when it is ready.
 */
struct json_object;
struct mcp;
struct mcp_settings;
struct task;
struct tools;

/* Starts the servers. ts: the tools that they join; state: parent of each server's folder, NULL for none. */
struct mcp *mcp_new(struct tools *ts, const struct mcp_settings *settings, const char *state);
/* Applies a reloaded configuration: ends servers that were removed or changed, starts new and changed ones,
 * keeps the others. m may be NULL. */
void mcp_apply(struct mcp *m, struct tools *ts, const struct mcp_settings *settings);
/* Ends all servers, even when t is cancelled. NULL is allowed. */
void mcp_free(struct task *t, struct mcp *m);
/* Returns a new [{name, transport, state, tools, refused?, server?, protocol?, pid?, starts, reason?}]. m
 * may be NULL. */
struct json_object *mcp_status(const struct mcp *m);

#endif
