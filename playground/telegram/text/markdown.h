#ifndef PLAYGROUND_TELEGRAM_TEXT_MARKDOWN_H
#define PLAYGROUND_TELEGRAM_TEXT_MARKDOWN_H
/* parse_mode MarkdownV2 and the older Markdown. Bot API, "Formatting options"; the errors are the official
 * server's. */
#include <stddef.h>

struct error;
struct formatted;

/* Both append to out; -1 with what follows "can't parse entities: ". */
int markdown_parse_v2(const char *s, size_t len, struct formatted *out, struct error *err);
int markdown_parse_legacy(const char *s, size_t len, struct formatted *out, struct error *err);

#endif
