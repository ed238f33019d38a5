#ifndef CHAT_TEXT_H
#define CHAT_TEXT_H
/*
 * Formats the agent's text for a terminal: wraps at blanks and, with colours, renders Markdown. Text arrives
 * in pieces and is never withdrawn, so full rows can be printed for good; a table is printed when it is
 * complete. Terminal control characters are always removed.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum chat_style {
	CHAT_BOLD = 1,
	CHAT_CODE = 2,
	CHAT_DIM = 4,
	CHAT_ITALIC = 8,
	CHAT_STRIKE = 16,
	CHAT_UNDERLINE = 32
};

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
	char marker;                /* a pending run of it, one of MARKERS */
	unsigned markers;
	uint32_t before;  /* the character before that run */
	struct buf link;  /* "[text](url" until its end */
	struct buf table; /* the lines of a table so far */
	unsigned quotes;  /* bars before each row of the line */
	bool leading, fenced, fence_line, escaped, in_table;
};

/* colour: applies styles and omits Markdown's marks. */
void chat_text_init(struct chat_text *x, size_t width, bool colour);
void chat_text_clear(struct chat_text *x);
/* Adds text, which may end anywhere. */
void chat_text_add(struct chat_text *x, const char *text, size_t len);
/* Ends the text: completes its last row. Ready for another text. */
void chat_text_end(struct chat_text *x);
/* Formats a text of one line without wrapping it. Appends it to out; returns its columns. */
size_t chat_text_line(struct buf *out, const char *text, size_t len);
/* Appends the rows of a table, of the lines as written; where it is too wide, as a list of its cells. */
void chat_table_add(struct buf *rows, const char *lines, size_t width);
/* Appends the incomplete row. */
void chat_text_unfinished(const struct chat_text *x, struct buf *out);

/* Appends text without terminal controls: C0 and C1 controls except line ends and tabs, and direction
 * marks. */
void chat_text_plain(struct buf *out, const char *text, size_t len);
/* Returns the width of a character in columns, at least 0. */
size_t chat_text_columns(uint32_t cp);
/* Appends the escape sequence of styles, at least one. "\033[0m" ends them. */
void chat_text_sgr(struct buf *out, unsigned style);

#endif
