#ifndef BUS_PREVIEW_H
#define BUS_PREVIEW_H
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "bus/address.h"

/* An answer while the model writes it, shown before it is committed: best effort, and never in the outbox. */
struct preview {
	struct address where;
	char *reply_to;    /* platform id of the message being answered, NULL if none */
	struct buf text;   /* Markdown so far; may end anywhere */
	uint64_t since_ms; /* clock_now() when the turn began */
	unsigned frames;   /* updates shown; the adapter counts */
	size_t shown_len;  /* bytes of text in the last update, as its call began */
	unsigned failures; /* in a row; the adapter counts */
	/* Platform id of the message that shows the preview, set by the adapter after sending one; the
	 * answer replaces it. NULL: not sent yet, or it expires by itself (a draft). */
	char *message_id;
	int64_t draft; /* nonzero number of this preview, for platforms that need one */
	char *buttons; /* under that message, encoded as in struct outbound; NULL for none */
};

#endif
