#ifndef PLAYGROUND_MODEL_CHAT_H
#define PLAYGROUND_MODEL_CHAT_H
/* POST /v1/chat/completions, as OpenAI's API has it in 2026. */
struct exchange;
struct model;
struct task;

void chat_serve(struct task *t, struct model *m, struct exchange *ex);

#endif
