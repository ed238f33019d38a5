#ifndef SESSION_COMMANDS_COMMAND_H
#define SESSION_COMMANDS_COMMAND_H
/*
 * Chat commands (/stop, /new, …): answered without a model, also while a turn runs. A command is one
 * file and one const row; its role and arguments are data that the dispatcher checks before it runs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "session/access/access.h"

struct budget_spender;
struct buf;
struct channel_argument;
struct channel_command;
struct error;
struct message;
struct outbound;
struct question_choice;
struct session;
struct sessions;
struct store_usage;
struct task;

/* arguments.c: parses the arguments of a command as its row declares them. */

#define ARGUMENTS_MAX 6

/* Parses text into values, one for each row of takes: malloc'd, NULL when absent, "" for a flag that is set.
 * On an error returns -1 and appends a plain-text explanation to out. Clear values either way. */
int arguments_read(
    const struct channel_argument *takes, const char *text, char *values[ARGUMENTS_MAX], struct buf *out);
void arguments_clear(char *values[ARGUMENTS_MAX]);
/* Returns the length of the word at the start of text; a mention of a person is one. */
size_t arguments_word(const char *text);
/* Appends them as /help shows them, "[--dry-run] TARGET TEXT", each after a blank. */
void arguments_usage(const struct channel_argument *takes, struct buf *out);
/* Appends a line for each argument, with its help and its allowed values. */
void arguments_explain(const struct channel_argument *takes, struct buf *out);

/* Says why somebody of the role may not run a command that needs another one. */
void command_explain_role(const char *name, enum access_role need, enum access_role role, struct buf *out);

/* The context of one command. */
struct command_call {
	struct sessions *all;
	/* A command that takes it leaves NULL, and is then responsible for its answer and its end. */
	struct message *asked;
	const char *args;            /* the text after the name, trimmed */
	char *values[ARGUMENTS_MAX]; /* parsed, one for each row of takes; NULL: absent */
	enum access_role role;
	/* On the whole channel, whatever a group says; set by command_dispatch(). */
	enum access_role channel_role;
	struct buf *reply; /* sent to the chat; empty = nothing */
};

struct command {
	const char *name;      /* without the slash */
	enum access_role role; /* the minimum to run it */
	bool channel_wide;     /* reaches beyond the chat: admins of one group alone may not */
	/* Ends with a row without name. NULL: the command takes no arguments, or parses args itself as
	 * `arguments` shows. */
	const struct channel_argument *takes;
	const char *arguments; /* shown by /help when the command parses args itself */
	const char *help;      /* one line */
	bool ignores_words;    /* takes no arguments, and ignores words after its name: "/stop please" */
	void (*run)(struct task *t, struct command_call *call);
};

/* All commands, sorted by name in byte order; ends with NULL. */
extern const struct command *const commands[];

/* Returns the commands for a channel's menu; malloc'd. */
struct channel_command *command_menu(void);
/* Finds a command by name, ignoring case; NULL if there is none. */
const struct command *command_find(const char *name, size_t len);
/* Appends "/name ARGUMENTS". */
void command_usage(const struct command *c, struct buf *out);
/* Returns whether this text is a command ("/name…"). */
bool command_is(const char *text);
/* Returns whether it is /stop, which is never refused. */
bool command_is_stop(const char *text);
/* Returns the sender as a spender of model requests; usage is added to spent. Valid as long as the
 * message. */
struct budget_spender command_spender(const struct command_call *call, struct store_usage *spent);
/* Finds, checks and runs the command of the message. An unknown or forbidden command gets a reply that says
 * so. */
void command_dispatch(struct task *t, struct command_call *call);
/* Runs /approve and /reject. */
void approval_decision_run(struct task *t, struct command_call *call, const struct question_choice *choice);

/* Commands that change the store: the change, the answer and the end of the message are one commit. */

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
