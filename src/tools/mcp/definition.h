#ifndef TOOLS_MCP_DEFINITION_H
#define TOOLS_MCP_DEFINITION_H
/*
 * Tool definitions of an MCP server, made fit for a model: untrusted data, so each tool is sanitized,
 * cut and checked. Definitions are pinned: a tool that has changed since it was first seen is not
 * offered.
 */
#include <stddef.h>

#include "base/sha256.h"

struct json_object;

/* name.c: The names of MCP tools for a model: SERVER__TOOL. */

#define MCP_NAME_MAX 64

struct mcp_name {
	const char *original_name; /* the server's name; borrowed */
	char name[MCP_NAME_MAX + 1];
};

/* Fills in the names of a server's tools. Characters other than letters, digits, _ and - become _; a name
 * that is too long is cut, and one that would collide gets a part of the hash of its original name,
 * independent of the order. Equal original names stay equal. */
void mcp_names_make(const char *server, struct mcp_name *names, size_t count);

/* Limits of a description, which is cut, and of a schema, which is refused. */
#define MCP_DESCRIPTION_MAX 2048
#define MCP_SCHEMA_MAX      (64 * 1024)
/* Limit of all tools of one server; further tools are refused. */
#define MCP_TOOLS_MAX (256 * 1024)

struct mcp_definition {
	char *original_name;         /* the server's name */
	char name[MCP_NAME_MAX + 1]; /* our name */
	char *summary;
	struct json_object *schema;  /* NULL when refused */
	char *refusal;               /* a sentence; NULL when it can be offered */
	char hash[SHA256_TEXT_SIZE]; /* of all that the server tells a model about it */
};

struct mcp_definitions {
	struct mcp_definition *items;
	size_t count;
};

/* A tool with a longer name is left out. */
#define MCP_ORIGINAL_NAME_MAX 256

/* Reads all pages of tools/list: an array as the server sent it. Anything in it may be wrong. */
void mcp_definitions_read(struct mcp_definitions *out, const char *server, struct json_object *tools);
void mcp_definitions_clear(struct mcp_definitions *d);

/* The tools as they were first seen. */
struct mcp_pins {
	struct mcp_pin {
		char *name, hash[SHA256_TEXT_SIZE];
	} * items;
	size_t count;
};

/* Refuses the changed tools and pins the new ones. */
void mcp_pins_apply(struct mcp_pins *pins, struct mcp_definitions *d);
void mcp_pins_clear(struct mcp_pins *pins);

#endif
