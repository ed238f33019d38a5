#ifndef SESSION_TURN_TURN_INPUT_H
#define SESSION_TURN_TURN_INPUT_H
/* What a turn takes from the inbox, as rows and as text for the model. */
#include <stddef.h>

#include "bus/journal.h"

struct coalesced;
struct llm_message;
struct message;
struct session;

/* The rows, the last of which gets the answer, and the context messages among them. */
struct turn_input {
	const struct coalesced *coalesced;
	struct message *context[JOURNAL_CONTEXT_MAX];
	size_t context_count;
	const struct message **rows;
	size_t count;
	struct message *edits; /* placeholders for rows of which only the id is known */
};

/* Without context. Borrows b. */
void turn_input_init(struct turn_input *k, const struct coalesced *b);
/* With context messages; takes them. */
void turn_input_init_context(
    struct turn_input *k, const struct coalesced *b, struct message *const *context, size_t count);
void turn_input_clear(struct turn_input *k);
/* Returns the message for the model; the caller frees it. In a group it says who is a guest. */
struct llm_message *turn_input_message(const struct turn_input *k, const struct session *s);
/* Returns the person who wrote all of it and whom so_far names, unless that is NULL; "" when there are
 * several. */
const char *turn_input_person(const struct turn_input *k, const char *so_far);

#endif
