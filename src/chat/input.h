#ifndef CHAT_INPUT_H
#define CHAT_INPUT_H
/* The bytes of a terminal as they come in, read on the loop: characters, and pasted texts kept in one
 * piece. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* The terminal marks a paste when it was asked to ("bracketed paste", xterm's mode 2004). */
#define CHAT_PASTE_ON  "\033[?2004h"
#define CHAT_PASTE_OFF "\033[?2004l"

struct chat_input_handle;
struct task;

struct chat_input {
	struct chat_input_handle *handle;
	int fd;
	struct buf bytes; /* not taken yet */
	bool pasting, ended;
	struct task *reader; /* woken when more has come; the caller's to set */
};

enum chat_key {
	CHAT_KEY_NONE, /* more bytes are needed */
	CHAT_KEY_CHARACTER,
	CHAT_KEY_PASTE, /* or a line end by Alt-Enter */
	CHAT_KEY_END    /* nothing will come any more */
};

int chat_input_open(struct chat_input *in, int fd);
void chat_input_close(struct chat_input *in);
/* What comes next: a character in *cp, or a paste in text, with line ends as \n. Never suspends. */
enum chat_key chat_input_next(struct chat_input *in, uint32_t *cp, struct buf *text);
/* As if it had been typed. */
void chat_input_type(struct chat_input *in, const char *keys);

#endif
