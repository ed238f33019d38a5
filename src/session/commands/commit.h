#ifndef SESSION_COMMANDS_COMMIT_H
#define SESSION_COMMANDS_COMMIT_H
/* Commands that change the store: the change, the answer and the end of the message are one commit. */
#include <stddef.h>
#include <stdint.h>

struct command_call;
struct error;
struct outbound;
struct task;

struct command_change {
	/* Commits the change together with the end of the inbound message and the answer's rows. */
	int (*commit)(struct task *t, void *arg, int64_t inbound, struct outbound *const *rows, size_t count,
	    struct error *err);
	void *arg;
};

/* Answers with the text (Markdown), retrying while the store fails. 0: committed, and call->asked is NULL.
 * -1: refused without any change, or the process stops and the next start runs the command again; err says
 * which. */
int command_commit(struct task *t, struct command_call *call, const char *text,
    const struct command_change *effect, struct error *err);

#endif
