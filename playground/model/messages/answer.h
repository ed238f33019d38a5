#ifndef PLAYGROUND_MODEL_MESSAGES_ANSWER_H
#define PLAYGROUND_MODEL_MESSAGES_ANSWER_H
/* Writes an answer as Anthropic's Messages, complete or streamed. */
struct exchange;
struct model_answer;
struct task;

void messages_answer_whole(struct exchange *ex, const struct model_answer *a);
/* Suspends between the chunks. */
void messages_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a);

#endif
