#ifndef PLAYGROUND_TELEGRAM_TEXT_HTML_H
#define PLAYGROUND_TELEGRAM_TEXT_HTML_H
/* parse_mode HTML. Bot API, "HTML style"; the errors are the official server's. */
#include <stddef.h>

struct error;
struct formatted;

/* Appends to out; -1 with what follows "can't parse entities: ". */
int html_parse(const char *s, size_t len, struct formatted *out, struct error *err);

#endif
