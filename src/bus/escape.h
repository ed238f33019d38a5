#ifndef BUS_ESCAPE_H
#define BUS_ESCAPE_H
#include <stddef.h>

#include "base/text/utf8.h"

/* Outbound text is Markdown. These functions escape foreign text in the gateway's messages: names, errors,
 * configured strings. */
struct buf;

/* Appends text so that it renders literally, whatever Markdown it holds. */
void escape_markdown(struct buf *out, const char *text);
/* Appends a name that a stranger chose, for the agent to read: valid UTF-8, at most max units, one line, no
 * marks of direction, and no bracket that could end a remark of the gateway. */
void escape_name(struct buf *out, const char *name, size_t max, enum utf8_unit unit);

#endif
