#ifndef TOOLS_RULES_SHELL_PARSE_H
#define TOOLS_RULES_SHELL_PARSE_H
/*
 * A command as a shell would read it, for rules that look at words: split into simple commands, without
 * quotes and backslashes. It is no shell: variables, patterns and what programs print are unknown to it.
 */
#include <stdbool.h>
#include <stddef.h>

struct shell_redirect {
	char *target;
	bool writes;
};

/* One simple command. Its first word is what runs: assignments, words such as "then" and programs that run
 * another one (env, xargs) are gone. It may have redirections alone. */
struct shell_command {
	char **words;
	size_t count;
	struct shell_redirect *redirects;
	size_t redirect_count;
	char *input; /* what stands in the text for it to read (<<, <<<), or NULL */
};

struct shell_line {
	struct shell_command *commands;
	size_t count;
};

/* Fills line with every command of the text, those in $() and `` too, and those of texts given to sh -c and
 * eval, three deep. Whatever the text is, it is read in time that grows with its length. */
void shell_parse(struct shell_line *line, const char *text);
/* The same of a program and its arguments, which no shell has read. */
void shell_parse_words(struct shell_line *line, const char *const *words, size_t count);
void shell_line_clear(struct shell_line *line);

/* The last part of the path of what runs; "" when nothing does. */
const char *shell_command_name(const struct shell_command *c);

#endif
