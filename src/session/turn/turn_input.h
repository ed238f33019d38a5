#ifndef SESSION_TURN_TURN_INPUT_H
#define SESSION_TURN_TURN_INPUT_H
/* What a turn takes of the inbox, as rows and as words for the model. Private to sessions. */
#include <stddef.h>

#include "bus/journal.h"

struct coalesced;
struct llm_message;
struct message;

/* The rows, of which the last is to be answered, and the context among them. */
struct turn_input {
	const struct coalesced *coalesced;
	struct message *said[JOURNAL_CONTEXT_MAX];
	size_t said_count;
	const struct message **rows;
	size_t count;
	struct message *edits; /* stand-ins for rows of which only the id is known */
};

/* Without context. The coalesced is borrowed. */
void turn_input_init(struct turn_input *k, const struct coalesced *b);
/* The same with what else was said; takes the messages. */
void turn_input_init_context(
    struct turn_input *k, const struct coalesced *b, struct message *const *said, size_t count);
void turn_input_clear(struct turn_input *k);
/* What the model reads; new. */
struct llm_message *turn_input_message(const struct turn_input *k);
/* The one person who wrote all of it, and whom so_far names unless it is NULL; "" when there are several. */
const char *turn_input_person(const struct turn_input *k, const char *so_far);

#endif
