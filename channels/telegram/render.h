#ifndef CHANNELS_TELEGRAM_RENDER_H
#define CHANNELS_TELEGRAM_RENDER_H
/*
 * Markdown as what sendMessage takes: HTML (Bot API, "HTML style"), and the same as plain text for when
 * Telegram does not take the HTML. Pure. Nothing in the result reaches a person who was not written to: an
 * @name is written so that it is no mention, and links lead to http, https, mailto and tg addresses only,
 * none of them to a user.
 */
#include <stddef.h>

struct telegram_rendering {
	char *html;   /* for parse_mode HTML; "" where there is nothing to show */
	char *plain;  /* for no parse_mode, with the targets of links written out */
	size_t units; /* UTF-16 units that Telegram counts: of the longer of the two, tags apart */
};

/* Whatever the text is, something of it shows unless it is blank. Bad UTF-8 is cleaned. */
void telegram_render(struct telegram_rendering *out, const char *markdown);
void telegram_rendering_clear(struct telegram_rendering *r);

#endif
