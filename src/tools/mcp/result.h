#ifndef TOOLS_MCP_RESULT_H
#define TOOLS_MCP_RESULT_H
/* The result of tools/call as a model gets it. */
struct json_object;

/* Text becomes content, structured content structured; images, sounds and files are told by kind and size;
 * isError is TOOL_FAILED. A new object. tool and server are our names. */
struct json_object *mcp_result_read(const char *tool, const char *server, struct json_object *result);

#endif
