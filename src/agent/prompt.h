#ifndef AGENT_PROMPT_H
#define AGENT_PROMPT_H
/* What the model is told besides the conversation. */
struct agent;
struct buf;
struct message;
struct turn;

/* The system prompt: the same for every turn of a chat, so that a provider's prompt cache holds. */
void prompt_system(struct buf *out, const struct agent *a, const struct turn *turn);
/* A person's message as the model reads it: a line that says when, who and what it answers, then the text. */
void prompt_user(struct buf *out, const struct message *m);

#endif
