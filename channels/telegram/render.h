#ifndef CHANNELS_TELEGRAM_RENDER_H
#define CHANNELS_TELEGRAM_RENDER_H
/*
 * Renders Markdown for sendMessage: as HTML (Bot API, "HTML style"), and as plain text in case Telegram
 * refuses the HTML. Pure. The output notifies nobody: an @name is written so that it is not a mention, and
 * links lead only to http, https, mailto and tg addresses, never to a user.
 */
#include <stddef.h>

struct telegram_rendering {
	char *html;   /* for parse_mode HTML; "" when there is nothing to show */
	char *plain;  /* without parse_mode, link targets written out */
	size_t units; /* UTF-16 units as Telegram counts them, without tags; of the longer text */
};

/* Shows something unless the text is blank. Replaces invalid UTF-8. */
void telegram_render(struct telegram_rendering *out, const char *markdown);
/* Moves *r into a cache, for the next rendering of the same text. */
void telegram_render_keep(const char *markdown, struct telegram_rendering *r);
void telegram_rendering_clear(struct telegram_rendering *r);

#endif
