#ifndef TOOLS_RULES_RULES_INTERNAL_H
#define TOOLS_RULES_RULES_INTERNAL_H
/* What the files of the rules share. */
#include <stdbool.h>
#include <stddef.h>

#include "base/config/config.h"
#include "tools/rules/rules.h"

struct roots;
struct rules;
struct shell_command;
struct shell_line;
struct tool;
struct user_rule;

struct rules {
	struct user_rule *items;
	size_t count;
	const struct config_strings *off;
	const struct config_strings *prompt_files; /* files that a model gets as instructions; NULL: none */
	bool prompt_skills;                        /* the workspace's skills count too */
};

/* A command to check: as written, and parsed. */
struct rule_subject {
	const char *text;
	const struct shell_line *line;
	const struct roots *roots;
	const struct rules *rules;
};

/* A built-in rule: it matches a simple command by name and test, or a whole text. */
struct rule {
	const char *name;
	enum rule_action action;
	const char *const *commands;                                               /* NULL: any */
	bool (*test)(const struct rule_subject *s, const struct shell_command *c); /* NULL: always true */
	bool (*test_text)(const char *text);
	const char *what; /* description for people; NULL in a row that continues the previous one */
	const char *why;
};

extern const struct rule rules_commands[]; /* ends with a NULL name */
extern const struct rule rule_http_write, rule_long_command, rule_prompt_files;
bool rules_are_off(const struct rules *r, const char *name);

/* Finds options and operands of a command in any spelling. */
bool rule_has_option(const struct shell_command *c, char letter, const char *name);
/* Calls fn for each word behind the name until it returns true; returns that. */
bool rule_any_operand(const struct rule_subject *s, const struct shell_command *c,
    bool (*fn)(const struct rule_subject *s, const char *path));
/* The same for each path that the command visibly writes to. */
bool rule_any_written(const struct rule_subject *s, const struct shell_command *c,
    bool (*fn)(const struct rule_subject *s, const char *path));

/* Classifies a path by its text, without resolving links. */
bool rule_is_root(const struct rule_subject *s, const char *path);      /* or all in it, or the home folder */
bool rule_is_system(const struct rule_subject *s, const char *path);    /* that, or a folder in it */
bool rule_is_device(const struct rule_subject *s, const char *path);    /* a disk */
bool rule_is_in_system(const struct rule_subject *s, const char *path); /* in a system folder */
/* Returns true for a workspace file that a model gets as instructions. */
bool rule_is_prompt_file(const struct rule_subject *s, const char *path);
/* Returns true when the word names a protected file, alone or after a = or @. */
bool rule_is_protected(const struct rule_subject *s, const char *word);

/* Appends the configured rules to r. */
void rules_read_user(struct rules *r, struct config *cfg);
void rules_clear_user(struct rules *r);
/* Returns true when a configured rule names this tool. */
bool rules_name(const struct rules *r, const struct tool *tool);
/* Applies the configured rules for this tool to hit. */
void rules_check_user(
    const struct rules *r, const struct tool *tool, const struct rule_subject *s, struct rule_hit *hit);
/* Keeps the stricter of the two; the earlier one when they are equal. */
void rules_take(struct rule_hit *hit, enum rule_action action, const char *name, const char *why);

#endif
