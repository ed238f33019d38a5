#ifndef CHAT_INPUT_H
#define CHAT_INPUT_H
/* Input from a terminal on the loop: characters, and pastes as a whole. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* Bracketed paste, xterm's mode 2004. */
#define CHAT_PASTE_ON  "\033[?2004h"
#define CHAT_PASTE_OFF "\033[?2004l"

struct chat_input_handle;
struct task;

struct chat_input {
	struct chat_input_handle *handle;
	int fd;
	struct buf bytes; /* not yet taken */
	bool pasting, ended;
	struct task *reader; /* woken on input; set by the caller */
};

enum chat_key {
	CHAT_KEY_NONE, /* needs more bytes */
	CHAT_KEY_CHARACTER,
	CHAT_KEY_PASTE, /* or a line end by Alt-Enter */
	CHAT_KEY_END    /* end of input */
};

int chat_input_open(struct chat_input *in, int fd);
void chat_input_close(struct chat_input *in);
/* Returns the next key: a character in *cp, or a paste in text with \n as line ends. Never suspends. */
enum chat_key chat_input_next(struct chat_input *in, uint32_t *cp, struct buf *text);
/* Inserts keys as if typed. */
void chat_input_type(struct chat_input *in, const char *keys);

#endif
