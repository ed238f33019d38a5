#ifndef TOOLS_WEB_PAGE_TEXT_H
#define TOOLS_WEB_PAGE_TEXT_H
/* What a model gets to read of an answer from the web. */
#include <stdbool.h>

struct buf;
struct error;
struct task;
struct web_response;

/* Appends it: HTML as readable text, JSON, XML and other text as it is, all in UTF-8; of anything else kind
 * and size. raw: HTML as it is, too. HTML, and text in other characters, are read by a helper program. -1:
 * that failed, or t was cancelled. */
int web_text(struct task *t, const struct web_response *res, bool raw, struct buf *out, struct error *err);

#endif
