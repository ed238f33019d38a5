#ifndef SESSION_SESSION_TAKEN_H
#define SESSION_SESSION_TAKEN_H
/* What a turn takes of the inbox, as rows and as words for the model. Private to sessions. */
#include <stddef.h>

#include "bus/journal.h"

struct burst;
struct llm_message;
struct message;

/* The rows, of which the last is to be answered, and the context among them. */
struct taken {
	const struct burst *burst;
	struct message *said[JOURNAL_CONTEXT_MOST];
	size_t said_count;
	const struct message **rows;
	size_t count;
	struct message *edits; /* stand-ins for rows of which only the id is known */
};

/* Without context. The burst is borrowed. */
void taken_init(struct taken *k, const struct burst *b);
/* The same with what else was said; takes the messages. */
void taken_init_said(struct taken *k, const struct burst *b, struct message *const *said, size_t count);
void taken_clear(struct taken *k);
/* What the model reads; new. */
struct llm_message *taken_words(const struct taken *k);
/* The one person who wrote all of it, and whom so_far names unless it is NULL; "" when there are several. */
const char *taken_person(const struct taken *k, const char *so_far);

#endif
