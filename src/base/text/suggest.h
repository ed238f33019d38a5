#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H
/* "Did you mean": the edit distance between names, by bytes. */
#include <stdbool.h>
#include <stddef.h>

/* Returns the number of insertions, deletions, replacements and swaps of neighbours that turn a into b;
 * SIZE_MAX for names over 64 bytes. */
size_t suggest_distance(const char *a, const char *b);
/* Returns the nearest of names: at most 3 edits and less than half of word. NULL if none. */
const char *suggest_name(const char *word, const char *const *names, size_t count);

#endif
