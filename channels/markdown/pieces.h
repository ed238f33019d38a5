#ifndef CHANNELS_MARKDOWN_PIECES_H
#define CHANNELS_MARKDOWN_PIECES_H
/* Divides a document into pieces, the units at which a text is split. */
#include <stddef.h>

struct markdown;

/* How well a message may end before a piece; higher is better. */
enum markdown_rank {
	MARKDOWN_RANK_HARD, /* inside a word, a link or code */
	MARKDOWN_RANK_SPAN, /* between formatted words */
	MARKDOWN_RANK_WORD,
	MARKDOWN_RANK_SENTENCE,
	MARKDOWN_RANK_LINE, /* of a paragraph, code block, table or list */
	MARKDOWN_RANK_BLOCK
};

struct markdown_piece {
	size_t weight; /* approximate UTF-16 units with markup, indent and link targets */
	enum markdown_rank rank;
};

struct markdown_pieces {
	struct markdown_piece *list;
	size_t count, cap;
};

/* Sets from and to of every node. A paragraph of up to most units is one piece; a longer one is divided
 * into words. A table with a longer row becomes paragraphs. The caller frees out->list. */
void markdown_divide(struct markdown *doc, size_t most, struct markdown_pieces *out);

#endif
