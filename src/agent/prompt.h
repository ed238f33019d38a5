#ifndef AGENT_PROMPT_H
#define AGENT_PROMPT_H
/* What the model is told besides the conversation. */
#include <stddef.h>

/* Of the context of one turn, in characters. */
#define PROMPT_CONTEXT_MAX 8000

struct agent;
struct buf;
struct error;
struct message;
struct prompt_files;
struct task;
struct turn;

/* The system prompt: what is the same for all chats, then what is of this one, so that a provider's prompt
 * cache holds. The time stands in messages only. */
void prompt_system(
    struct buf *out, const struct agent *a, const struct turn *turn, const struct prompt_files *files);
/* The same for who wants to see it: as it would be now, with the names of the tools that are offered, and
 * what is left out and why. */
int prompt_show(
    struct task *t, const struct agent *a, const struct turn *turn, struct buf *out, struct error *err);
/* A person's message as the model reads it: a line that says when, who and what it answers, then the text. */
void prompt_user(struct buf *out, const struct message *m);
/* What the same person wrote in the same breath. */
void prompt_user_more(struct buf *out, const struct message *m);
/* What the person wrote, in what the functions here made of it: points into text. */
const char *prompt_user_text(const char *text);
/* What else was said in the chat, as data that begins each line with ">": the newest messages that fit. */
void prompt_context(struct buf *out, struct message *const *said, size_t count);

#endif
