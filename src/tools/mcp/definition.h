#ifndef TOOLS_MCP_DEFINITION_H
#define TOOLS_MCP_DEFINITION_H
/*
 * What an MCP server says of its tools, made fit for a model: data of strangers, so cleaned, cut and checked,
 * each tool for itself. Definitions are pinned: one that is not what it was when it was first seen is not
 * offered.
 */
#include <stddef.h>

#include "base/sha256.h"
#include "tools/mcp/name.h"

struct json_object;

/* Of a description as a model gets it, and of a schema; longer ones are cut, or refused. */
#define MCP_DESCRIPTION_MAX 2048
#define MCP_SCHEMA_MAX      (64 * 1024)
/* Of all that one server has; further tools are refused. */
#define MCP_TOOLS_MAX (256 * 1024)

struct mcp_definition {
	char *given;                 /* the server's name of it */
	char name[MCP_NAME_MAX + 1]; /* ours */
	char *summary;
	struct json_object *schema;  /* NULL: refused */
	char *refusal;               /* a sentence; NULL: it can be offered */
	char hash[SHA256_TEXT_SIZE]; /* of all that the server says of it to a model */
};

struct mcp_definitions {
	struct mcp_definition *items;
	size_t count;
};

/* Of all pages of tools/list: an array of what the server sent. Anything in it may be wrong. */
void mcp_definitions_read(struct mcp_definitions *out, const char *server, struct json_object *tools);
void mcp_definitions_clear(struct mcp_definitions *d);

/* How tools looked when they were first seen. */
struct mcp_pins {
	struct mcp_pin {
		char *name, hash[SHA256_TEXT_SIZE];
	} * items;
	size_t count;
};

/* Refuses those that have changed, and notes those that are new. */
void mcp_pins_apply(struct mcp_pins *pins, struct mcp_definitions *d);
void mcp_pins_clear(struct mcp_pins *pins);

#endif
