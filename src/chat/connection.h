#ifndef CHAT_CONNECTION_H
#define CHAT_CONNECTION_H
/*
 * The way from a terminal to the gateway, over its control socket. Goes on by itself when the gateway ends
 * and comes back: what is said is said until it is confirmed, and taken once; what has been shown is not
 * shown again.
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
	const char *reply_to; /* the id of what it answers; NULL if nothing of this start */
	bool repeat;          /* another terminal may have shown it before */
};

/* Called in the task of chat_connection_watch; none suspends, any may be NULL. What is handed in is borrowed.
 */
struct chat_handler {
	void (*said)(void *arg, const struct chat_user_message *said);
	void (*message)(void *arg, const struct chat_message *m);
	/* What passes: preview is what is written so far of the answer to reply_to, NULL if nothing. */
	void (*live)(void *arg, bool typing, const char *preview, const char *reply_to);
	/* The gateway has gone, and why, or is there again. */
	void (*connection)(void *arg, bool connected, const char *why);
	void *arg;
};

struct chat_connection {
	const char *socket, *chat, *user; /* borrowed */
	struct chat_handler handler;
	char terminal[24];
	uint64_t said; /* how many messages got an id */
	char *next;
	int64_t row; /* newest one that was shown */
	bool connected, lost;
};

void chat_connection_init(struct chat_connection *l, const char *socket, const char *chat, const char *user);
void chat_connection_clear(struct chat_connection *l);
/* Hands over what happens until it is cancelled. */
void chat_connection_watch(struct task *t, struct chat_connection *l);
/* Once, without waiting: confirms what was shown. */
int chat_connection_confirm(struct task *t, struct chat_connection *l, struct error *err);
/* The number of the next message; its id is chat_connection_id's. */
uint64_t chat_connection_number(struct chat_connection *l);
/* Says it until it is confirmed, however long that takes. -1: refused, or cancelled. */
int chat_connection_say(
    struct task *t, struct chat_connection *l, uint64_t number, const char *text, struct error *err);
/* The number of a message of this terminal; 0: it is none. */
uint64_t chat_connection_number_of(const struct chat_connection *l, const char *id);

#endif
