#ifndef CHAT_SCREEN_H
#define CHAT_SCREEN_H
/*
 * A terminal with a line to type in at its foot (libedit), and what is said above it. The editor runs in the
 * task of the caller of chat_screen_read, so that it waits for keys like everything else waits, and rows can
 * be printed meanwhile.
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
	bool editing;      /* the prompt is on the screen */
	struct buf live;   /* a row above the prompt that changes */
	struct task *task; /* in chat_screen_read */
};

int chat_screen_open(struct chat_screen *s, struct error *err);
void chat_screen_close(struct chat_screen *s);
size_t chat_screen_width(const struct chat_screen *s);
/* Rows that stay, each with its line end, above the prompt. live is the row below them; "" for none. */
void chat_screen_print(struct chat_screen *s, const char *rows, const char *live);
/* The next line that a person types, or a pasted text; malloc'd. A backslash at its end joins the next line
 * to it. NULL: the end of the input (Ctrl-D), or cancelled. */
char *chat_screen_read(struct task *t, struct chat_screen *s);
/* What has been typed so far is dropped. False: there was nothing. */
bool chat_screen_drop(struct chat_screen *s);
/* The terminal has another size. */
void chat_screen_resized(struct chat_screen *s);
/* The process is about to be stopped by Ctrl-Z, or goes on. */
void chat_screen_leave(struct chat_screen *s);
void chat_screen_return(struct chat_screen *s);

#endif
