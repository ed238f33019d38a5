#ifndef SESSION_COMMANDS_ARGUMENTS_H
#define SESSION_COMMANDS_ARGUMENTS_H
/* Parses the arguments of a command as its row declares them. */
#include <stddef.h>

#define ARGUMENTS_MAX 6

struct buf;
struct channel_argument;

/* Parses text into values, one for each row of takes: malloc'd, NULL when absent, "" for a flag that is set.
 * On an error returns -1 and appends a plain-text explanation to out. Clear values either way. */
int arguments_read(
    const struct channel_argument *takes, const char *text, char *values[ARGUMENTS_MAX], struct buf *out);
void arguments_clear(char *values[ARGUMENTS_MAX]);
/* Appends them as /help shows them, "[--dry-run] TARGET TEXT", each after a blank. */
void arguments_usage(const struct channel_argument *takes, struct buf *out);
/* Appends a line for each argument, with its help and its allowed values. */
void arguments_explain(const struct channel_argument *takes, struct buf *out);

#endif
