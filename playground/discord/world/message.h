#ifndef PLAYGROUND_DISCORD_WORLD_MESSAGE_H
#define PLAYGROUND_DISCORD_WORLD_MESSAGE_H
/* Messages, with their files, emoji and polls. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"

struct cord_bot;
struct cord_channel;
struct cord_file;
struct cord_user;
struct cord_world;
struct error;
struct exchange;
struct json_object;

/* A message, and how the API shows it. */

/* Discord: resources/message, Message Types. */
enum cord_message_type {
	CORD_MESSAGE_DEFAULT = 0,
	CORD_MESSAGE_PINNED = 6,
	CORD_MESSAGE_FOLLOWED = 12,
	CORD_MESSAGE_THREAD_CREATED = 18,
	CORD_MESSAGE_REPLY = 19,
	CORD_MESSAGE_COMMAND = 20,
	CORD_MESSAGE_THREAD_STARTER = 21,
	CORD_MESSAGE_CONTEXT_COMMAND = 23,
	CORD_MESSAGE_RULE_ACTED = 24,
	CORD_MESSAGE_POLL_RESULT = 46
};

enum cord_message_flag {
	CORD_FLAG_CROSSPOSTED = 1 << 0,
	CORD_FLAG_IS_CROSSPOST = 1 << 1,
	CORD_FLAG_SUPPRESS_EMBEDS = 1 << 2,
	CORD_FLAG_HAS_THREAD = 1 << 5,
	CORD_FLAG_EPHEMERAL = 1 << 6,
	CORD_FLAG_LOADING = 1 << 7,
	CORD_FLAG_SUPPRESS_NOTIFICATIONS = 1 << 12,
	CORD_FLAG_VOICE = 1 << 13,
	CORD_FLAG_COMPONENTS_V2 = 1 << 15
};

struct cord_ids {
	uint64_t *list;
	size_t count;
};

struct cord_reaction {
	char *emoji;
	struct cord_ids users;
};

struct cord_message {
	uint64_t id;
	struct cord_channel *channel;
	struct cord_user *user; /* the author: a user, or */
	struct cord_bot *bot;
	enum cord_message_type type;
	char *content;
	struct json_object *nonce; /* as given; NULL: none */
	int64_t edited_ms;         /* wall clock; 0: never */
	int64_t flags;
	struct json_object *embeds, *components; /* arrays; NULL: none */
	struct cord_file **files;
	size_t file_count;
	uint64_t reply_to, reply_channel; /* 0: none */
	struct cord_ids mentions, mention_roles;
	bool mention_everyone, tts;
	struct cord_reaction *reactions;
	size_t reaction_count;
	struct cord_channel *thread;      /* started from this message; NULL: none */
	uint64_t webhook_id;              /* written through an interaction's webhook: the application id */
	struct json_object *author;       /* of an incoming webhook: the User object; NULL: as above */
	struct json_object *interaction;  /* interaction_metadata; NULL: none */
	struct json_object *poll, *votes; /* the Poll object, and who voted: ids by answer; NULL: none */
	int64_t pinned_ms;                /* wall clock; 0: not pinned */
	struct json_object *extra;        /* additional members; NULL: none */
	uint64_t visible_to;              /* ephemeral: only for this user; 0: all */
	int edits;
	bool deleted;
};

/* Returns a message with a new id, not yet added to the channel. */
struct cord_message *cord_message_new(struct cord_channel *c);
void cord_message_free(struct cord_message *m);
/* The Message object; a referenced message is included one level deep. */
struct json_object *cord_message_json(const struct cord_message *m);
/* Makes m a forward: what from says is copied. */
void cord_message_forward(struct cord_message *m, const struct cord_message *from);
bool cord_message_mentions(const struct cord_message *m, uint64_t id);
/* Gives the unclaimed bot its id. */
void cord_message_claim(struct cord_message *m, uint64_t bot_id);
void cord_message_set_content(struct cord_message *m, const char *text, size_t len);
void cord_message_add_file(struct cord_message *m, struct cord_file *f);
/* The id of the person or bot that wrote it. */
uint64_t cord_message_writer(const struct cord_message *m);
/* Is it an ordinary message, not one of the platform? */
bool cord_message_is_ordinary(const struct cord_message *m);
/* Deletes it with its event; the transcript keeps it as deleted. */
void cord_message_delete(struct cord_message *m);

void cord_ids_add(struct cord_ids *ids, uint64_t id); /* once */
bool cord_ids_remove(struct cord_ids *ids, uint64_t id);
/* As an array of texts. */
struct json_object *cord_ids_json(const struct cord_ids *ids);
void cord_ids_load(struct cord_ids *ids, struct json_object *array);
bool cord_ids_have(const struct cord_ids *ids, uint64_t id);
void cord_ids_sort(struct cord_ids *ids);

/* Drops it without an event. */
void cord_message_forget_reaction(struct cord_message *m, struct cord_reaction *r);
struct cord_reaction *cord_message_reaction(const struct cord_message *m, const char *emoji);
/* Adds the reaction of a user or bot. Returns false if it exists. */
bool cord_message_react(struct cord_message *m, const char *emoji, uint64_t user_id);
/* Returns false if there is none. */
bool cord_message_unreact(struct cord_message *m, const char *emoji, uint64_t user_id);

/* Emoji as reactions name them: the characters, or "name:id". */

/* Does the text look like an emoji? There is no table of them here. */
bool cord_emoji_is_good(const char *text);
/* The partial Emoji object. */
struct json_object *cord_emoji_json(const char *text);

/* Attachments and their CDN: URLs are signed and expire after a day. */

#define CORD_FILE_MAX (10 << 20) /* Discord: reference, Uploading Files */

struct cord_file {
	struct list link;
	uint64_t id, channel_id;
	char *name, *type; /* MIME type */
	char *description; /* NULL: none */
	char *data;        /* NULL: len zero bytes */
	size_t len;
	double duration; /* of a voice message, in seconds */
	char *waveform;  /* NULL: none */
};

/* Takes data. type NULL: guess from the file name. */
struct cord_file *cord_file_new(struct cord_world *w, uint64_t id, uint64_t channel_id, const char *name,
    const char *type, char *data, size_t len);
void cord_file_free(struct cord_file *f);
struct cord_file *cord_file_find(const struct cord_world *w, uint64_t id);
/* The Attachment object, with a URL that expires in a day. */
struct json_object *cord_file_json(const struct cord_world *w, const struct cord_file *f);
/* Serves GET of "attachments/CHANNEL/ID/NAME?ex=...&is=...&hm=..."; path is without the first segment. */
void cord_file_serve(struct cord_world *w, struct exchange *ex, const char *path, const char *query);

/* Polls of messages: the object in m->poll, votes in m->votes. */

/* The Poll object with its results. */
struct json_object *cord_poll_json(const struct cord_message *m);
bool cord_poll_is_over(const struct cord_message *m);
bool cord_poll_has_answer(const struct cord_message *m, int64_t answer);
/* The ids of those who voted for the answer, in texts; NULL: nobody. */
struct json_object *cord_poll_voters(const struct cord_message *m, int64_t answer);
/* Somebody votes, or takes a vote back, with the event. In a poll of one choice a vote replaces the one
 * before. */
void cord_poll_vote(struct cord_message *m, int64_t answer, uint64_t id, bool remove);
/* It ends now: a message says the result. */
void cord_poll_finish(struct cord_message *m);
/* Ends the polls whose time is over. */
void cord_polls_finish(struct cord_world *w);

/* Saves and loads messages. */

struct json_object *cord_persist_save_message(const struct cord_message *m);
/* Adds the message to the channel; its author and files are loaded already. */
int cord_persist_load_message(struct cord_channel *c, struct json_object *o, struct error *err);

#endif
