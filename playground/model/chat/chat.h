#ifndef PLAYGROUND_MODEL_CHAT_CHAT_H
#define PLAYGROUND_MODEL_CHAT_CHAT_H
/* POST /v1/chat/completions. */
#include <stdbool.h>

struct conversation;
struct exchange;
struct json_object;
struct model_answer;
struct refusal;
struct task;

/* Writes an answer as Chat Completions, complete or streamed. */

void chat_answer_whole(struct exchange *ex, const struct model_answer *a);
/* Suspends between the chunks. */
void chat_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a);

/* Validates a Chat Completions request with the error texts of OpenAI's API. */

/* Returns 0, or -1 with the refusal. */
int chat_check(struct json_object *request, struct refusal *r);
/* Parts of it. */
int chat_check_messages(struct json_object *messages, struct refusal *r);
int chat_check_pairs(struct json_object *messages, struct refusal *r);
int chat_check_tools(struct json_object *request, struct refusal *r);
bool chat_is_tool_name(const char *s);
/* Checks a tool_choice that is a word. */
int chat_check_choice(const char *choice, struct refusal *r);
/* Checks the JSON schema of a tool's parameters. */
int chat_check_parameters(struct json_object *parameters, const char *name, struct refusal *r);

/* Fills d from a valid request. */
void chat_read_conversation(struct json_object *request, struct conversation *d);

#endif
