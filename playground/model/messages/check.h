#ifndef PLAYGROUND_MODEL_MESSAGES_CHECK_H
#define PLAYGROUND_MODEL_MESSAGES_CHECK_H
/* Judges a Messages request as Anthropic's API does, in its words. */
#include <stdbool.h>

struct conversation;
struct json_object;
struct refusal;

/* 0, or -1 with the refusal. version: of the header anthropic-version, NULL when there is none. */
int messages_check(struct json_object *request, const char *version, struct refusal *r);
/* Parts of it. */
int messages_check_blocks(struct json_object *messages, bool newest, struct refusal *r);
int messages_check_pairs(struct json_object *request, struct refusal *r);
/* Adds the markers in a list of blocks or tools to *count; they must be well made. */
int messages_check_markers(struct json_object *list, const char *where, int *count, struct refusal *r);

/* Fills d from a request that passed. */
void messages_read_conversation(struct json_object *request, struct conversation *d);

#endif
