#ifndef BUS_ESCAPE_H
#define BUS_ESCAPE_H
#include <stddef.h>

#include "base/text/utf8.h"

/* What is sent is Markdown. This is for texts of ours that hold foreign words: names, errors, what an
 * operator configured. */
struct buf;

/* Appends text so that a reader sees it as it is, whatever marks it holds. */
void escape_markdown(struct buf *out, const char *text);
/* Appends a name that a stranger chose, for the agent to read: valid UTF-8, at most so many units, one line,
 * and no bracket that could end a remark of ours. */
void escape_name(struct buf *out, const char *name, size_t most, enum utf8_unit unit);

#endif
