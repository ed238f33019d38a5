#ifndef TOOLS_RULES_RULES_H
#define TOOLS_RULES_RULES_H
/*
 * Guards against slips: what a command or a request looks like is blocked, or a person is asked. They are no
 * boundary: what slips through meets the roots and the sandbox. Rules of the configuration come beside those
 * built in.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct config;
struct config_section;
struct config_strings;
struct json_object;
struct roots;
struct rules;
struct tool;

enum rule_action { RULE_NONE, RULE_ASK, RULE_BLOCK };

/* The rule that counts: the first that blocks, else the first that asks. */
struct rule_hit {
	enum rule_action action;
	const char *name;
	const char *why; /* a clause, then what to do: "recursive delete on root. Name a folder …" */
};

extern const struct config_section rules_section; /* "tools.rules[]" */

/* Of tools.rules; off has the names of built-in ones that do not count, and is borrowed. Mistakes are
 * reported. */
struct rules *rules_read(struct config *cfg, const struct config_strings *off);
void rules_free(struct rules *r); /* NULL is fine */
/* Files of the workspace that a model is told as instructions (borrowed, NULL: none), and whether its skills
 * are, too. */
void rules_set_prompt_files(struct rules *r, const struct config_strings *files, bool skills);

/* Appends the built-in ones, a row of a table each. */
void rules_document(struct buf *out);

/* What the arguments, which are validated, hit. roots may be NULL. */
struct rule_hit rules_check(
    const struct rules *r, const struct roots *roots, const struct tool *tool, struct json_object *args);
#endif
