#ifndef TOOLS_MCP_ELICIT_H
#define TOOLS_MCP_ELICIT_H
/* A server's questions to the person whose message began a call's turn (MCP, "Elicitation"). */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct json_object;
struct task;
struct tool_call;

/* The questions during one call. */
struct mcp_elicit {
	const struct tool_call *call;
	const char *server, *log; /* its name, and its log module */
	unsigned question_count;  /* how often the person was asked */
};

/* Returns whether a person can be asked during this call. */
bool mcp_elicit_is_possible(const struct tool_call *call);
/* Asks what the params of elicitation/create want to know. Returns a new ElicitResult; NULL when the params
 * are not valid. over: set when the server no longer waits, may be NULL. Suspends. */
struct json_object *mcp_elicit_run(
    struct task *t, struct mcp_elicit *e, struct json_object *params, const bool *over);

/* elicit_field.c: One field of a form. */

#define MCP_FIELD_BUTTONS_MAX 18 /* with those to skip and to decline, as many as a question takes */

enum mcp_field_kind {
	MCP_FIELD_TEXT,
	MCP_FIELD_NUMBER,
	MCP_FIELD_INTEGER,
	MCP_FIELD_BOOLEAN,
	MCP_FIELD_CHOICE, /* one of a list */
	MCP_FIELD_CHOICES /* some of a list */
};

struct mcp_field {
	enum mcp_field_kind kind;
	const char *name;
	struct json_object *schema;         /* borrowed */
	struct json_object *values, *names; /* of a list; borrowed, names may be NULL */
	struct json_object *fallback;       /* its default; borrowed, NULL for none */
	size_t count;                       /* of values */
	bool required;
};

/* Returns -1 when a form may not have such a field. */
int mcp_field_init(struct mcp_field *f, const char *name, struct json_object *schema, bool required);
/* Choice i as people see it; borrowed. */
const char *mcp_field_label(const struct mcp_field *f, size_t i);
/* Returns whether the text lists the choices with numbers, because they have no room on buttons. */
bool mcp_field_is_listed(const struct mcp_field *f);
/* Returns the value of choice i, or of these words; NULL with what is wrong with them, as a sentence. */
struct json_object *mcp_field_choose(const struct mcp_field *f, size_t i);
struct json_object *mcp_field_read(const struct mcp_field *f, const char *words, struct buf *problem);

#endif
