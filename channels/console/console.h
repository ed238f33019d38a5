#ifndef CHANNELS_CONSOLE_CONSOLE_H
#define CHANNELS_CONSOLE_CONSOLE_H
/*
 * Terminals as a channel: `myna chat` writes and reads through the control socket, whose mode 0600 says that
 * it is the operator. An answer counts as sent when a terminal has confirmed it; until one comes it waits in
 * the outbox. The channel is stopped when no call of a terminal is under way.
 */
#include <stdint.h>

struct channel;
struct channel_ops;
struct error;
struct json_object;
struct task;

extern const struct channel_ops console_ops;

/* What a terminal says. */
struct console_input {
	const char *chat; /* whose conversation */
	const char *text;
	const char *id;       /* of the message, the terminal's: said again after a doubt, it is taken once */
	const char *user;     /* login name; NULL: the chat's name */
	const char *terminal; /* which one says it, so that it knows its own words; may be NULL */
};

/* 0: the message is ours. ERROR_OURS: it is not one; else it may be said again. */
int console_receive(struct task *t, struct channel *ch, const struct console_input *words, struct error *err);

/* Where a terminal stands, and how long it waits for more. */
struct console_poll {
	const char *chat;
	/* "next" of the answer before, which says that what was in it has been shown. NULL or "": a new
	 * terminal, which begins with what no terminal has shown and is answered at once. */
	const char *after;
	uint64_t wait_ms;
};

/* What is new in a chat, as soon as there is something; to be put. NULL with err set: a bad name, or
 * cancelled.
 *   {"next", "events": [{"kind": "said", "text", "user", "id", "terminal"?} |
 *                       {"kind": "message", "text", "row", "reply_to"?, "repeat"?}],
 *    "typing", "preview"?: {"text", "reply_to"?}}
 * reply_to is the id of the words that it answers; repeat: a terminal may have shown this row before. */
struct json_object *console_poll(
    struct task *t, struct channel *ch, const struct console_poll *watch, struct error *err);

#endif
