#ifndef CHANNELS_MARKDOWN_SPOILER_H
#define CHANNELS_MARKDOWN_SPOILER_H
/* Parses ||spoilers||, which md4c leaves as text. */
#include <stdbool.h>
#include <stddef.h>

struct markdown_node;

/* Returns the length of an unescaped mark at s, or 0. */
size_t spoiler_mark_length(const char *s, const char *end);
/* Can the mark of len bytes at s, within begin and end, open (1), close (2) or do both (3)? */
unsigned spoiler_mark_sides(const char *begin, const char *s, size_t len, const char *end);
/* Turns pairs of marks among the children into spans. Marks are TEXT nodes; their number holds the sides. */
void spoilers_resolve(struct markdown_node *parent);

#endif
