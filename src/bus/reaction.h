#ifndef BUS_REACTION_H
#define BUS_REACTION_H
/*
 * A configured emoji on a message stops the turn of that message. The core sees a button press that
 * needs no answer. Adapters report no other reaction.
 */
#include <stdbool.h>

/* The text of that press. */
#define REACTION_STOP "r:stop"

/* Compares two emoji without the skin tones and variation selectors at their ends. wanted NULL or "" matches
 * nothing. */
bool reaction_is(const char *emoji, const char *wanted);

#endif
