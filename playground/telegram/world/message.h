#ifndef PLAYGROUND_TELEGRAM_WORLD_MESSAGE_H
#define PLAYGROUND_TELEGRAM_WORLD_MESSAGE_H
/* A message, and how the Bot API shows it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "playground/telegram/text/formatted.h"

struct bot;
struct buf;
struct chat;
struct file;
struct json_object;
struct user;
struct world;

struct reaction {
	const struct user *user; /* or */
	const struct bot *bot;
	char emoji[32];
};

struct message {
	int32_t id;
	int64_t date, edit_date; /* Unix time; edit_date 0: never edited */
	struct user *user;       /* the author: a user, or */
	struct bot *bot;
	int64_t sender_chat;   /* the chat as which the person wrote; 0: none */
	int32_t thread;        /* message_thread_id; 0: none */
	bool topic;            /* the thread is a forum topic */
	int32_t reply_to;      /* 0: none */
	struct formatted text; /* the caption if there is a file */
	char *markup;          /* inline keyboard as JSON text; NULL: none */
	char *rich;            /* a rich message in place of the text, as JSON text; NULL: none */
	char *preview;         /* link_preview_options as JSON text; NULL: none */
	char *service;         /* members of a service message; NULL: an ordinary message */
	/* Further members of the Message, such as a location, a quote, or a poll; NULL: none. Those whose
	 * names begin with a dot are the playground's own. */
	struct json_object *extra;
	struct file *file; /* NULL: none */
	int64_t album;     /* media group; 0: none */
	struct reaction *reactions;
	size_t reaction_count;
	int edits;
	bool deleted, protected, pinned;
};

struct message *telegram_message_new(void); /* dated now */
void telegram_message_free(struct message *m);
/* The Message object; the message that it replies to is included one level deep. */
void message_write(const struct message *m, const struct chat *c, struct buf *out);
/* Sets the single reaction of a user or bot; emoji NULL removes it. */
void message_react(struct message *m, const struct user *user, const struct bot *bot, const char *emoji);
const char *message_reaction_of(const struct message *m, const struct user *user, const struct bot *bot);
/* Puts a reply without a thread into the topic of `to`, or, in a supergroup, its thread. */
void message_follow(struct message *m, const struct chat *c, const struct message *to);
/* Sets a member of extra to JSON text, or takes a value; NULL removes it. */
void message_add_extra(struct message *m, const char *name, const char *value);
void message_set_extra(struct message *m, const char *name, struct json_object *value);
/* Is it shown to one person alone? It has an ephemeral_message_id, and 0 for a message_id. */
bool message_is_ephemeral(const struct message *m);
/* Appends what others see of extra, without braces; false when that is nothing. */
bool message_write_extra(const struct message *m, struct buf *out);
/* Returns a copy of what was said: text, file, and extra, without what it was a reply to or came from. The
 * file belongs to the world at once. */
struct message *message_duplicate(const struct message *m, struct world *w);
/* Returns the author's name for transcripts. */
const char *message_author(const struct message *m);

#endif
