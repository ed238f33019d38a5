#ifndef SESSION_COMMANDS_COMMIT_H
#define SESSION_COMMANDS_COMMIT_H
/* Commands that change the store: the change, the answer and the end of the message are one commit. Private
 * to sessions. */
#include <stddef.h>
#include <stdint.h>

struct command_call;
struct error;
struct outbound;
struct task;

struct command_change {
	/* Commits the end of the inbound message with the rows that answer it, and what the command does. */
	int (*commit)(struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count,
	    struct error *err);
	void *arg;
};

/* Answers with the text (Markdown), however long the store fails. 0: done, and call->asked is NULL. -1: it
 * was refused and nothing happened, or the process stops, and the command is given again at the next start;
 * err says which. */
int command_commit(struct task *t, struct command_call *call, const char *text,
    const struct command_change *effect, struct error *err);

#endif
