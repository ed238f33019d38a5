#ifndef PLAYGROUND_MODEL_RESPONSES_ANSWER_H
#define PLAYGROUND_MODEL_RESPONSES_ANSWER_H
/* Writes an answer as OpenAI's Responses, complete or streamed. */
struct exchange;
struct model_answer;
struct task;

void responses_answer_whole(struct exchange *ex, const struct model_answer *a);
/* Suspends between the chunks. */
void responses_answer_stream(struct task *t, struct exchange *ex, const struct model_answer *a);

#endif
