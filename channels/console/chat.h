#ifndef CHANNELS_CONSOLE_CHAT_H
#define CHANNELS_CONSOLE_CHAT_H
/* The chats of a console as their terminals see them: what happened, and what passes. In memory only. */
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

/* A terminal that has not asked again for so long is gone. */
#define CONSOLE_LINGER_MS 3000

enum console_kind { CONSOLE_INPUT, CONSOLE_MESSAGE };

/* Something that happened, in the order of seq. */
struct console_entry {
	struct list link;
	uint64_t seq;
	enum console_kind kind;
	char *text;
	char *id;              /* said: the message's; message: of the words that it answers, NULL if none */
	char *user, *terminal; /* said: by whom, and where; terminal may be NULL */
	int64_t row;           /* message: its outbox row */
	bool repeat;           /* a terminal may have shown it before */
	bool handed;           /* it stood in an answer */
};

struct console_chat {
	struct list link;
	char name[64];
	struct list entries;
	size_t entry_count, entry_bytes;
	uint64_t acked;    /* seq up to which some terminal has shown everything */
	unsigned users;    /* tasks that hold it */
	unsigned watchers; /* terminals that wait for more */
	uint64_t seen_ms;  /* when the last one was answered, or left */
	bool left;         /* it was the latter */
	struct task_cond changed;
	/* What passes: each change gets a number. */
	uint64_t change;
	char *preview, *preview_of;
	bool typing;
	uint64_t typing_until;
};

struct console {
	struct channel *ch;
	struct list chats;
	uint64_t epoch; /* of this start */
	uint64_t seq;   /* of the newest entry */
};

struct console *console_new(struct channel *ch);
void console_free(struct console *c);

/* NULL when no terminal has asked for it lately. */
struct console_chat *console_find(struct console *c, const char *name);
/* Made when there is none; held until it is let go, and then kept for a while. */
struct console_chat *console_hold(struct console *c, const char *name);
void console_release(struct console_chat *chat);

/* Takes what e points to; seq is set. Wakes those who wait. */
struct console_entry *console_add(
    struct console *c, struct console_chat *chat, const struct console_entry *e);
struct console_entry *console_find_row(struct console_chat *chat, int64_t row);
struct console_entry *console_find_input(struct console_chat *chat, const char *id);

/* Is there a terminal, or was there one a moment ago? */
bool console_has_terminal(const struct console_chat *chat);

/* send.c: The way out to terminals. These are channel_ops' split, admit, send, typing and preview. */

/* A terminal takes a text of any length. */
char **console_split(const char *text);
/* Waits until a terminal is there. */
int console_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
/* Sent when a terminal has confirmed that it showed the row. */
int console_send(struct task *t, struct channel *ch, const struct outbound *delivery, char **platform_id,
    struct error *err);
int console_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);
int console_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif
