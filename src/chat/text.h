#ifndef CHAT_TEXT_H
#define CHAT_TEXT_H
/*
 * Formats the agent's text for a terminal: wraps at blanks and, with colours, renders some Markdown
 * (bold, code, headings, lists). Text arrives in pieces and is never withdrawn, so full rows can be
 * printed for good. Terminal control characters are always removed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum chat_style { CHAT_BOLD = 1, CHAT_CODE = 2, CHAT_DIM = 4 };

struct chat_text {
	size_t width; /* columns */
	bool colour;
	struct buf rows; /* full rows with line ends: the caller prints and empties it */
	/* Internal. */
	struct buf row, word; /* incomplete row, and the text after the last blank */
	size_t row_width, word_width, blanks, hang;
	unsigned style, word_style; /* enum chat_style; word_style as set within word */
	struct buf partial;         /* of an incomplete character */
	struct buf lead;            /* start of a line until its type is known */
	char marker;                /* a pending run of it: '*' or '`' */
	unsigned markers;
	uint32_t before; /* the character before that run */
	bool leading, fenced, fence_line;
};

/* colour: applies styles and omits Markdown's marks. */
void chat_text_init(struct chat_text *x, size_t width, bool colour);
void chat_text_clear(struct chat_text *x);
/* Adds text, which may end anywhere. */
void chat_text_add(struct chat_text *x, const char *text, size_t len);
/* Ends the text: completes its last row. Ready for another text. */
void chat_text_end(struct chat_text *x);
/* Appends the incomplete row. */
void chat_text_unfinished(const struct chat_text *x, struct buf *out);

/* Appends text without terminal controls: C0 and C1 controls except line ends and tabs, and direction
 * marks. */
void chat_text_plain(struct buf *out, const char *text, size_t len);
/* Returns the width of a character in columns, at least 0. */
size_t chat_text_columns(uint32_t cp);
/* Returns the escape sequence of the style; "" without colours. "\033[0m" ends it. */
const char *chat_text_sgr(unsigned style);

#endif
