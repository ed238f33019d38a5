#ifndef CHAT_INTERACTIVE_H
#define CHAT_INTERACTIVE_H
/* A conversation between the agent and a person at a terminal, or a script that writes to stdin. */
#include <stdbool.h>

struct task;

struct chat {
	const char *socket; /* the control socket */
	const char *name;   /* of the conversation */
	const char *user;
	const char *notice; /* said first, if any; a person only is told */
	bool inside;        /* the gateway is in this process, and ends with the conversation */
	/* A script's: */
	const char *text; /* the only message; NULL: those on stdin */
	bool one;         /* stdin is one message, not one a line */
};

enum chat_outcome {
	CHAT_DONE,
	CHAT_FAILED,    /* it could not begin, or a message was refused */
	CHAT_UNANSWERED /* the answer will come, but not here */
};

enum chat_outcome chat_interactive(struct task *t, const struct chat *chat);
enum chat_outcome chat_script(struct task *t, const struct chat *chat);

#endif
