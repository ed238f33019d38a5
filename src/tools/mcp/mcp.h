#ifndef TOOLS_MCP_MCP_H
#define TOOLS_MCP_MCP_H
/*
 * The MCP servers of the configuration, and their tools in the registry. Starting does not wait for any of
 * them: their tools come when they are there.
 */
struct json_object;
struct mcp;
struct mcp_settings;
struct task;
struct tools;

/* Starts them. ts: the tools that they join; state: where each may have a folder of its own, NULL:
 * nowhere. */
struct mcp *mcp_new(struct tools *ts, const struct mcp_settings *settings, const char *state);
/* Of a configuration that was read again: those that are gone or changed end, new and changed ones start, the
 * others stay. m may be NULL. */
void mcp_apply(struct mcp *m, struct tools *ts, const struct mcp_settings *settings);
/* Ends them all, whatever happens to t. NULL is fine. */
void mcp_free(struct task *t, struct mcp *m);
/* [{name, transport, state, tools, refused?, server?, protocol?, pid?, starts, reason?}], new. m may be
 * NULL. */
struct json_object *mcp_status(const struct mcp *m);

#endif
