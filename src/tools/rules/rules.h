#ifndef TOOLS_RULES_RULES_H
#define TOOLS_RULES_RULES_H
/*
 * Safety rules against mistakes: they block a command or a request by its form, or require approval.
 * They are no security boundary: the roots and the sandbox are. Rules of the configuration add to the
 * built-in ones.
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

/* The rule that decides: the first that blocks, else the first that asks. */
struct rule_hit {
	enum rule_action action;
	const char *name;
	const char *why; /* a clause, then advice: "recursive delete on root. Name a folder …" */
};

extern const struct config_section rules_section; /* "tools.rules[]" */

/* Reads tools.rules and reports errors to cfg; off holds the names of disabled built-in rules, and is
 * borrowed. */
struct rules *rules_read(struct config *cfg, const struct config_strings *off);
void rules_free(struct rules *r); /* NULL is allowed */
/* Sets the workspace files that a model gets as instructions (borrowed, NULL for none), and whether the
 * workspace's skills count too. */
void rules_set_prompt_files(struct rules *r, const struct config_strings *files, bool skills);
/* Returns them, borrowed, NULL for none; none where the rule is off. */
const struct config_strings *rules_prompt_files(const struct rules *r, bool *skills);

/* Appends the built-in rules as rows of a table. */
void rules_document(struct buf *out);

/* Checks validated arguments. roots may be NULL. */
struct rule_hit rules_check(
    const struct rules *r, const struct roots *roots, const struct tool *tool, struct json_object *args);
#endif
