#ifndef BUS_REACTION_H
#define BUS_REACTION_H
/*
 * An emoji that somebody puts on a message stops the turn that the message is about. To the core it is a
 * press without an answer. Adapters hand up no other reaction.
 */
#include <stdbool.h>

/* The text of such a press. */
#define REACTION_STOP "r:stop"

/* Are they the same emoji? Its tone of skin and its style do not count. wanted NULL or "": no emoji is. */
bool reaction_is(const char *emoji, const char *wanted);

#endif
