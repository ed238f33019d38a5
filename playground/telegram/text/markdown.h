#ifndef PLAYGROUND_TELEGRAM_TEXT_MARKDOWN_H
#define PLAYGROUND_TELEGRAM_TEXT_MARKDOWN_H
/* parse_mode MarkdownV2 and the legacy Markdown (Bot API, "Formatting options"), with the official
 * server's errors. */
#include <stddef.h>

struct error;
struct formatted;

/* Both append to out; on -1 err has what follows "can't parse entities: ". */
int markdown_parse_v2(const char *s, size_t len, struct formatted *out, struct error *err);
int markdown_parse_legacy(const char *s, size_t len, struct formatted *out, struct error *err);

#endif
