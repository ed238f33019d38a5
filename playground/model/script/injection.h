#ifndef PLAYGROUND_MODEL_SCRIPT_INJECTION_H
#define PLAYGROUND_MODEL_SCRIPT_INJECTION_H
/*
 * A model that obeys every text. An order "CALL NAME {JSON}" counts wherever it stands: in the system prompt,
 * in tool descriptions, in the newest user message with its quotes, and in tool results, also inside JSON
 * strings. The tool need not be offered. The JSON may be in round brackets.
 */
#include <stddef.h>

struct conversation;
struct script_call;

/* Returns the number of calls that the newest texts order; the caller owns the array. New tool results are
 * searched alone. */
size_t injection_find_calls(const struct conversation *d, struct script_call **calls);

#endif
