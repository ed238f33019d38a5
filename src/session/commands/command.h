#ifndef SESSION_COMMANDS_COMMAND_H
#define SESSION_COMMANDS_COMMAND_H
/*
 * Commands from chat (/stop, /new, …): answered without a model, also while a turn runs. A
 * command is one file and one const row; role and arguments are data, checked before it runs.
 */
#include <stdbool.h>
#include <stddef.h>

#include "session/access/access.h"

struct budget_spender;
struct buf;
struct channel_argument;
struct channel_command;
struct message;
struct question_choice;
struct session;
struct sessions;
struct store_usage;
struct task;

/* arguments.c: The arguments of a command, read as its row says. */

#define ARGUMENTS_MAX 6

/* Reads text into values, one for each row of takes: malloc'd, NULL for what is not given; a flag that is
 * given is "". 0, or -1 with out saying in plain text what is wrong. Clear values either way. */
int arguments_read(
    const struct channel_argument *takes, const char *text, char *values[ARGUMENTS_MAX], struct buf *out);
void arguments_clear(char *values[ARGUMENTS_MAX]);
/* Appends them as /help shows them, "[--dry-run] TARGET TEXT", each with a blank before it. */
void arguments_usage(const struct channel_argument *takes, struct buf *out);
/* Appends a line for each, with its help and what it may be. */
void arguments_explain(const struct channel_argument *takes, struct buf *out);

/* What a command sees. */
struct command_call {
	struct sessions *all;
	/* A command that takes it leaves NULL, and then sees to its answer and its end. */
	struct message *asked;
	const char *args;            /* what follows the name, trimmed */
	char *values[ARGUMENTS_MAX]; /* the same, one for each row of takes: NULL where it is not given */
	enum access_role role;
	struct buf *reply; /* what the chat is told; empty = nothing */
};

struct command {
	const char *name;      /* without the slash */
	enum access_role role; /* the least that may give it */
	/* Ends with a row without name; NULL: takes none, and some are an error, or reads by itself what
	 * arguments shows. */
	const struct channel_argument *takes;
	const char *arguments; /* for /help, of one that reads args by itself */
	const char *help;      /* one line */
	void (*run)(struct task *t, struct command_call *call);
};

/* The table, in byte order of name; ends with NULL. */
extern const struct command *const commands[];

/* The rows as a channel shows them; malloc'd. */
struct channel_command *command_menu(void);
/* The row of a name, whatever its case; NULL if there is none. */
const struct command *command_find(const char *name, size_t len);
/* Appends "/name ARGUMENTS". */
void command_usage(const struct command *c, struct buf *out);
/* Is this text a command ("/name…")? */
bool command_is(const char *text);
/* Whoever gives the command, as one who asks a model: what they spend is added to spent. Good as long as the
 * message. */
struct budget_spender command_spender(const struct command_call *call, struct store_usage *spent);
/* Finds, checks and runs the command of the message; the reply says so when there is none or it is not
 * allowed. */
void command_dispatch(struct task *t, struct command_call *call);
/* What /approve and /reject do with their arguments. */
void approval_decision_run(struct task *t, struct command_call *call, const struct question_choice *choice);

#endif
