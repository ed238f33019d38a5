#ifndef TOOLS_RULES_SHELL_PARSE_H
#define TOOLS_RULES_SHELL_PARSE_H
/*
 * Parses a command line like a shell, for rules that check words: splits it into simple commands and
 * removes quotes and backslashes. It is no shell: it does not expand variables, patterns and command
 * output.
 */
#include <stdbool.h>
#include <stddef.h>

struct shell_redirect {
	char *target;
	bool writes;
};

/* A simple command. Its first word is the program: assignments, keywords such as "then", and wrappers that
 * run another program (env, xargs) are removed. It may consist of redirections only. */
struct shell_command {
	char **words;
	size_t count;
	struct shell_redirect *redirects;
	size_t redirect_count;
	char *input; /* its input in the text (<<, <<<), or NULL */
};

struct shell_line {
	struct shell_command *commands;
	size_t count;
	bool unread; /* a text was longer than SHELL_TEXT_MAX, and its commands are not here */
};

/* In characters, as the longest command of exec_shell: the commands of a text take far more memory than it.
 */
#define SHELL_TEXT_MAX 65536

/* Fills line with all commands of the text, including those in $() and `` and in texts given to sh -c and
 * eval, three levels deep. Takes linear time for any text. */
void shell_parse(struct shell_line *line, const char *text);
/* The same for a program and its arguments, without shell parsing. */
void shell_parse_words(struct shell_line *line, const char *const *words, size_t count);
void shell_line_clear(struct shell_line *line);

/* Returns the last path component of the program; "" for none. */
const char *shell_command_name(const struct shell_command *c);

#endif
