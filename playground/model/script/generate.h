#ifndef PLAYGROUND_MODEL_SCRIPT_GENERATE_H
#define PLAYGROUND_MODEL_SCRIPT_GENERATE_H
/* Generates long texts for scripts. */
#include <stddef.h>

struct buf;

/* "a op b = result", op one of + - * x /. */
void generate_calculation(const char *a, char op, const char *b, struct buf *out);
/* "1, 2, … n", at most 1,000. */
void generate_numbers(unsigned long n, struct buf *out);
/* Appends numbered paragraphs of at least that many characters (at most 100,000). The numbers reveal lost
 * and repeated parts. */
void generate_story(unsigned long chars, struct buf *out);

#endif
