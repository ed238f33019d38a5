#ifndef LLM_TOKENS_H
#define LLM_TOKENS_H
/* How much of a model's window a conversation takes, guessed without its tokenizer: a little too much rather
 * than too little. */
#include <stddef.h>

struct llm;
struct llm_message;
struct llm_request;

/* A token for 3.5 bytes of ASCII, and for 2 bytes of all else. */
size_t llm_text_tokens(const char *text);
/* Of the message as it is sent: a provider's own where there is one, which holds more. */
size_t llm_message_tokens(const struct llm_message *m);
/* Of all that a request has the model read. */
size_t llm_request_tokens(const struct llm_request *req);
/* The window of the provider of that name, else of the default one, in tokens; where none is configured, a
 * usual one. */
size_t llm_window(const struct llm *l, const char *provider);

#endif
