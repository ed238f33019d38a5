#ifndef BUS_PREVIEW_H
#define BUS_PREVIEW_H
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "bus/address.h"

/* An answer while it is being written, shown before it is committed: best effort, and never in the ledger. */
struct preview {
	struct address where;
	char *reply_to;    /* the platform's id of the message it answers, NULL if none */
	struct buf text;   /* so far: Markdown that may end anywhere */
	uint64_t since_ms; /* clock_now() when the turn began */
	unsigned frames;   /* shown so far; the adapter counts */
	size_t shown_len;  /* how much of text the last frame had */
	unsigned failures; /* in a row; the adapter counts */
	/* The platform's id of the message that shows it, set by the adapter when it has sent one; the answer
	 * then takes its place. NULL: none yet, or it passes by itself (a draft). */
	char *message_id;
	int64_t draft; /* a number of this preview, not 0, for platforms that ask for one */
	char *buttons; /* to show under such a message, as in struct outbound; NULL: none */
};

#endif
