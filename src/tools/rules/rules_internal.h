#ifndef TOOLS_RULES_RULES_INTERNAL_H
#define TOOLS_RULES_RULES_INTERNAL_H
/* Between the parts of the rules. */
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
	const struct config_strings *told; /* files of the workspace that instruct a model; NULL: none */
	bool prompt_skills;                /* and so does its folder of skills */
};

/* What is looked at: a command as it is written, and as it is read. */
struct rule_subject {
	const char *text;
	const struct shell_line *line;
	const struct roots *roots;
	const struct rules *rules;
};

/* A built-in rule: it hits a simple command that is named so and passes the test, or a whole text. */
struct rule {
	const char *name;
	enum rule_action action;
	const char *const *commands;                                               /* NULL: any */
	bool (*test)(const struct rule_subject *s, const struct shell_command *c); /* NULL: passed */
	bool (*test_text)(const char *text);
	const char *what; /* it hits, for people; a row that goes on with the one before has none */
	const char *why;
};

extern const struct rule rules_commands[]; /* ends with a NULL name */
extern const struct rule rule_http_write, rule_prompt_files;
bool rules_are_off(const struct rules *r, const char *name);

/* Options and operands of a command, in any spelling. */
bool rule_has_option(const struct shell_command *c, char letter, const char *name);
/* Calls fn for each operand until it says true, which is returned. */
bool rule_any_operand(const struct rule_subject *s, const struct shell_command *c,
    bool (*fn)(const struct rule_subject *s, const char *path));
/* The same for each path that the command writes to, as far as that can be seen. */
bool rule_any_written(const struct rule_subject *s, const struct shell_command *c,
    bool (*fn)(const struct rule_subject *s, const char *path));

/* What a path is, by its letters. */
bool rule_is_root(const struct rule_subject *s, const char *path);      /* or all in it, or the home folder */
bool rule_is_system(const struct rule_subject *s, const char *path);    /* that, or a folder in it */
bool rule_is_device(const struct rule_subject *s, const char *path);    /* a disk */
bool rule_is_in_system(const struct rule_subject *s, const char *path); /* in a folder of the system */
/* Is it a file of the workspace that a model is told as instructions? */
bool rule_is_prompt_file(const struct rule_subject *s, const char *path);
/* Does the word name a file that is protected, by itself or behind a = or @? */
bool rule_is_protected(const struct rule_subject *s, const char *word);

/* Appends the user's rules to r. */
void rules_read_user(struct rules *r, struct config *cfg);
void rules_clear_user(struct rules *r);
/* Is one of them for this tool? */
bool rules_name(const struct rules *r, const struct tool *tool);
/* Puts into hit what the user's rules for this tool say of the subject. */
void rules_check_user(
    const struct rules *r, const struct tool *tool, const struct rule_subject *s, struct rule_hit *hit);
/* Keeps the harder of the two, the earlier one of equals. */
void rules_take(struct rule_hit *hit, enum rule_action action, const char *name, const char *why);

#endif
