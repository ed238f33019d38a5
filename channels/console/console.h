#ifndef CHANNELS_CONSOLE_CONSOLE_H
#define CHANNELS_CONSOLE_CONSOLE_H
/*
 * Terminals as a channel. `myna chat` sends and polls through the control socket; its mode 0600 proves that
 * the peer is the operator. An answer counts as sent when a terminal has confirmed it. Until a terminal
 * connects it waits in the outbox. Stop the channel only when no terminal's call is running.
 */
#include <stdint.h>

struct channel;
struct channel_ops;
struct error;
struct json_object;
struct task;

extern const struct channel_ops console_ops;

/* Input from a terminal. */
struct console_input {
	const char *chat; /* name of the chat */
	const char *text;
	const char *id;   /* message id, chosen by the terminal: a repeat with the same id is stored once */
	const char *user; /* login name; NULL: the chat's name */
	const char *terminal; /* id of the sending terminal, to recognise its own input; may be NULL */
};

/* Suspends. Returns 0 when the message is committed. On ERROR_OURS the input is invalid; after other
 * errors the terminal may repeat it. */
int console_receive(struct task *t, struct channel *ch, const struct console_input *input, struct error *err);

/* A terminal's position in the chat, and how long it waits for events. */
struct console_poll {
	const char *chat;
	/* "next" of the previous response; it also confirms that its events were shown. NULL or "": a new
	 * terminal, which starts with everything that no terminal has shown and gets a response at once. */
	const char *after;
	uint64_t wait_ms;
};

/*
 * Suspends until there is something new. The caller owns the result. Returns NULL with err set for a bad name
 * or when cancelled.
 *   {"next", "events": [{"kind": "said", "text", "user", "id", "terminal"?} |
 *                       {"kind": "message", "text", "row", "reply_to"?, "repeat"?}],
 *    "typing", "preview"?: {"text", "reply_to"?}}
 * reply_to is the id of the input that it answers; repeat: a terminal may have shown this row before.
 */
struct json_object *console_poll(
    struct task *t, struct channel *ch, const struct console_poll *poll, struct error *err);

#endif
