#ifndef PLAYGROUND_DISCORD_WORLD_MESSAGE_H
#define PLAYGROUND_DISCORD_WORLD_MESSAGE_H
/* A message, and how the API shows it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cord_bot;
struct cord_channel;
struct cord_file;
struct cord_user;
struct json_object;

/* Discord: resources/message, Message Types. */
enum cord_message_type {
	CORD_MESSAGE_DEFAULT = 0,
	CORD_MESSAGE_THREAD_CREATED = 18,
	CORD_MESSAGE_REPLY = 19,
	CORD_MESSAGE_COMMAND = 20,
	CORD_MESSAGE_THREAD_STARTER = 21
};

enum cord_message_flag {
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
	struct cord_user *user; /* who wrote it, or */
	struct cord_bot *bot;
	enum cord_message_type type;
	char *content;
	struct json_object *nonce; /* as it came; NULL: none */
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
	struct cord_channel *thread; /* that began with it; NULL: none */
	uint64_t webhook_id;         /* written through the webhook of an interaction: the application's id */
	struct json_object *interaction; /* interaction_metadata; NULL: none */
	struct json_object *extra;       /* further members; NULL: none */
	uint64_t visible_to;             /* ephemeral: to that person only */
	int edits;
	bool deleted;
};

/* With a new id, for that channel, which does not have it yet. */
struct cord_message *cord_message_new(struct cord_channel *c);
void cord_message_free(struct cord_message *m);
/* The Message object; what it replies to is shown one level deep. */
struct json_object *cord_message_json(const struct cord_message *m);
bool cord_message_mentions(const struct cord_message *m, uint64_t id);
/* The bot that nobody had claimed has that id. */
void cord_message_claim(struct cord_message *m, uint64_t bot_id);
void cord_message_set_content(struct cord_message *m, const char *text, size_t len);
void cord_message_add_file(struct cord_message *m, struct cord_file *f);
/* A message that people read: no notice of the platform. */
bool cord_message_is_said(const struct cord_message *m);
/* It stays in the transcript as deleted; all are told. */
void cord_message_delete(struct cord_message *m);

void cord_ids_add(struct cord_ids *ids, uint64_t id); /* once */
bool cord_ids_remove(struct cord_ids *ids, uint64_t id);
bool cord_ids_have(const struct cord_ids *ids, uint64_t id);

struct cord_reaction *cord_message_reaction(const struct cord_message *m, const char *emoji);
/* The reaction of a person or bot; false when it was there already. */
bool cord_message_react(struct cord_message *m, const char *emoji, uint64_t user_id);
/* False when there was none. */
bool cord_message_unreact(struct cord_message *m, const char *emoji, uint64_t user_id);

#endif
