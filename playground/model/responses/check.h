#ifndef PLAYGROUND_MODEL_RESPONSES_CHECK_H
#define PLAYGROUND_MODEL_RESPONSES_CHECK_H
/* Validates a Responses request with the error texts of OpenAI's API. */
#include "base/sha256.h"

struct conversation;
struct json_object;
struct refusal;

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
