#ifndef BASE_TEXT_SUGGEST_H
#define BASE_TEXT_SUGGEST_H
/* Did you mean: how far apart two names are, byte by byte. */
#include <stdbool.h>
#include <stddef.h>

/* Insertions, deletions, replacements and swaps of neighbours that make b of a. Names over 64 bytes:
 * SIZE_MAX. */
size_t suggest_distance(const char *a, const char *b);
/* The one of names that word most probably stands for: at most 3 edits and less than half of word. NULL if
 * none. */
const char *suggest_name(const char *word, const char *const *names, size_t count);

#endif
