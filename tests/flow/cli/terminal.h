#ifndef TESTS_FLOW_CLI_TERMINAL_H
#define TESTS_FLOW_CLI_TERMINAL_H
/* Runs myna on a real pty and emulates what a person sees: a terminal of 80 columns and 24 rows that
 * understands libedit's xterm output. Keeps rows that scrolled away. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "flow/flow.h"

#define TERMINAL_COLUMNS   80
#define TERMINAL_ROWS      24
#define TERMINAL_ROWS_KEPT 2000

struct terminal {
	struct flow *flow;
	pid_t pid;
	int fd;
	struct buf raw;    /* all received bytes */
	size_t taken;      /* of them, processed; the rest is an incomplete character */
	struct buf escape; /* an incomplete escape sequence */
	uint32_t cells[TERMINAL_ROWS_KEPT][TERMINAL_COLUMNS];
	size_t row, column, rows; /* rows: number of used rows */
	bool insert;              /* insert mode */
	struct buf text;          /* result of terminal_text */
};

/* Starts myna chat with arguments (NULL-terminated). env: one "NAME=VALUE" more, or NULL. */
void terminal_open(struct terminal *term, struct flow *f, const char *env, ...);
/* The same with another command, which is the first argument. */
void terminal_run(struct terminal *term, struct flow *f, const char *env, ...);
void terminal_type(struct terminal *term, const char *keys);
/* Returns all rows, each between line ends and without trailing blanks. Valid until the next call. */
const char *terminal_text(struct terminal *term);
/* Processes available output, waiting a little; returns false once the program has closed the terminal. */
bool terminal_look(struct terminal *term);
/* Waits until the text appears that many times. */
void terminal_await(struct terminal *term, const char *text, size_t times);
size_t terminal_count(struct terminal *term, const char *text);
/* Waits for the program to exit. Returns the exit status or -signal. */
int terminal_end(struct terminal *term);

/* Runs myna chat with input on stdin. Returns the exit status; out and err are freed by the caller. */
int terminal_pipe(struct flow *f, const char *input, char **out, char **err, ...);

#endif
