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
	CHANNEL_BUTTONS = 2, /* shows buttons and reports presses; without it deliveries have none */
	CHANNEL_FILES = 4,   /* sends deliveries with a file */
	CHANNEL_WELCOME = 8, /* without /start: the first private message, or opening the chat, is greeted */
	CHANNEL_ACK_PRIVATE = 16 /* private chats show no typing: ack_reaction is set there, too */
};

enum channel_status {
	CHANNEL_STARTING,
	CHANNEL_READY,    /* receives and sends */
	CHANNEL_DEGRADED, /* retries by itself: network down, another poller */
	CHANNEL_STOPPED,  /* needs a person: token refused */
	CHANNEL_ELSEWHERE /* another node of the cluster serves it, or none: it and the bus do nothing */
};

/* What to do after an ambiguous send: config `uncertain`. */
enum channel_uncertain { CHANNEL_UNCERTAIN_DEFAULT, CHANNEL_UNCERTAIN_REPEAT, CHANNEL_UNCERTAIN_HOLD };

/* The outcome of an interrupted send: see channel_ops.reconcile. */
enum channel_reconciled {
	CHANNEL_RECONCILED_UNKNOWN,   /* cannot be found out */
	CHANNEL_RECONCILED_SENT,      /* it arrived */
	CHANNEL_RECONCILED_NOT_SENT,  /* it certainly did not arrive */
	CHANNEL_RECONCILED_REPEATABLE /* it may have arrived, but a repeat shows only once (a nonce) */
};

enum channel_question_kind {
	CHANNEL_ASK_SECRET, /* stored in a file of its own */
	CHANNEL_ASK_PEOPLE, /* ids separated by commas: they get access, as admins */
	CHANNEL_ASK_URL     /* another server than the platform's own: an option, not asked */
};

/* What `myna init` asks about an account of the platform. */
struct channel_question {
	const char *option; /* "token" makes the option --TYPE-token */
	enum channel_question_kind kind;
	const char *key;  /* the section's key for the answer; not for CHANNEL_ASK_PEOPLE */
	const char *text; /* the question, with where to find the answer; not for CHANNEL_ASK_URL */
	int (*check)(const char *answer, struct error *err); /* returns -1 if a secret looks wrong */
};

struct channel_ops {
	const char *type;                     /* "telegram" */
	unsigned caps;                        /* enum channel_cap */
	const struct config_section *section; /* the adapter's own settings */
	size_t settings_size;
	const struct channel_question *setup; /* ends with a row without option; NULL: no questions */
	/* Repeats an ambiguous reply once, marked: for platforms without a way to find out. */
	bool repeat_uncertain_replies;
	const char *stop_reaction; /* the default emoji that stops a turn; NULL: none */
	const char *abilities; /* for a model: how the platform shows its text; sentences, NULL: unknown */
	/* The ids of people and of groups, each a POSIX extended regular expression; NULL: any. */
	const char *person_ids, *group_ids;
	const char *public_names; /* the same of names that stand for a chat when sending; NULL: none */
	const char *person_id_help, *group_id_help; /* how an id looks, and where to find one; a sentence */
	/* How a person names another one in a command without an id; sentences, NULL: not at all. */
	const char *person_mention_help;
	const char *person_chat; /* prefix of the id of a person's private chat; NULL: none */
	/* Returns the platform's command that all commands are given with, "/myna"; "" when "/stop" can be
	 * typed as it is. May be NULL. */
	const char *(*command)(const void *settings);

	unsigned (*units)(const void *settings); /* its chats are divided among so many; NULL: one */
	/* Checks what the section's rows cannot express: the form of a token, allowed base URLs. The error
	 * text begins with the key. Called by the config check and by start. May be NULL. */
	int (*check)(const void *settings, struct error *err);
	/* Asks the platform whether it accepts these settings, without connecting: found gets the bot's
	 * identity, err what to do. May be NULL. */
	int (*probe)(struct task *t, const void *settings, struct buf *found, struct error *err);
	/* Starts the adapter's tasks; settings stay valid until stop has returned. Never suspends. */
	int (*start)(struct channel *ch, const void *settings, struct error *err);
	void (*stop)(struct task *t, struct channel *ch); /* after it returns the adapter calls nothing */
	void (*admins_changed)(struct channel *ch); /* ch->admins has changed. Never suspends. May be NULL */
	/* Splits text into platform messages: appends each part (malloc'd) to a NULL-terminated array. Pure:
	 * the same text gives the same parts. Returns the array, at least one part. */
	char **(*split)(const char *text);
	/* Waits until the chat's rate limit admits the delivery. Called before the delivery is committed as
	 * sending, so that a crash during the wait leaves no doubt. May be NULL. -1: cancelled; with t NULL:
	 * it would have to wait. */
	int (*admit)(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
	/* Sends one delivery, which is already committed as sending. One with edit_of replaces that
	 * message: edits are idempotent, so a failure is never uncertain, and a refused edit is sent as a
	 * new message. One with a file (CHANNEL_FILES) is an upload with its text as the caption.
	 *
	 * 0: the platform has it, and *platform_id is its id there, malloc'd; a text in err with ERROR_NONE
	 * says what is different from what was asked for. -1: err->kind says what follows. NETWORK: not
	 * sent, retried. LIMITED: the same, after retry_ms. REFUSED and OURS: never retried. CANCELLED:
	 * stays queued. With err->uncertain it may have arrived all the same. *platform_id is NULL before
	 * the call; the caller frees it either way. */
	int (*send)(struct task *t, struct channel *ch, const struct outbound *delivery, char **platform_id,
	    struct error *err);
	/* Finds out whether a delivery arrived whose sending was interrupted, by a crash or a lost answer.
	 * Called when the delivery may be sent again, which follows at once after NOT_SENT or REPEATABLE; a
	 * REPEATABLE delivery stays in doubt until a repeat is answered. Returns enum channel_reconciled;
	 * SENT gives the platform's id, malloc'd. -1 with NETWORK or LIMITED: called again later; with
	 * another kind the outcome is UNKNOWN. An UNKNOWN delivery is repeated or held, as
	 * repeat_uncertain_replies and the config say. May be NULL: always UNKNOWN. */
	int (*reconcile)(struct task *t, struct channel *ch, const struct outbound *delivery, char **id,
	    struct error *err);
	/* Downloads a file, once. Refuses it before the first byte when it is larger than sink->max_bytes or
	 * the platform allows; NETWORK and LIMITED may work later. Errors have no URL or ref. May be NULL. */
	int (*fetch)(struct task *t, struct channel *ch, const struct attachment *a,
	    const struct attachment_sink *sink, struct error *err);
	int64_t file_max;   /* maximum bytes of a delivery's file; 0: no limit */
	size_t caption_max; /* of its text, in UTF-16 units; longer text goes in messages after it */
	/* Shows "typing" for some seconds; best effort, dropped when the rate limit is near. -1: do not ask
	 * again. */
	int (*typing)(struct task *t, struct channel *ch, const struct address *where, struct error *err);
	/* Shows the text so far, or does nothing when it is too early or the rate limit is near. Called again
	 * when there is more, after at least the returned number of ms, and every BUS_PREVIEW_REFRESH_MS. -1:
	 * no preview of this answer. May be NULL. */
	int (*preview)(struct task *t, struct channel *ch, struct preview *p, struct error *err);
	/* Sets p->message_id to the message that shows this preview already, of a try that was cut off before
	 * it could tell. Called once, before the first text. NULL: such a message cannot be found. */
	void (*find_preview)(struct task *t, struct channel *ch, struct preview *p);
	/* Sets the bot's emoji reaction on a message, replacing an earlier one; "" removes it. 1: dropped,
	 * because the rate limit is near. REFUSED: this emoji, or any, cannot be set there. May be NULL. */
	int (*react)(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
	    const char *emoji, struct error *err);
	/* Answers a press of a button: m has the press_id, and text (plain, at most 180 bytes) is shown to
	 * that person alone; NULL: no text. Called once for each press, maybe after a restart; best effort,
	 * in a task of the adapter. If the platform wants a response within seconds, the adapter sends it by
	 * itself as soon as the press is committed. NULL where presses have no answer. */
	void (*answer_press)(struct channel *ch, const struct message *m, const char *text);
};

/* One configured account of a platform, or one of the units of it. */
struct channel {
	const struct channel_ops *ops;
	char name[32];        /* as in the config; of a unit but the first, with its number: "discord#1" */
	char channel[32];     /* the same without the number: what its addresses have */
	unsigned unit, units; /* its number of so many: it has the chats with place % units == unit */
	const void *settings;
	/* The adapter's state. NULL: it has not started, or stops, and nothing may be asked of it: turns
	 * continue before it starts, and a guest gateway starts the terminal's channel alone. */
	void *state;
	enum channel_uncertain uncertain;
	const struct channel_command *menu; /* ends with a row without name; NULL: unknown */
	char *const *admins;                /* ids of people who also see the admins' commands */
	size_t admin_count;
	const char *ack_reaction;   /* set on a group's message during its turn; NULL or "": none */
	const char *stop_reaction;  /* a person's, which stops the turn (bus/reaction.h); NULL or "": none */
	enum channel_status status; /* this and the next two: written by channel_set_status only */
	char status_text[160];
	int64_t status_since_ms;
	unsigned shards, shards_ready; /* connections, each for a part of the chats; 0: there is one */
	uint64_t held_until;           /* clock_now: a former owner may still finish what was in progress */
	bool gained;                   /* taken over, and its deliveries are not all loaded yet */
	bool requested;                /* another node has just requested it */
	bool giving;                   /* that node gets it when nothing of the channel is in progress */
	bool leaving;                  /* that node is about to get it: no turn begins here */
	struct bus *bus;
	struct list link; /* in the bus's list */
};

/* Commits the messages and the cursor (either may be absent), then routes the new ones. 0: the adapter may
 * confirm them to the platform. -1: nothing is stored, and it must not. Frees and NULLs the messages. */
int channel_received(struct task *t, struct channel *ch, struct message **messages, size_t count,
    const struct journal_cursor *cursor, struct error *err);
__attribute__((format(printf, 3, 4))) void channel_set_status(
    struct channel *ch, enum channel_status status, const char *fmt, ...);
/* Appends what the status says, with the state of the shards. */
void channel_describe(const struct channel *ch, struct buf *out);
/* Commits that a chat has a new id; deliveries to the old id go to the new one. */
int channel_moved(
    struct task *t, struct channel *ch, const char *old_chat, const char *new_chat, struct error *err);
/* Reads a cursor that channel_received stored, malloc'd; *value is NULL without one. */
int channel_read_cursor(struct task *t, struct channel *ch, const char *account, const char *name,
    char **value, struct error *err);
/* Each returns -1 and why for an id that no person, no group, or no chat (of either) can have there. */
int channel_check_person(const struct channel_ops *ops, const char *id, struct error *err);
int channel_check_chat(const struct channel_ops *ops, const char *id, struct error *err);
int channel_check_group(const struct channel_ops *ops, const char *id, struct error *err);
const char *channel_status_name(enum channel_status status);

#endif
