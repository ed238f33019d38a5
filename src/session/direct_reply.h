#ifndef SESSION_DIRECT_REPLY_H
#define SESSION_DIRECT_REPLY_H
/*
 * Messages handled without a turn, each in its own task: commands, and messages that get no answer. The
 * task retries while the store fails. If the process stops first, the message stays pending and the
 * next start classifies it again.
 */
#include <stdint.h>

#include "session/access/access.h"

struct address;
struct buf;
struct error;
struct message;
struct outbound;
struct pending;
struct sessions;
struct task;

/* Runs the command, and commits its answer together with the message's end. Takes the message. */
void direct_reply_command(struct sessions *all, struct message *m, enum access_role role);
/* Introduces the bot in the group that it joined, or in the private chat that a person opened. Takes the
 * message. */
void direct_reply_greeting(struct sessions *all, struct message *m);
/* Appends what the bot is, for a person who may talk to it, with examples (Markdown). */
void direct_reply_welcome(const struct sessions *all, struct buf *out);
/* Like store_session_welcome, with that text if the chat of m is private and its platform has no /start. */
int direct_reply_open_session(struct task *t, const struct sessions *all, const struct message *m,
    int64_t inbound, int64_t *session, struct error *err);
/* Commits that a chat has a new id; the sessions follow at once. Takes the message. */
void direct_reply_chat_moved(struct sessions *all, struct message *m);
/* Returns the rows that answer a message without a turn, as these functions commit them; for a command that
 * commits its change together with its answer. */
struct outbound **direct_reply_outbound(
    const struct sessions *all, const struct message *m, const char *reply, size_t *count, struct error *err);
/* Commits the end of the message and its edits without an answer; why is a literal, for the trace. Takes
 * p. */
void direct_reply_none(struct sessions *all, struct pending *p, const char *why);
/* Commits the end of m with an answer ("": none) in this task, retrying while the store fails. Takes m. */
void direct_reply_now(
    struct task *t, struct sessions *all, struct message *m, const char *why, const char *reply);
/* As direct_reply_none, with an answer; reply is a literal. */
void direct_reply_refusal(struct sessions *all, struct pending *p, const char *why, const char *reply);

#endif
