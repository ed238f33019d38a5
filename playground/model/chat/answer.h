#ifndef PLAYGROUND_MODEL_CHAT_ANSWER_H
#define PLAYGROUND_MODEL_CHAT_ANSWER_H
/* Writes an answer as Chat Completions, complete or streamed. */
struct exchange;
struct model_answer;
struct task;

void chat_answer_whole(struct exchange *ex, const struct model_answer *a);
/* Suspends between the chunks. */
void chat_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a);

#endif
