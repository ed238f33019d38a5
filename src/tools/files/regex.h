#ifndef TOOLS_FILES_REGEX_H
#define TOOLS_FILES_REGEX_H
/*
 * Regular expressions (PCRE2, with JIT where allowed) on single lines. No pattern can block the thread:
 * the cost at one position of a line is limited, and between positions the caller is asked whether to
 * continue.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct regex;

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_TOO_HARD, REGEX_STOPPED };

/* Returns NULL with a sentence that begins with "Invalid pattern: ", or says that the library is missing,
 * which the first call loads. Only in one thread. */
struct regex *regex_new(const char *pattern, bool ignore_case, struct buf *problem);
void regex_free(struct regex *r); /* NULL is allowed */
/* Searches the line, which may hold any bytes. */
enum regex_answer regex_match(
    struct regex *r, const char *line, size_t len, bool (*stopped)(void *arg), void *arg);
/* Returns true when every match contains a fixed text, so that many lines can be searched for it at once. */
bool regex_has_needle(const struct regex *r);
/* Returns the first occurrence of that text, or NULL. */
const char *regex_find_needle(const struct regex *r, const char *data, size_t len);

#endif
