#ifndef CHAT_TEXT_H
#define CHAT_TEXT_H
/*
 * What an agent says, for a terminal: wrapped at blanks, with a little of its Markdown shown (bold, code,
 * headings, lists) where colours are wanted, as it is otherwise. The text comes in pieces and is never taken
 * back, so that a row that is full can be printed for good. Characters that control a terminal are left out
 * always.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum chat_style { CHAT_BOLD = 1, CHAT_CODE = 2, CHAT_DIM = 4 };

struct chat_text {
	size_t width; /* columns */
	bool colour;
	struct buf rows; /* the rows that are full, each with its line end: the caller's to print and empty */
	/* The rest is its own. */
	struct buf row, word; /* not full yet, and what follows the last blank */
	size_t row_width, word_width, blanks, hang;
	unsigned style, word_style; /* enum chat_style; that which the word's bytes have set */
	struct buf partial;         /* of a character that is not complete */
	struct buf lead;            /* the beginning of a line, until it is known what it is */
	char marker;                /* a run of it is held back: '*' or '`' */
	unsigned markers;
	uint32_t before; /* the character before that run */
	bool leading, fenced, fence_line;
};

/* colour: with styles, and Markdown's marks left out. */
void chat_text_init(struct chat_text *x, size_t width, bool colour);
void chat_text_clear(struct chat_text *x);
/* More of the text, which may end anywhere. */
void chat_text_add(struct chat_text *x, const char *text, size_t len);
/* The text is over: its last row is full. Ready for another one. */
void chat_text_end(struct chat_text *x);
/* Appends the row that is not full. */
void chat_text_unfinished(const struct chat_text *x, struct buf *out);

/* Appends text without what could control a terminal: C0 and C1 controls but line ends and tabs, marks of
 * direction. */
void chat_text_plain(struct buf *out, const char *text, size_t len);
/* Columns that a character takes, at least 0. */
size_t chat_text_columns(uint32_t cp);
/* Switches the style on; "" when colours are off. "\033[0m" ends it. */
const char *chat_text_sgr(unsigned style);

#endif
