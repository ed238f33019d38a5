#ifndef PLAYGROUND_TELEGRAM_WORLD_MESSAGE_H
#define PLAYGROUND_TELEGRAM_WORLD_MESSAGE_H
/* A message, its file, keyboard and poll, and how the Bot API shows it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "playground/telegram/text/formatted.h"

struct bot;
struct buf;
struct call;
struct chat;
struct error;
struct file;
struct json_object;
struct user;
struct world;

/* A message, and how the Bot API shows it. */

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
/* Is it a service message that has this member first? */
bool message_is_service(const struct message *m, const char *name);
/* Is it shown to one person alone? It has an ephemeral_message_id, and 0 for a message_id. */
bool message_is_ephemeral(const struct message *m);
/* Appends what others see of extra, without braces; false when that is nothing. answer: also a quiz's. */
bool message_write_extra(const struct message *m, bool answer, struct buf *out);
/* Copies what was said: text, file, and extra, without what it was a reply to or came from. The file belongs
 * to the world at once. */
void message_copy_content(struct message *copy, const struct message *m, struct world *w);
struct message *message_duplicate(const struct message *m, struct world *w);
/* Returns the author's name for transcripts. */
const char *message_author(const struct message *m);

/* Files in messages, as the Bot API shows them. */

#define MEDIA_ALBUM_MAX 10

enum media_kind { /* sorted by name */
	MEDIA_ANIMATION,
	MEDIA_AUDIO,
	MEDIA_DOCUMENT,
	MEDIA_PHOTO,
	MEDIA_STICKER,
	MEDIA_VIDEO,
	MEDIA_VIDEO_NOTE,
	MEDIA_VOICE,
	MEDIA_KINDS
};

struct file {
	int64_t number; /* part of its file_id, */
	int64_t unique; /* and of its file_unique_id: that of the first with these bytes */
	enum media_kind kind;
	char *name;
	char *data; /* NULL: len zero bytes, not saved */
	size_t len;
	struct file *replaced;       /* the file that it replaced, which bots can still fetch; NULL: none */
	struct json_object *sticker; /* members of a Sticker besides: emoji, set_name, …; NULL: none */
	bool gone;                   /* a profile photo that was removed */
	unsigned width, height, duration; /* 0: unknown; also of stickers and video notes */
};

const char *media_name(enum media_kind kind); /* also the member of Message and the parameter of its method */
/* Returns MEDIA_KINDS if unknown. */
enum media_kind media_find(const char *name);
bool media_has_caption(enum media_kind kind);
/* Bot API, sendMediaGroup: photos and videos together, documents and audio only among themselves. */
bool media_may_share_album(enum media_kind a, enum media_kind b);

/* Creates a file; takes data (NULL: zeros), copies name. */
struct file *media_new(struct world *w, enum media_kind kind, const char *name, char *data, size_t len);
/* Copies the content under a new number as another kind. */
struct file *media_copy(struct world *w, const struct file *f);
/* f may be NULL; what it replaced goes, too. The world must not know it any more. */
void media_free(struct file *f);

/* Saves a file, and loads it under its number. load returns NULL with err set. */
struct json_object *media_save(const struct file *f);
struct file *media_load(struct world *w, struct json_object *o, struct error *err);

/* Appends "photo":[…], "document":{…} and so on. */
void media_write(const struct file *f, struct buf *out);
/* Finds a file by file_id, or returns NULL. */
struct file *media_by_id(const struct world *w, const char *file_id);
/* The same by the file_path of media_write_path, without quotes. */
struct file *media_by_path(const struct world *w, const char *path);
void media_write_path(const struct file *f, struct buf *out);

/* Polls: extra has the Bot API's "poll", and in ".votes" the options of each person. */

/* Puts a Poll (taken) into the message, without votes. */
void vote_begin(struct message *m, struct json_object *poll);
/* Closes it when its time is up, if it has one; the message is in the chat. */
void vote_watch(struct chat *c, const struct message *m);
struct json_object *vote_poll(const struct message *m); /* NULL: the message is no poll */
bool vote_is_closed(const struct message *m);
/* Do bots know the right answer? True of what is no quiz. */
bool vote_answer_is_known(const struct message *m, const struct chat *c);
/* A person chooses options, which are indexes, or retracts the vote with none. */
int vote_cast(
    struct chat *c, struct message *m, const struct user *u, struct json_object *options, struct error *err);
/* Tells the bots. by_hand: somebody stops it before its time. */
void vote_close(struct chat *c, struct message *m, bool by_hand);

/* reply_markup: its validation, and the buttons of inline keyboards. */

/* Reads the parameter. *out is the inline keyboard as JSON text, freed by the caller; NULL: none. Other
 * markups are validated and dropped; inline_only refuses them. */
int keyboard_read(struct call *call, bool inline_only, char **out);
/* The same of a markup that stands elsewhere; NULL: none. */
int keyboard_read_of(struct call *call, struct json_object *o, bool inline_only, char **out);
/* Appends [{"id","label"},...]; id is callback_data, else a URL or the like. */
void keyboard_write_buttons(const char *markup, struct buf *out);
/* Returns the callback_data of the button with that id or label, freed by the caller; NULL if there is
 * none or a press sends no update. */
char *keyboard_find(const char *markup, const char *button);

#endif
