#ifndef CHAT_CONNECTION_H
#define CHAT_CONNECTION_H
/*
 * The connection from a terminal to the gateway's control socket. Reconnects when the gateway restarts:
 * a message is repeated until confirmed, and accepted once; a shown message is not shown again.
 */
#include <stdbool.h>
#include <stdint.h>

struct error;
struct task;

struct chat_user_message {
	const char *text, *user; /* by another terminal of the chat */
};

struct chat_message {
	const char *text;
	const char *reply_to; /* id of the message it answers; NULL if none of this session */
	/* What it is, if it is no answer: "approval", "question", "waits", "failed" or "notice"; or NULL. */
	const char *about;
	bool repeat; /* another terminal may have shown it already */
};

/* Callbacks in the task of chat_connection_watch; they never suspend and may be NULL. Arguments are
 * borrowed. */
struct chat_handler {
	void (*user_message)(void *arg, const struct chat_user_message *m);
	void (*message)(void *arg, const struct chat_message *m);
	/* Transient state: preview is the answer to reply_to so far, NULL if none. */
	void (*live)(void *arg, bool typing, const char *preview, const char *reply_to);
	/* The connection was lost, with the reason, or restored. */
	void (*connection)(void *arg, bool connected, const char *why);
	void *arg;
};

struct chat_connection {
	const char *socket, *chat, *user; /* borrowed */
	struct chat_handler handler;
	char terminal[24];
	uint64_t message_count; /* number of messages with an id */
	char *next;
	int64_t row; /* newest message shown */
	bool lost;
};

void chat_connection_init(struct chat_connection *l, const char *socket, const char *chat, const char *user);
void chat_connection_clear(struct chat_connection *l);
/* Delivers events until it is cancelled. */
void chat_connection_watch(struct task *t, struct chat_connection *l);
/* Tries once to confirm the shown messages. */
int chat_connection_confirm(struct task *t, struct chat_connection *l, struct error *err);
/* Returns the number of the next message, which determines its id. */
uint64_t chat_connection_number(struct chat_connection *l);
/* Repeats the message until it is confirmed, without a time limit. Returns -1 when refused or cancelled. */
int chat_connection_say(
    struct task *t, struct chat_connection *l, uint64_t number, const char *text, struct error *err);
/* Returns the number of this terminal's message with that id; 0 for another's. */
uint64_t chat_connection_number_of(const struct chat_connection *l, const char *id);

#endif
