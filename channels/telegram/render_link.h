#ifndef CHANNELS_TELEGRAM_RENDER_LINK_H
#define CHANNELS_TELEGRAM_RENDER_LINK_H
/* What becomes of a link that a model wrote. */
#include <stdbool.h>
#include <stddef.h>

enum render_link {
	RENDER_LINKED,
	RENDER_WRITTEN, /* its target is no place to go to, but worth reading */
	RENDER_DROPPED  /* only its text is left: a place in a document, a person to ping, too long */
};

enum render_link render_link_of(const char *target, size_t len);

#endif
