#ifndef CHANNELS_MARKDOWN_PIECES_H
#define CHANNELS_MARKDOWN_PIECES_H
/* A document in pieces, none of which needs to be cut: what a text is split by. */
#include <stddef.h>

struct markdown;

/* How good it is to end a message before a piece. */
enum markdown_rank {
	MARKDOWN_RANK_HARD, /* within a word, a link, code */
	MARKDOWN_RANK_SPAN, /* between words that are formatted */
	MARKDOWN_RANK_WORD,
	MARKDOWN_RANK_SENTENCE,
	MARKDOWN_RANK_LINE, /* of a paragraph, code, a table, a list */
	MARKDOWN_RANK_BLOCK
};

struct markdown_piece {
	size_t weight; /* UTF-16 units, about: with its markup, indent and the targets of its links */
	enum markdown_rank rank;
};

struct markdown_pieces {
	struct markdown_piece *list;
	size_t count, cap;
};

/* Sets from and to of every node: the pieces in it. Paragraphs that weigh up to most are one piece; longer
 * ones are cut into words, and tables with longer rows become paragraphs. Free out->list. */
void markdown_divide(struct markdown *doc, size_t most, struct markdown_pieces *out);

#endif
