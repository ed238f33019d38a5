#ifndef CHANNELS_TELEGRAM_RENDER_LINK_H
#define CHANNELS_TELEGRAM_RENDER_LINK_H
/* Decides how a link written by a model is rendered. */
#include <stdbool.h>
#include <stddef.h>

enum render_link {
	RENDER_LINKED,
	RENDER_WRITTEN, /* the target is written as text: not a URL to open, but worth reading */
	RENDER_DROPPED  /* only the link text is kept: an anchor, a mention of a user, or too long */
};

enum render_link render_link_of(const char *target, size_t len);

#endif
