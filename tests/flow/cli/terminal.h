#ifndef TESTS_FLOW_CLI_TERMINAL_H
#define TESTS_FLOW_CLI_TERMINAL_H
/*
 * myna chat at a real pty, and what a person would see: a terminal of 80 columns and 24 rows that understands
 * what libedit sends to an xterm. Rows that scrolled away are kept.
 */
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
	struct buf raw;    /* every byte that came */
	size_t taken;      /* of them; the rest is a character that is not complete */
	struct buf escape; /* of a sequence that is not complete */
	uint32_t cells[TERMINAL_ROWS_KEPT][TERMINAL_COLUMNS];
	size_t row, column, rows; /* rows: how many were touched */
	bool insert;              /* characters push the others away */
	struct buf text;          /* terminal_text's */
};

/* Starts myna chat with arguments (NULL-terminated). env: one "NAME=VALUE" more, or NULL. */
void terminal_open(struct terminal *term, struct flow *f, const char *env, ...);
void terminal_type(struct terminal *term, const char *keys);
/* All that stands on the screen and above it, a line end before and after each row, which has no blanks at
 * its end. Good until the next call. */
const char *terminal_text(struct terminal *term);
/* Takes what has come, and waits a little for more; false once the program has closed the terminal. */
bool terminal_look(struct terminal *term);
/* Waits until the text is there so often. */
void terminal_await(struct terminal *term, const char *text, size_t times);
size_t terminal_count(struct terminal *term, const char *text);
/* Waits for the program's end: its exit status, or -signal. */
int terminal_end(struct terminal *term);

/* myna chat with the input at its stdin: the exit status. out and err get what it said, malloc'd. */
int terminal_pipe(struct flow *f, const char *input, char **out, char **err, ...);

#endif
