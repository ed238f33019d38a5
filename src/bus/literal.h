#ifndef BUS_LITERAL_H
#define BUS_LITERAL_H
/* What is sent is Markdown. This is for texts of ours that hold foreign words: names, errors, what an operator configured. */
struct buf;

/* Appends text so that a reader sees it as it is, whatever marks it holds. */
void literal_add(struct buf *out, const char *text);

#endif
