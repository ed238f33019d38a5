#ifndef TOOLS_WEB_PAGE_TEXT_H
#define TOOLS_WEB_PAGE_TEXT_H
/* Turns an answer from the web into text for a model. */
#include <stdbool.h>

struct buf;
struct error;
struct task;
struct web_response;

/* Appends the text: HTML as readable text; JSON, XML and other text verbatim, all in UTF-8; of anything
 * else the type and size. raw: HTML verbatim too. A helper program reads HTML and text in other encodings.
 * Returns -1 when that failed, or t was cancelled. */
int web_text(struct task *t, const struct web_response *res, bool raw, struct buf *out, struct error *err);

#endif
