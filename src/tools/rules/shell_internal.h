#ifndef TOOLS_RULES_SHELL_INTERNAL_H
#define TOOLS_RULES_SHELL_INTERNAL_H
/* Between the two stages of parsing a command. */
#include <stddef.h>

struct shell_command;
struct shell_line;

/* Appends the simple commands of the text. */
void shell_split(struct shell_line *line, const char *text, size_t len);
/* Appends a command, which it takes. */
void shell_append(struct shell_line *line, struct shell_command *c);

#endif
