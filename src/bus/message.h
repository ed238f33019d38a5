#ifndef BUS_MESSAGE_H
#define BUS_MESSAGE_H
/* What goes over the bus: messages that came in, and messages that go out. */
#include <stdbool.h>
#include <stdint.h>

#include "bus/address.h"
#include "bus/attachment.h"

enum message_kind {
	MESSAGE_TEXT, /* somebody wrote */
	MESSAGE_EDIT, /* somebody changed what they wrote: message_id names it */
	/* Somebody pressed a button: text is its id, message_id the message that has it. Or they put an emoji
	 * on that message: see bus/reaction.h. */
	MESSAGE_PRESS,
	/* The sender made us a member of the chat. text: how people address us there, in Markdown;
	 * reply_text: what a person has to change so that we hear more than that, NULL if nothing. */
	MESSAGE_JOINED,
	MESSAGE_MOVED, /* the chat has another id from now on: text */
	/* Something that the sender scheduled is due: text. sent_ms: when it was due; reply_text: what is to
	 * be said of that, NULL if nothing. It has no message_id. */
	MESSAGE_SCHEDULE
};

enum chat_kind { CHAT_PRIVATE, CHAT_GROUP, CHAT_CHANNEL };

struct message {
	int64_t id; /* inbox row; 0 before it is committed */
	/* The account on the platform ("telegram:123456", a bot id) and its id of the event:
	 * together unique, so that a redelivery is recognised. */
	char *account, *event_id;
	enum message_kind kind;
	struct address from;
	enum chat_kind chat_kind;
	char *chat_title; /* may be NULL */
	char *sender_id, *sender_name;
	/* The message was written in the name of a chat (a channel or an anonymous admin):
	 * sender_id is then that chat's id, and never matches a person's. */
	bool sender_is_chat;
	bool sender_is_bot;
	char *message_id; /* the platform's */
	char *reply_to;   /* the platform's id of the message it answers, NULL if none */
	char *reply_text; /* what that message said, NULL if not known */
	/* Said to us: a private chat, a mention, a reply to us, a command of ours. */
	bool addressed;
	/* Said to another bot: never to us, wherever all messages count. */
	bool to_another;
	/* The platform cut what was one message for its writer, and more of it may follow at once. */
	bool continues;
	char *press_id; /* of a press: the adapter's own, by which it answers it; NULL if it cannot be
			   answered */
	char *text;     /* valid UTF-8, never NULL; with attachments their caption, "" for none */
	/* Files that came with it, in order; committed with the message, so that they can be fetched after a
	 * crash, too. */
	struct attachment *attachments;
	size_t attachment_count;
	int64_t sent_ms;     /* the platform's wall clock */
	int64_t received_ms; /* ours */
};

struct message *message_new(void); /* zeroed, text "" */
void message_free(struct message *m);
struct message *message_copy(const struct message *m);

/* Replies may be repeated, marked, after an ambiguous failure; notifications are held. */
enum outbound_kind { OUTBOUND_REPLY, OUTBOUND_NOTIFICATION };

enum outbound_state {
	OUTBOUND_QUEUED,  /* committed, not yet tried, or to be tried again at not_before_ms */
	OUTBOUND_SENDING, /* committed before its first byte left */
	OUTBOUND_SENT,
	OUTBOUND_UNCERTAIN, /* cut off between its first byte and the recorded answer; held */
	OUTBOUND_FAILED     /* refused for good, or given up */
};

/* One platform message; a long text is several, sent in order, each only after the one before. */
struct outbound {
	int64_t id; /* outbox row; 0 before it is committed */
	enum outbound_kind kind;
	enum outbound_state state;
	struct address to;
	char *text;
	/* A file that is sent with the text as its caption, which may be "" then; NULL: text alone. Its path
	 * is a copy that belongs to the outbox, made before the row is put: what becomes of the file it was
	 * made from changes nothing of what is sent. The bus removes the copy when the row has its end. */
	struct attachment *file;
	char *reply_to; /* the platform's message id to answer, NULL if none */
	/* The platform's id of a message of ours that this one replaces, NULL: a new one. Buttons that it had
	 * and this one has not are gone then. */
	char *edit_of;
	char *buttons; /* under it, see bus/buttons.h; NULL: none. Where texts are cut, the last part has them
			*/
	/* Puts with a key that is already in the outbox change nothing: NULL for none. */
	char *key;
	int part, parts; /* 1 of n */
	int64_t turn;    /* the turn it comes from, 0 if none */
	unsigned attempts;
	bool repeat;           /* may have been delivered before: to be marked "(may be a repeat)" */
	int64_t not_before_ms; /* wall clock */
	char *platform_id;     /* once sent */
	char *reason;          /* why it failed or waits, NULL if neither */
	int64_t created_ms, updated_ms;
	int64_t acked_ms; /* once sent: when the platform had said so */
	void *sender;     /* the bus's own: who waits for the outcome */
};

struct outbound *outbound_new(const struct address *to, enum outbound_kind kind, const char *text);
void outbound_free(struct outbound *o);
struct outbound *outbound_copy(const struct outbound *o);
const char *outbound_state_name(enum outbound_state state);
int outbound_state_parse(const char *name, enum outbound_state *state);
const char *message_kind_name(enum message_kind kind);
const char *chat_kind_name(enum chat_kind kind);

#endif
