#ifndef CHAT_SCREEN_H
#define CHAT_SCREEN_H
/*
 * A terminal with an input line at the bottom (libedit) and output above it. The editor runs in the task
 * that calls chat_screen_read; other rows can be printed meanwhile.
 */
#include <stdbool.h>
#include <stddef.h>

#include "chat/input.h"

struct error;
struct task;

struct chat_screen {
	struct chat_input input;
	struct editline *el;
	struct history *history;
	char *history_path;
	const char *prompt;
	bool colour;
	bool editing;      /* the prompt is visible */
	struct buf live;   /* a changing row above the prompt */
	struct task *task; /* in chat_screen_read */
};

int chat_screen_open(struct chat_screen *s, struct error *err);
void chat_screen_close(struct chat_screen *s);
size_t chat_screen_width(const struct chat_screen *s);
/* Prints permanent rows, each with its line end, above the prompt. live is the changing row below them; ""
 * for none. */
void chat_screen_print(struct chat_screen *s, const char *rows, const char *live);
/* Returns the next typed line or pasted text; malloc'd. A backslash at the end continues the line. NULL at
 * the end of the input (Ctrl-D) or when cancelled. */
char *chat_screen_read(struct task *t, struct chat_screen *s);
/* Discards the current input. Returns false when there was none. */
bool chat_screen_drop(struct chat_screen *s);
/* The terminal was resized. */
void chat_screen_resized(struct chat_screen *s);
/* Before Ctrl-Z stops the process, and after it continues. */
void chat_screen_leave(struct chat_screen *s);
void chat_screen_return(struct chat_screen *s);

#endif
