#ifndef TOOLS_MCP_NAME_H
#define TOOLS_MCP_NAME_H
/* The names of MCP tools for a model: SERVER__TOOL. */
#include <stddef.h>

#define MCP_NAME_MAX 64

struct mcp_name {
	const char *given; /* the server's name; borrowed */
	char name[MCP_NAME_MAX + 1];
};

/* Fills in the names of a server's tools. Characters other than letters, digits, _ and - become _; a name
 * that is too long is cut, and one that would collide gets a part of the hash of its given name,
 * independent of the order. Equal given names stay equal. */
void mcp_names_make(const char *server, struct mcp_name *names, size_t count);

#endif
