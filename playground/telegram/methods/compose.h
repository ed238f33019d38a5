#ifndef PLAYGROUND_TELEGRAM_METHODS_COMPOSE_H
#define PLAYGROUND_TELEGRAM_METHODS_COMPOSE_H
/* What the methods share. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/json/json.h"
#include "playground/playground.h"
#include "playground/telegram/control/control.h"
#include "playground/telegram/http/method.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/world/chat.h"
#include "playground/telegram/world/message.h"
#include "playground/telegram/world/people.h"
#include "playground/telegram/world/world.h"
#include "playground/world/json_members.h"

struct formatted;

/* Reads text and its options for sendMessage, editMessageText and sendMessageDraft. */

#define COMPOSE_TEXT_MAX    4096 /* UTF-16 units, after entities are parsed */
#define COMPOSE_CAPTION_MAX 1024

/* Member names of a formatted text. */
struct compose_source {
	struct json_object *in;
	const char *text, *mode, *entities;
};

/* Reads the text; absent or empty text leaves out empty. Returns -1 after call_refuse. */
int compose_read(struct call *call, const struct compose_source *source, struct formatted *out);
/* Reads caption, parse_mode and caption_entities of o: the params, or an InputMedia. */
int compose_caption(struct call *call, struct json_object *o, struct formatted *out);

/* Reads text, parse_mode and entities. too_long is the method's error above the limit. may_be_empty allows
 * an absent or empty text. Returns -1 after call_refuse. */
int compose_text(struct call *call, struct formatted *out, const char *too_long, bool may_be_empty);
/* Reads link_preview_options; *out is its JSON text, freed by the caller, or NULL. */
int compose_preview(struct call *call, char **out);
/* Reads an InputRichMessage; *out is the RichMessage as JSON text, freed by the caller. A draft may say that
 * the bot thinks. Returns -1 after call_refuse. */
int compose_rich(struct call *call, struct json_object *o, bool draft, char **out);
/* Refuses what is no object; what names it in the error. */
int compose_object(struct call *call, struct json_object *o, const char *what);

/* Shared by all methods that send a message: target, reply, and permission. */

struct post {
	struct chat *chat;
	int64_t thread; /* 0: none */
	const struct message *to;
	const struct user *receiver; /* of a message that one person of a group sees; NULL: all do */
	char *quote;                 /* TextQuote as JSON text; NULL: none */
	char *markup;                /* inline keyboard as JSON text; NULL: none */
};

/* Reads the parameters and checks that the bot may send count messages; what: "text messages", for the
 * error. Returns -1 after call_fail or call_refuse, with nothing to clear. */
int post_open(struct call *call, struct post *p, unsigned count, const char *what);
/* Takes m and adds it to the chat as the bot's. The first message gets the keyboard. */
void posting_add(struct call *call, struct post *p, struct message *m);
/* All of it for one message, which is the result; takes m, also when it fails. */
int post_send(struct call *call, const char *what, struct message *m);
/* Applies the effects of sending; call it after the last message. */
void post_close(struct post *p);

/* Shared by all methods that edit a message of the bot. */

struct edit {
	struct chat *chat;
	struct message *message;
	char *markup; /* the new inline keyboard as JSON text; NULL: none */
};

/* Reads reply_markup and finds the message. Returns -1 after call_fail or call_refuse, with nothing to
 * clear. */
int edit_open(struct call *call, struct edit *e);
/* Is there something to change, and is the bot allowed to edit so often? changed: the content differs.
 * Returns -1 after call_fail, with nothing to clear. */
int edit_check(struct call *call, struct edit *e, bool changed);
/* Puts the keyboard into the message, whose content the caller has changed, and answers with it. */
void edit_close(struct call *call, struct edit *e);
/* Fails with 400, and clears. Returns -1. */
int edit_fail(struct call *call, struct edit *e, const char *says);

/* Geographic locations, and dice. */

/* Appends the Location of in's latitude and longitude; returns -1 when they are invalid. */
int location_write(struct json_object *in, struct buf *out);
/* How many values a dice with that emoji has; 0: there is none. */
int dice_sides(const char *emoji);

/* Fills in the Poll that the parameters of sendPoll describe. Returns -1 after call_refuse. */
int poll_read(struct call *call, struct json_object *poll);
/* Bot API, MessageOrigin: m of the chat is passed on. What was forwarded before keeps its first origin. */
void forward_set_origin(struct message *copy, const struct message *m, const struct chat *c);
/* Can bots forward and copy the message? */
bool forward_can(const struct message *m);

/* Gives a group or channel another title. notify: adds the service message. */
void chat_rename(struct chat *c, struct author by, const char *title, bool notify);
/* Pins the message, with the notice of it. */
void pin_add(struct chat *c, struct author by, struct message *m);

/* Quotes of replies (Bot API: TextQuote, ReplyParameters.quote). */

#define QUOTE_MAX 1024 /* UTF-16 units */

/* Is quote an exact part of text, including its bold, italic, underline, strikethrough, spoiler,
 * custom_emoji and date_time entities? *position (UTF-16 units) is in: the expected, out: the nearest
 * position. */
bool quote_find(const struct formatted *text, const struct formatted *quote, size_t *position);
/* Appends the TextQuote. */
void quote_write(const char *quote, size_t position, struct buf *out);

/* The emoji that Telegram allows as reactions. */

bool reaction_is_known(const char *emoji);

/* What an administrator needs for a method. */

/* Returns the chat of chat_id, where the bot has that right, or NULL after call_fail. of_private: what is
 * said of a private chat; without: what is said without the right. Both without "Bad Request: ". */
struct chat *rights_chat(struct call *call, const char *right, const char *of_private, const char *without);

#endif
