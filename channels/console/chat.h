#ifndef CHANNELS_CONSOLE_CHAT_H
#define CHANNELS_CONSOLE_CHAT_H
/* The chats of a console channel: messages, typing and previews for its terminals. In memory only. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "base/task_cond.h"

struct address;
struct channel;
struct error;
struct outbound;
struct preview;
struct task;

/* A terminal is gone when it has not polled for this long. */
#define CONSOLE_LINGER_MS 3000

enum console_kind { CONSOLE_INPUT, CONSOLE_MESSAGE };

/* An event of a chat, ordered by seq. */
struct console_entry {
	struct list link;
	uint64_t seq;
	enum console_kind kind;
	char *text;
	char *id; /* CONSOLE_INPUT: id of the message; CONSOLE_MESSAGE: id of the input it answers, or NULL */
	char *user, *terminal; /* CONSOLE_INPUT: sender and terminal; terminal may be NULL */
	const char *about;     /* CONSOLE_MESSAGE: what it is, if it is no answer: see about_of; or NULL */
	int64_t row;           /* CONSOLE_MESSAGE: id in the outbox */
	bool repeat;           /* a terminal may have shown it before */
	bool polled;           /* it was part of a poll response */
};

struct console_chat {
	struct list link;
	char name[64];
	struct list entries;
	size_t entry_count, entry_bytes;
	uint64_t acked;     /* seq up to which some terminal has shown everything */
	unsigned users;     /* tasks that hold it */
	unsigned watchers;  /* terminals that wait for more */
	uint64_t seen_ms;   /* when a poll last ended */
	bool terminal_left; /* it ended because its terminal disconnected */
	struct task_cond changed;
	/* Transient state; each change gets a number. */
	uint64_t change;
	char *preview, *preview_of;
	bool typing;
	uint64_t typing_until;
};

struct console {
	struct channel *ch;
	struct list chats;
	uint64_t epoch; /* changes at each start */
	uint64_t seq;   /* of the newest entry */
};

struct console *console_new(struct channel *ch);
void console_free(struct console *c);

/* Returns NULL when no terminal has polled the chat lately. */
struct console_chat *console_find(struct console *c, const char *name);
/* Returns the chat, new if necessary. console_release lets go of it; it then stays for a while. */
struct console_chat *console_hold(struct console *c, const char *name);
void console_release(struct console_chat *chat);

/* Takes what e points to, sets seq and wakes the waiting tasks. */
struct console_entry *console_add(
    struct console *c, struct console_chat *chat, const struct console_entry *e);
struct console_entry *console_find_row(struct console_chat *chat, int64_t row);
struct console_entry *console_find_input(struct console_chat *chat, const char *id);

/* Is a terminal connected, or was one within CONSOLE_LINGER_MS? */
bool console_has_terminal(const struct console_chat *chat);

/* send.c: Sends to terminals. Implements channel_ops' split, admit, send, typing and preview. */

/* A terminal takes a text of any length. */
char **console_split(const char *text);
/* Waits for a terminal. */
int console_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
/* Returns when a terminal has confirmed that it showed the row. */
int console_send(struct task *t, struct channel *ch, const struct outbound *delivery, char **platform_id,
    struct error *err);
int console_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);
int console_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif
