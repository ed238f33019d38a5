#ifndef AGENT_PROMPT_H
#define AGENT_PROMPT_H
/* Builds the system prompt and the texts of user messages. */
#include <stdbool.h>
#include <stddef.h>

/* Limit of a turn's context, in characters. */
#define PROMPT_CONTEXT_MAX 8000

struct agent;
struct buf;
struct error;
struct message;
struct prompt_files;
struct task;
struct turn;

/* Appends the system prompt: first what all chats share, then what is specific to this one, so that a
 * provider's prompt cache works. Only messages contain the time. */
void prompt_system(
    struct buf *out, const struct agent *a, const struct turn *turn, const struct prompt_files *files);
/* Appends the prompt for display: as it would be now, with the names of the offered tools, and what was
 * left out and why. */
int prompt_show(
    struct task *t, const struct agent *a, const struct turn *turn, struct buf *out, struct error *err);
/* Appends a person's message as the model reads it: a header line (when, who, in reply to what), then the
 * text. A guest is called so: names are free to choose, also those of others. */
void prompt_user(struct buf *out, const struct message *m, bool guest);
/* Appends a further message of the same person, sent right after. */
void prompt_user_more(struct buf *out, const struct message *m);
/* Returns the person's own text within the output of these functions: points into text. */
const char *prompt_user_text(const char *text);
/* Appends the context messages as quoted data: the newest that fit. */
void prompt_context(struct buf *out, struct message *const *context, size_t count);

#endif
