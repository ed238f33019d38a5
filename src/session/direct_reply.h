#ifndef SESSION_DIRECT_REPLY_H
#define SESSION_DIRECT_REPLY_H
/*
 * Messages that are handled without a turn, each by a task of its own: commands, and what is
 * not answered. Their end is committed however long the store fails; the message stays pending
 * when the process stops before, and is sorted again at the next start. Private to sessions.
 */
#include "session/access/access.h"

struct error;
struct message;
struct outbound;
struct pending;
struct sessions;
struct task;

/* Runs the command, and commits its answer together with the message's end. Takes the message. */
void direct_reply_command(struct sessions *all, struct message *m, enum access_role role);
/* Says who we are, in the chat that the message says we joined. Takes the message. */
void direct_reply_greeting(struct sessions *all, struct message *m);
/* Commits that a chat has another id; the sessions know it at once. Takes the message. */
void direct_reply_chat_moved(struct sessions *all, struct message *m);
/* The rows of the answer to a message that needed no turn, as these functions commit them: for a command
 * whose effect stands in the same commit. */
struct outbound **direct_reply_outbound(
    const struct sessions *all, const struct message *m, const char *reply, size_t *count, struct error *err);
/* Commits that the message and its edits are done with, unanswered; why is a literal, for the trace. Takes
 * p. */
void direct_reply_none(struct sessions *all, struct pending *p, const char *why);
/* The same in this task, with an answer ("": none), however long the store fails. Takes m. */
void direct_reply_now(
    struct task *t, struct sessions *all, struct message *m, const char *why, const char *reply);
/* The same, with an answer; reply is a literal. */
void direct_reply_refusal(struct sessions *all, struct pending *p, const char *why, const char *reply);

#endif
