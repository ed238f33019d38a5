#ifndef TOOLS_FILES_REGEX_H
#define TOOLS_FILES_REGEX_H
/*
 * A regular expression (PCRE2, compiled at run time where the system lets it) over single lines. No pattern
 * holds the thread: what one place of a line may cost is limited, and between places the caller is asked
 * whether to go on.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct regex;

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_TOO_HARD, REGEX_STOPPED };

/* NULL with a sentence that begins with "Invalid pattern: ". */
struct regex *regex_new(const char *pattern, bool any_case, struct buf *problem);
void regex_free(struct regex *r); /* NULL is fine */
/* Does it match anywhere in the line, which may hold any bytes? */
enum regex_answer regex_match(
    struct regex *r, const char *line, size_t len, bool (*stopped)(void *arg), void *arg);
/* Is there a text without which no line matches, so that it can be looked for in many lines at once? */
bool regex_has_needle(const struct regex *r);
/* The first place of it, or NULL. */
const char *regex_find_needle(const struct regex *r, const char *data, size_t len);

#endif
