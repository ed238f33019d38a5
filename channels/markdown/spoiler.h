#ifndef CHANNELS_MARKDOWN_SPOILER_H
#define CHANNELS_MARKDOWN_SPOILER_H
/* Spoilers, which md4c leaves as text: "||" on both sides. For the sources of this folder. */
#include <stdbool.h>
#include <stddef.h>

struct markdown_node;

/* Length of the mark at s, which is not escaped, 0 if there is none. */
size_t spoiler_mark_length(const char *s, const char *end);
/* May the mark of len bytes at s, in begin to end, open (1), close (2), or both (3)? */
unsigned spoiler_mark_sides(const char *begin, const char *s, size_t len, const char *end);
/* Turns pairs among the children into spans. Marks are TEXT nodes whose number is their sides. */
void spoilers_resolve(struct markdown_node *parent);

#endif
