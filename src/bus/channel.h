#ifndef BUS_CHANNEL_H
#define BUS_CHANNEL_H
/*
 * The seam between the core and a platform. Down: struct channel_ops, what the core asks of an adapter, one
 * const row of channels/channels.c. Up: channel_received and the others below: what it tells the core.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "bus/message.h"
#include "bus/preview.h"

struct buf;
struct bus;
struct channel;
struct channel_command;
struct config_section;
struct error;
struct journal_cursor;
struct task;

enum channel_cap {
	CHANNEL_TYPING = 1,
	CHANNEL_BUTTONS = 2, /* shows buttons, and hands up presses; without it deliveries have none */
	CHANNEL_FILES = 4    /* sends deliveries that have a file */
};

enum channel_status {
	CHANNEL_STARTING,
	CHANNEL_READY,    /* receives and sends */
	CHANNEL_DEGRADED, /* tries again by itself: network down, another poller */
	CHANNEL_STOPPED   /* needs a person: token refused */
};

/* What an ambiguous send is followed by: config `uncertain`. */
enum channel_uncertain { CHANNEL_UNCERTAIN_DEFAULT, CHANNEL_UNCERTAIN_REPEAT, CHANNEL_UNCERTAIN_HOLD };

/* What became of a send that was cut off: see channel_ops.reconcile. */
enum channel_reconciled {
	CHANNEL_RECONCILED_UNKNOWN,   /* no way to find out */
	CHANNEL_RECONCILED_SENT,      /* it is there */
	CHANNEL_RECONCILED_NOT_SENT,  /* it is surely not there */
	CHANNEL_RECONCILED_REPEATABLE /* it may be there, but sent again now it is shown once (a nonce) */
};

enum channel_question_kind {
	CHANNEL_ASK_SECRET, /* goes to a file of its own */
	CHANNEL_ASK_PEOPLE, /* ids, with commas between them: they are let in, and are admins */
	CHANNEL_ASK_URL     /* of another server than the platform's own: an option, which is not asked */
};

/* What `myna init` has to know of an account of the platform. */
struct channel_question {
	const char *option; /* "token" makes the option --TYPE-token */
	enum channel_question_kind kind;
	const char *key; /* of the section, where the answer goes; not for CHANNEL_ASK_PEOPLE */
	const char
	    *text; /* of the question, with the place where the answer is found; not for CHANNEL_ASK_URL */
	int (*check)(const char *answer, struct error *err); /* of a secret: does it look like one? */
};

struct channel_ops {
	const char *type;                     /* "telegram" */
	unsigned caps;                        /* enum channel_cap */
	const struct config_section *section; /* the adapter's own settings */
	size_t settings_size;
	const struct channel_question *setup; /* ends with a row without option; NULL: nothing is asked */
	/* May an ambiguous reply be sent once more, marked? (Where the platform offers no way to find
	 * out.) */
	bool repeat_uncertain_replies;
	const char
	    *stop_reaction; /* the emoji that stops a turn unless the config names one; NULL: none does */
	const char
	    *abilities; /* for a model: what becomes of what it writes; sentences, NULL: nothing is known */
	const char
	    *person_chat; /* before a person's id it makes the id of their private chat; NULL: nothing does */

	/* What the rows of the section cannot say: the shape of a token, a base URL that may be used. The
	 * sentence begins with the key. For the config check, and called by start too. May be NULL. */
	int (*check)(const void *settings, struct error *err);
	/* Asks the platform whether it accepts these settings, without connecting: found gets who we are
	 * there, err what to do. May be NULL. */
	int (*probe)(struct task *t, const void *settings, struct buf *found, struct error *err);
	/* Starts the adapter's tasks; settings stay valid until stop has returned. Never suspends. */
	int (*start)(struct channel *ch, const void *settings, struct error *err);
	void (*stop)(
	    struct task *t, struct channel *ch); /* ends them: no call up is made after it has returned */
	void (*admins_changed)(
	    struct channel *ch); /* ch->admins is another list. Never suspends. May be NULL */
	/* Cuts text into platform messages: appends each part (malloc'd) to a NULL-terminated array. Pure:
	 * the same text gives the same parts. Returns the array, at least one part. */
	char **(*split)(const char *text);
	/* Waits for the delivery's share of the chat's rate budget; called before it is committed as sending,
	 * so that a crash while it waits leaves no doubt. May be NULL. -1: cancelled. */
	int (*admit)(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
	/* Sends one delivery, which is committed as sending already. One with edit_of replaces that message,
	 * which may be repeated without harm: such a failure is never uncertain, and one that is refused is
	 * sent as a new message. One with a file (CHANNEL_FILES) is an upload, its text the caption.
	 *
	 * 0: the platform has it, and *platform_id is its id there, malloc'd. -1: err->kind says what
	 * follows. NETWORK: it was not sent, and is tried again. LIMITED: the same, after retry_ms. REFUSED
	 * and OURS: never again. CANCELLED: it stays queued. With err->uncertain it may have been sent all
	 * the same. The caller frees *platform_id, NULL before, either way. */
	int (*send)(struct task *t, struct channel *ch, const struct outbound *delivery, char **platform_id,
	    struct error *err);
	/* Finds out what became of a delivery that was cut off while it was sent, by a crash or a lost
	 * answer. Asked when it could be sent again, which follows at once where the answer is NOT_SENT or
	 * REPEATABLE; what is REPEATABLE stays in doubt until a send of it is answered. One of enum
	 * channel_reconciled; SENT gives the platform's id, malloc'd. -1 with NETWORK or LIMITED: asked again
	 * later; with another kind it is UNKNOWN, and then repeated or held, as repeat_uncertain_replies and
	 * the config say. May be NULL: never known. */
	int (*reconcile)(struct task *t, struct channel *ch, const struct outbound *delivery, char **id,
	    struct error *err);
	/* Downloads a file, once. Refused before a byte is loaded when it is larger than sink->most or than
	 * bots may load; NETWORK and LIMITED may work later. Errors name neither URL nor ref. NULL: no files
	 * come in here. */
	int (*fetch)(struct task *t, struct channel *ch, const struct attachment *a,
	    const struct attachment_sink *sink, struct error *err);
	int64_t file_max;   /* bytes of a delivery's file; 0: any */
	size_t caption_max; /* of its text, in UTF-16 units: a longer one goes as messages after it */
	/* Shows "typing" for some seconds; best effort, dropped when the budget is short. -1: do not ask
	 * again. */
	int (*typing)(struct task *t, struct channel *ch, const struct address *where, struct error *err);
	/* Shows what is written so far, or does nothing when it is too early or the budget is short. Called
	 * again, at the earliest after the returned number of ms, when there is more, and every
	 * BUS_PREVIEW_REFRESH_MS. -1: not for this answer. May be NULL. */
	int (*preview)(struct task *t, struct channel *ch, struct preview *p, struct error *err);
	/* Puts an emoji on a message, in place of an earlier one of ours; "" takes it away. 1: dropped,
	 * because the budget is short. REFUSED: this emoji, or any, cannot be put there. May be NULL. */
	int (*react)(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
	    const char *emoji, struct error *err);
	/* Ends the wait of whoever pressed a button: m has the press_id, and text (plain, at most 180 bytes)
	 * is shown to that person alone; NULL: nothing is to be said. Asked once for each press, maybe after
	 * a restart; best effort, in a task of the adapter. What the platform wants to hear within seconds,
	 * however busy we are, the adapter says by itself as soon as the press is committed. NULL where
	 * presses have no answer. */
	void (*answer_press)(struct channel *ch, const struct message *m, const char *text);
};

/* One configured account of a platform. */
struct channel {
	const struct channel_ops *ops;
	char name[32]; /* in the config */
	const void *settings;
	void *state; /* the adapter's own */
	enum channel_uncertain uncertain;
	const struct channel_command *menu; /* ends with a row without name; NULL: not known */
	char *const *admins;                /* ids of the people who are shown the admins' commands, too */
	size_t admin_count;
	const char *ack_reaction;  /* put on a group's message while it is worked on; NULL or "": none */
	const char *stop_reaction; /* put on a message by a person it stops its turn (bus/reaction.h); NULL or
				      "": none */
	enum channel_status status; /* this and what follows: written by channel_set_status only */
	char status_text[160];
	int64_t status_since_ms;
	struct bus *bus;
	struct list link; /* the bus's own */
};

/* Commits the messages and the cursor (either may be absent), then routes the new ones. 0: the platform
 * may be told that we have them. -1: nothing is stored, and it must not be told. Frees the messages
 * either way and NULLs the pointers. */
int channel_received(struct task *t, struct channel *ch, struct message **messages, size_t count,
    const struct journal_cursor *cursor, struct error *err);
__attribute__((format(printf, 3, 4))) void channel_set_status(
    struct channel *ch, enum channel_status status, const char *fmt, ...);
/* The platform says that a chat has another id: committed, and what is sent to the old one goes to the new
 * one. */
int channel_moved(
    struct task *t, struct channel *ch, const char *old_chat, const char *new_chat, struct error *err);
/* A cursor that channel_received stored, malloc'd; *value is NULL when there is none. */
int channel_read_cursor(struct task *t, struct channel *ch, const char *account, const char *name,
    char **value, struct error *err);
const char *channel_status_name(enum channel_status status);

#endif
