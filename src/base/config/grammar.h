#ifndef BASE_CONFIG_GRAMMAR_H
#define BASE_CONFIG_GRAMMAR_H
/*
 * Checks libconfig's grammar before libconfig sees the text: libconfig would report "syntax error" on
 * the line where it noticed, and leak the memory of its current token.
 */
#include <stddef.h>

struct buf;
struct config_text;

/* Returns -1 with a sentence in why and its line of the text in *line. */
int config_grammar_check(const struct config_text *t, unsigned *line, struct buf *why);
/* Returns the n-th key of a correct text, from 0, not terminated; NULL when there are fewer. */
const char *config_grammar_key(const struct config_text *t, size_t n, size_t *len);

#endif
