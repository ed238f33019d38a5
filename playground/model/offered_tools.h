#ifndef PLAYGROUND_MODEL_OFFERED_TOOLS_H
#define PLAYGROUND_MODEL_OFFERED_TOOLS_H
/* The tools that requests offer: most of their bytes, and the same for all chats of a client. Each list is
 * parsed and checked once, and requests share it: nobody changes it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;

#define OFFERED_TOOLS_LISTS 4            /* the most recently used are kept */
#define OFFERED_TOOLS_MAX   (256 * 1024) /* bytes of a list; larger ones are not kept */

struct offered_tools { /* zero-initialised */
	struct {
		char *text;
		size_t len;
		struct json_object *list;
		uint64_t used;
	} kept[OFFERED_TOOLS_LISTS];
	uint64_t uses;
};

/* Parses a request as json_parse_object does. */
struct json_object *offered_tools_parse(
    struct offered_tools *o, const char *text, size_t len, struct error *err);
void offered_tools_clear(struct offered_tools *o);

/* Has this check, named by its address, accepted the list before? */
bool offered_tools_are_good(struct json_object *list, const void *check);
void offered_tools_set_good(struct json_object *list, const void *check);

#endif
