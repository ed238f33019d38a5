#ifndef PLAYGROUND_MODEL_MESSAGES_MESSAGES_H
#define PLAYGROUND_MODEL_MESSAGES_MESSAGES_H
/* POST /v1/messages. */
#include <stdbool.h>

#include "base/sha256.h"

struct conversation;
struct exchange;
struct json_object;
struct model_answer;
struct refusal;
struct task;

/* Writes an answer as Anthropic's Messages, complete or streamed. */

void messages_answer_whole(struct exchange *ex, const struct model_answer *a);
/* Suspends between the chunks. */
void messages_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a);

/* Validates a Messages request with the error texts of Anthropic's API. */

/* Returns 0, or -1 with the refusal. version: the anthropic-version header, NULL if absent. */
int messages_check(struct json_object *request, const char *version, struct refusal *r);
/* Parts of it. */
int messages_check_blocks(struct json_object *messages, bool newest, struct refusal *r);
int messages_check_pairs(struct json_object *request, struct refusal *r);
/* Adds the cache_control markers of a list of blocks or tools to *count and validates them. */
int messages_check_markers(struct json_object *list, const char *where, int *count, struct refusal *r);

/* Fills d from a valid request. */
void messages_read_conversation(struct json_object *request, struct conversation *d);

/* The signature of a thinking block, which reveals changes to the thinking. */

#define SIGNATURE_SIZE (SHA256_TEXT_SIZE + 8)

void messages_sign(const char *thinking, char out[SIGNATURE_SIZE]);

#endif
