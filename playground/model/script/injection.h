#ifndef PLAYGROUND_MODEL_SCRIPT_INJECTION_H
#define PLAYGROUND_MODEL_SCRIPT_INJECTION_H
/*
 * A model that does what any text tells it. An order is "CALL NAME {JSON}", wherever it stands: in what the
 * model was told at first, in descriptions of tools, in the newest message of people with all that is quoted
 * in it, and in what tools returned, there also within the strings of JSON. The tool need not be on offer.
 * Round brackets around the JSON will do.
 */
#include <stddef.h>

struct conversation;
struct script_call;

/* The calls that the newest texts order, as an array of the caller's: how many. What was returned comes
 * alone. */
size_t injection_find_calls(const struct conversation *d, struct script_call **calls);

#endif
