#ifndef LLM_TOKENS_H
#define LLM_TOKENS_H
/* Estimates token counts without the model's tokenizer, rather too high than too low. */
#include <stddef.h>

struct llm;
struct llm_message;
struct llm_request;
struct llm_tool;

/* Counts a token per 3.5 bytes of ASCII, and per 2 bytes of anything else. */
size_t llm_text_tokens(const char *text);
/* Counts the message as it is sent: a provider's raw message, if any, is larger. */
size_t llm_message_tokens(struct llm_message *m);
/* Counts the tokens and bytes of a tool whose texts do not change from then on, and gives it an id that no
 * other has. On the loop's thread. */
void llm_tool_count(struct llm_tool *tool);
/* Counts the system prompt and the tools of a request. */
size_t llm_prompt_tokens(const struct llm_request *req);
/* Counts all input of a request. */
size_t llm_request_tokens(const struct llm_request *req);
/* Returns the context window, in tokens, of the provider of that name, else of the default; a typical one
 * where none is configured. */
size_t llm_window(const struct llm *l, const char *provider);

#endif
