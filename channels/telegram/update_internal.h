#ifndef CHANNELS_TELEGRAM_UPDATE_INTERNAL_H
#define CHANNELS_TELEGRAM_UPDATE_INTERNAL_H
/* The parts of update.c's parser. Pure. */
#include <stdbool.h>

#include "base/buf.h"
#include "channels/telegram/update.h"

struct json_object;
struct message;
struct telegram_self;

/* attachment.c: The files of a Message. Pure. */

/* Appends the file of m to the message's attachments, its file_id as ref: of a photo the largest size. False
 * when it has none that could be fetched. */
bool telegram_attachment_read(struct message *out, struct json_object *m);

/* describe.c: Describes in words what is not text in a message. Pure. */

/* Appends "[photo]", "[voice message, 5 s]", "[document report.pdf, 12 kB]" for a Message (or the like);
 * nothing when it has no media. */
void telegram_describe_media(struct buf *out, struct json_object *message);
/* Appends a line that marks the text after it as somebody else's: a MessageOrigin. */
void telegram_describe_origin(struct buf *out, struct json_object *origin);
/* The same for the result of an inline bot. */
void telegram_describe_via(struct buf *out, struct json_object *bot);
/* Appends the name of a User or Chat in one line, at most 64 characters; its id when it has none. */
void telegram_describe_name(struct buf *out, struct json_object *who);

/* entity.c: Message entities (Bot API: MessageEntity): does a text address the bot? Offsets count UTF-16
 * units. Pure. */
enum telegram_entity {
	TELEGRAM_ENTITY_TO_US =
	    1, /* a mention of us, or it begins with a command that is not another bot's */
	TELEGRAM_ENTITY_TO_ANOTHER = 2 /* it begins with another bot's command */
};

/* Telegram keeps about 100 of a message; each costs a walk through the text. */
#define TELEGRAM_SPANS_MAX 200

/* An entity that can be meant for a bot, as bytes of its text. */
struct telegram_span {
	enum telegram_span_kind {
		TELEGRAM_SPAN_COMMAND,
		TELEGRAM_SPAN_MENTION,
		TELEGRAM_SPAN_TEXT_MENTION
	} kind;
	size_t at, end;
	int64_t user_id; /* of a text mention; else 0 */
};

/* Returns flags. Appends the text without a leading @name or /command@name of ours, which may leave nothing.
 * text is valid UTF-8; entities may be NULL. */
unsigned telegram_entity_read(
    struct buf *out, const char *text, struct json_object *entities, const struct telegram_self *self);

/* rich.c: Converts a RichMessage to Markdown without losing text. Pure. */
struct telegram_rich {
	struct buf text;
	size_t lead; /* where its first word is, behind the marks; SIZE_MAX: there are no words */
	struct telegram_span *spans;
	size_t span_count;
};

/* Takes any input. Adds the files to the attachments of out, unless it is NULL. False when nothing could be
 * read. The caller clears rich in any case. */
bool telegram_rich_read(struct telegram_rich *rich, struct message *out, struct json_object *rich_message);
void telegram_rich_clear(struct telegram_rich *rich);
/* As telegram_entity_read, for the text of a rich message. */
unsigned telegram_entity_read_rich(
    struct buf *out, const struct telegram_rich *rich, const struct telegram_self *self);

/* service.c: Parses Telegram's own notices, which no person wrote (Bot API 10.x). Pure. */

/* Does the Message say that a group has become a supergroup? Its chat and sender are read already. The old
 * and the new chat each get one. */
bool telegram_service_moved(struct message *out, struct json_object *message);
/* ChatMemberUpdated about ourselves: a message when we were added to a group. */
enum telegram_update telegram_service_member(
    struct message *out, struct json_object *member, const struct telegram_self *self);
/* The stop button of a draft (stopped_message_generation): the same as /stop. */
enum telegram_update telegram_service_stopped(
    struct message *out, struct json_object *stopped, const struct telegram_self *self);

#endif
