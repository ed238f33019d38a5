#ifndef PLAYGROUND_MODEL_MESSAGES_CHECK_H
#define PLAYGROUND_MODEL_MESSAGES_CHECK_H
/* Validates a Messages request with the error texts of Anthropic's API. */
#include <stdbool.h>

struct conversation;
struct json_object;
struct refusal;

/* Returns 0, or -1 with the refusal. version: the anthropic-version header, NULL if absent. */
int messages_check(struct json_object *request, const char *version, struct refusal *r);
/* Parts of it. */
int messages_check_blocks(struct json_object *messages, bool newest, struct refusal *r);
int messages_check_pairs(struct json_object *request, struct refusal *r);
/* Adds the cache_control markers of a list of blocks or tools to *count and validates them. */
int messages_check_markers(struct json_object *list, const char *where, int *count, struct refusal *r);

/* Fills d from a valid request. */
void messages_read_conversation(struct json_object *request, struct conversation *d);

#endif
