#ifndef CHANNELS_SLACK_RENDER_TEXT_H
#define CHANNELS_SLACK_RENDER_TEXT_H
/* The mrkdwn text under construction. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct mrkdwn {
	struct buf out;
	struct buf indent; /* precedes each line */
	bool begun;        /* a block was already written */
	bool fresh;        /* the first block of an item or quote follows: no new line needed */
	bool line_empty;   /* the indent is still to be written */
	bool code;         /* inside backquotes */
};

#define MRKDWN_INIT                                           \
	{                                                     \
		BUF_INIT, BUF_INIT, false, false, true, false \
	}

/* Writes text; escapes & < >, so that it starts no mention, link or special word. */
void mrkdwn_text(struct mrkdwn *r, const char *s, size_t len);
void mrkdwn_str(struct mrkdwn *r, const char *s);
/* Writes markup unescaped. */
void mrkdwn_raw(struct mrkdwn *r, const char *s);
/* Starts the next line of the same block. */
void mrkdwn_line(struct mrkdwn *r);
/* Starts a block after that many line ends. */
void mrkdwn_block(struct mrkdwn *r, unsigned lines);

#endif
