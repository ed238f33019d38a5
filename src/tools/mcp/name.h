#ifndef TOOLS_MCP_NAME_H
#define TOOLS_MCP_NAME_H
/* The names under which a model gets the tools of MCP servers: SERVER__TOOL. */
#include <stddef.h>

#define MCP_NAME_MAX 64

struct mcp_name {
	const char *given; /* the server's own; borrowed */
	char name[MCP_NAME_MAX + 1];
};

/* Fills in the names of a server's tools. Characters other than letters, digits, _ and - become _; one that
 * is too long is cut, and one that would be another's gets a part of a hash of its own name, whatever their
 * order. The same given name twice stays the same name. */
void mcp_names_make(const char *server, struct mcp_name *names, size_t count);

#endif
