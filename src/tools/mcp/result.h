#ifndef TOOLS_MCP_RESULT_H
#define TOOLS_MCP_RESULT_H
/* The result of tools/call in the form that a model gets. */
struct json_object;

/* Returns a new object: text becomes content, structured content structured; images, audio and files become
 * their kind and size; isError becomes TOOL_FAILED. tool and server are our names. */
struct json_object *mcp_result_read(const char *tool, const char *server, struct json_object *result);

#endif
