#ifndef BASE_CONFIG_GRAMMAR_H
#define BASE_CONFIG_GRAMMAR_H
/*
 * libconfig's grammar, checked before libconfig sees the text: it would say "syntax error"
 * on the line where it noticed, and lose the memory of the token in its hand.
 */
#include <stddef.h>

struct buf;
struct config_text;

/* -1: why gets a sentence, *line the line of the text that it speaks of. */
int config_grammar_check(const struct config_text *t, unsigned *line, struct buf *why);
/* The n-th key of a correct text, from 0; NULL when there are fewer. Not terminated. */
const char *config_grammar_key(const struct config_text *t, size_t n, size_t *len);

#endif
