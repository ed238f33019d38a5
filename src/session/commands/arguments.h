#ifndef SESSION_COMMANDS_ARGUMENTS_H
#define SESSION_COMMANDS_ARGUMENTS_H
/* The arguments of a command, read as its row says. */
#include <stddef.h>

#define ARGUMENTS_MAX 6

struct buf;
struct channel_argument;

/* Reads text into values, one for each row of takes: malloc'd, NULL for what is not given; a flag that is
 * given is "". 0, or -1 with out saying in plain text what is wrong. Clear values either way. */
int arguments_read(
    const struct channel_argument *takes, const char *text, char *values[ARGUMENTS_MAX], struct buf *out);
void arguments_clear(char *values[ARGUMENTS_MAX]);
/* Appends them as /help shows them, "[--dry-run] TARGET TEXT", each with a blank before it. */
void arguments_usage(const struct channel_argument *takes, struct buf *out);
/* Appends a line for each, with its help and what it may be. */
void arguments_explain(const struct channel_argument *takes, struct buf *out);

#endif
