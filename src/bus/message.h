#ifndef BUS_MESSAGE_H
#define BUS_MESSAGE_H
/* Messages that arrived, and messages to be delivered. */
#include <stdbool.h>
#include <stdint.h>

#include "bus/address.h"
#include "bus/attachment.h"

enum message_kind {
	MESSAGE_TEXT, /* a person wrote */
	/* A person edited a message: message_id names it. One that addresses the bot, which the message did
	 * not before, is a MESSAGE_TEXT once it is in the journal. */
	MESSAGE_EDIT,
	/* A person pressed a button: text is the button's id, message_id the message that has it. Or a
	 * person put an emoji on that message, see bus/reaction.h. */
	MESSAGE_PRESS,
	/* Someone added the bot to the chat. text: how people address it there, in Markdown; reply_text: what
	 * a person must change so that the bot receives more, NULL if nothing. In a private chat: the sender
	 * opened it, perhaps not for the first time. */
	MESSAGE_JOINED,
	MESSAGE_MOVED, /* the chat has a new id: text */
	/* A reminder that the sender scheduled is due: text. sent_ms: when it was due; reply_text: a remark
	 * about that, NULL if none. It has no message_id. */
	MESSAGE_SCHEDULE
};

/* The text of a message that is only a mention of the bot. */
#define MESSAGE_MENTION_ONLY "(mentions you, without words)"

enum chat_kind { CHAT_PRIVATE, CHAT_GROUP, CHAT_CHANNEL };

struct message {
	int64_t id; /* inbox row; 0 before the commit */
	/* The account on the platform ("telegram:123456", a bot id) and the platform's id of the event:
	 * unique together, which detects a redelivery. */
	char *account, *event_id;
	enum message_kind kind;
	struct address from;
	/* Chats with the same key have the same unit of their channel (bus_channel_of). Not stored. */
	uint64_t unit_key;
	enum chat_kind chat_kind;
	char *chat_title; /* may be NULL */
	char *sender_id, *sender_name;
	/* The message was written in the name of a chat (a channel or an anonymous admin): sender_id is
	 * that chat's id and never matches a person's. */
	bool sender_is_chat;
	bool sender_is_bot;
	char *message_id; /* the platform's id */
	char *reply_to;   /* platform id of the message it replies to, NULL if none */
	char *reply_text; /* text of that message, NULL if unknown */
	/* Who wrote that message; NULL: unknown, the bot, another bot, or a chat. The name may be NULL. */
	char *reply_sender_id, *reply_sender_name;
	/* Addressed to the bot: a private chat, a mention, a reply to it, a command for it. */
	bool addressed;
	/* Addressed to another bot, so not to this one, even where all messages count. */
	bool to_another;
	/* The platform split one message of its writer, and the rest may follow at once. */
	bool continues;
	/* Of a button press: the adapter's id for answering it; NULL if it cannot be answered. */
	char *press_id;
	char *text; /* valid UTF-8, never NULL; with attachments their caption, "" for none */
	/* The message's files, in order. Committed with it, so that they can be fetched after a crash too. */
	struct attachment *attachments;
	size_t attachment_count;
	int64_t sent_ms;     /* the platform's wall clock */
	int64_t received_ms; /* this machine's */
};

struct message *message_new(void); /* zeroed, text "" */
/* Makes m, as read from the edited message, an edit of that time (0: unknown). In groups, edits of messages
 * older than a day address nobody, so that late corrections start no turn. */
void message_edited(struct message *m, int64_t edited_ms);
void message_free(struct message *m);
/* Returns whether this person, a platform id, wrote it. */
bool message_is_of(const struct message *m, const char *person);
struct message *message_copy(const struct message *m);

/* After an ambiguous failure a reply may be sent again, marked as a repeat; a notification is held. */
enum outbound_kind { OUTBOUND_REPLY, OUTBOUND_NOTIFICATION };

enum outbound_state {
	OUTBOUND_QUEUED,  /* committed; not tried, or to be retried at not_before_ms */
	OUTBOUND_SENDING, /* committed before the first byte leaves */
	OUTBOUND_SENT,
	OUTBOUND_UNCERTAIN, /* interrupted between the first byte and the recorded answer; held */
	OUTBOUND_FAILED     /* permanently refused, or given up */
};

/* One platform message. A long text becomes several parts, sent in order, each only after the previous
 * one. */
struct outbound {
	int64_t id; /* outbox row; 0 before the commit */
	enum outbound_kind kind;
	enum outbound_state state;
	struct address to;
	char *text;
	/* A file to send with the text as its caption (may be ""); NULL for text alone. Its path is a copy
	 * that the outbox owns, made before the delivery is committed, so later changes of the original
	 * have no effect. The bus removes the copy when the delivery is final. */
	struct attachment *file;
	char *reply_to; /* platform id of the message to reply to, NULL if none */
	/* Platform id of the bot's message that this one replaces, NULL for a new message. Buttons of the old
	 * message that the new one lacks disappear. */
	char *edit_of;
	/* See bus/buttons.h; NULL for none. When a text is split, the last part gets them. */
	char *buttons;
	/* Idempotency key: committing a key that is already in the outbox changes nothing. NULL for none. */
	char *key;
	/* Set by the commit: the key was in the outbox, with the same text or another one. */
	bool known, differs;
	int part, parts; /* 1 of n */
	int64_t turn;    /* the turn that sent it, 0 if none */
	unsigned attempts;
	bool repeat;           /* may have been delivered before: gets the mark "(may be a repeat)" */
	bool notice_owed;      /* a notice that this one may be missing precedes the chat's next reply */
	int64_t not_before_ms; /* wall clock */
	char *platform_id;     /* once sent */
	char *reason;          /* why it failed or waits; NULL if neither */
	int64_t created_ms, updated_ms;
	int64_t acked_ms; /* once sent: when the platform confirmed it */
};

struct outbound *outbound_new(const struct address *to, enum outbound_kind kind, const char *text);
void outbound_free(struct outbound *o);
struct outbound *outbound_copy(const struct outbound *o);
const char *outbound_state_name(enum outbound_state state);
const char *message_kind_name(enum message_kind kind);
const char *chat_kind_name(enum chat_kind kind);

#endif
