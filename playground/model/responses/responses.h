#ifndef PLAYGROUND_MODEL_RESPONSES_RESPONSES_H
#define PLAYGROUND_MODEL_RESPONSES_RESPONSES_H
/* POST /v1/responses. */
#include "base/sha256.h"

struct conversation;
struct exchange;
struct json_object;
struct model_answer;
struct refusal;
struct task;

/* Writes an answer as OpenAI's Responses, complete or streamed. */

void responses_answer_whole(struct exchange *ex, const struct model_answer *a);
/* Suspends between the chunks. */
void responses_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a);

/* Validates a Responses request with the error texts of OpenAI's API. */

/* Returns 0, or -1 with the refusal. */
int responses_check(struct json_object *request, struct refusal *r);
/* Parts of it. */
int responses_check_items(struct json_object *request, struct refusal *r);

/* Fills d from a valid request. */
void responses_read_conversation(struct json_object *request, struct conversation *d);

/* Size of the encrypted content of a reasoning item; only this server can compute it. */
#define RESPONSES_SEALED_SIZE (SHA256_TEXT_SIZE + 8)
void responses_seal(const char *id, char out[RESPONSES_SEALED_SIZE]);

#endif
