#ifndef CHAT_INTERACTIVE_H
#define CHAT_INTERACTIVE_H
/* A conversation with the agent, for a person at a terminal or a script on stdin. */
#include <stdbool.h>

struct task;

struct chat {
	const char *socket; /* the control socket */
	const char *name;   /* of the conversation */
	const char *user;
	const char *notice; /* shown first to a person; NULL for none */
	bool inside;        /* the gateway runs in this process and ends with the conversation */
	/* For scripts: */
	const char *text; /* the only message; NULL: messages from stdin */
	bool one;         /* stdin is one message instead of one per line */
};

enum chat_outcome {
	CHAT_DONE,
	CHAT_FAILED,    /* it could not start, or a message was refused */
	CHAT_UNANSWERED /* the answer will arrive later, elsewhere */
};

enum chat_outcome chat_interactive(struct task *t, const struct chat *chat);
enum chat_outcome chat_script(struct task *t, const struct chat *chat);

#endif
