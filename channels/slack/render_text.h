#ifndef CHANNELS_SLACK_RENDER_TEXT_H
#define CHANNELS_SLACK_RENDER_TEXT_H
/* The text that grows while a document is rendered. For the sources of the renderer. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct markdown_node;

struct mrkdwn {
	struct buf out;
	struct buf indent; /* in front of each line */
	bool begun;        /* a block stands before this one */
	bool fresh;        /* the first block of an item or quote follows: it needs no line of its own */
	bool line_empty;   /* the indent is not written yet */
	bool code;         /* inside backquotes */
};

#define MRKDWN_INIT                                           \
	{                                                     \
		BUF_INIT, BUF_INIT, false, false, true, false \
	}

/* Text, with & < > escaped: so that no mention, link or special word can begin in it. */
void mrkdwn_text(struct mrkdwn *r, const char *s, size_t len);
void mrkdwn_str(struct mrkdwn *r, const char *s);
/* Markup, as it is. */
void mrkdwn_raw(struct mrkdwn *r, const char *s);
/* The next line of the same block. */
void mrkdwn_line(struct mrkdwn *r);
/* Begins a block, so many line ends below what stands before it. */
void mrkdwn_block(struct mrkdwn *r, unsigned lines);
/* Around lines of a fixed width, which begin a line of their own and are not indented. Returns the indent,
 * for the end. */
char *mrkdwn_fence_begin(struct mrkdwn *r, unsigned lines);
void mrkdwn_fence_end(struct mrkdwn *r, char *indent);
/* What a paragraph or cell holds. active: bits of the types of spans around it. */
void mrkdwn_inlines(struct mrkdwn *r, const struct markdown_node *holder, unsigned active);
void mrkdwn_table(struct mrkdwn *r, const struct markdown_node *table, unsigned lines);

#endif
