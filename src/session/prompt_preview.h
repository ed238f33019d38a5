#ifndef SESSION_PROMPT_PREVIEW_H
#define SESSION_PROMPT_PREVIEW_H
/* Previews of the system prompt of a chat. */
struct address;
struct buf;
struct error;
struct message;
struct sessions;
struct task;

/* Appends the system prompt of a turn that would answer this message, and the tools it would offer. */
int prompt_preview_message(
    struct task *t, struct sessions *all, const struct message *asked, struct buf *out, struct error *err);
/* The same for the newest message of a chat. ERROR_REFUSED: there is none. */
int prompt_preview_chat(
    struct task *t, struct sessions *all, const struct address *where, struct buf *out, struct error *err);

#endif
