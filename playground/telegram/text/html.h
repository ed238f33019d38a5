#ifndef PLAYGROUND_TELEGRAM_TEXT_HTML_H
#define PLAYGROUND_TELEGRAM_TEXT_HTML_H
/* parse_mode HTML (Bot API, "HTML style"), with the official server's errors. */
#include <stddef.h>

struct error;
struct formatted;

/* Appends to out; on -1 err has what follows "can't parse entities: ". */
int html_parse(const char *s, size_t len, struct formatted *out, struct error *err);

#endif
