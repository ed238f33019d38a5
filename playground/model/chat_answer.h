#ifndef PLAYGROUND_MODEL_CHAT_ANSWER_H
#define PLAYGROUND_MODEL_CHAT_ANSWER_H
/* Writing an answer of the script in the form of chat completions, whole or streamed. */
#include <stdbool.h>
#include <stddef.h>

struct exchange;
struct script_answer;
struct task;

struct chat_answer {
	const char *model; /* as it was asked for */
	const struct script_answer *script;
	bool include_usage; /* a last chunk with usage */
	bool instant;
	size_t prompt_tokens, max_tokens; /* max_tokens 0: not limited */
};

void chat_answer_whole(struct exchange *ex, const struct chat_answer *a);
/* Suspends between the pieces. */
void chat_answer_stream(struct task *t, struct exchange *ex, const struct chat_answer *a);

#endif
