#ifndef PLAYGROUND_TELEGRAM_WORLD_WORLD_H
#define PLAYGROUND_TELEGRAM_WORLD_WORLD_H
/* The state of the simulated Telegram. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/world/map.h"
#include "playground/world/json_format.h"

struct bot;
struct buf;
struct chat;
struct error;
struct file;
struct json_object;
struct message;
struct playground;
struct record_log;

/* The state of the simulated Telegram: bots, users, chats. */

struct user {
	int64_t id;
	char *label;        /* name in the control interface: a name, or the id */
	char *username;     /* NULL: none */
	struct file *photo; /* newest of the profile photos; NULL: none */
};

/* Settings of POST /control/settings. */
struct telegram_settings {
	bool limits;  /* enforce rate limits */
	bool privacy; /* privacy mode: in groups bots see only messages for them */
};

struct world {
	struct playground *pg;
	struct record_log *log;
	struct map bots;          /* by id */
	struct map users;         /* by id */
	struct map names;         /* users by hash of the name */
	struct map groups;        /* by id: all chats that are not private */
	struct map privates;      /* by the bot's number and the user's id */
	struct map files;         /* by number; owned by their messages */
	struct json_object *sets; /* sticker sets, by name: see methods/stickers.c */
	struct file *kept;        /* the files of sets and of rich messages; NULL: none */
	struct list bot_list;     /* in order of creation */
	size_t loaded_bots;       /* while a state is read */
	struct list chat_list;
	size_t bot_count;
	int64_t last_callback, last_file, last_album;
	struct telegram_settings settings;
};

struct user *world_find_user(const struct world *w, int64_t id);
/* Returns the user that a control request names, creating it. Returns -1 when name is neither a positive
 * number nor a name. */
int world_get_user(struct world *w, const char *name, struct user **out, struct error *err);
/* Returns the user with that name or id, or NULL. */
struct user *world_find_person(const struct world *w, const char *name);
struct user *world_new_user(struct world *w, int64_t id, const char *label);
/* Names a user known only by id. */
void world_name_user(struct world *w, struct user *u, const char *name);
/* Returns a number for a name, the same in every run: in [1e9, 5e9). */
int64_t world_name_number(const char *name);
/* Parses a decimal integer of at most 52 bits. */
bool world_read_id(const char *s, int64_t *out);

/* The User object; an unknown user has an id and an empty name. */
void user_write(const struct user *u, struct buf *out);
/* For formatted_write_entities; arg is the world. */
void world_write_user(struct buf *out, int64_t id, void *arg);

/* Returns the bot for a control request: the one with that id, else the newest, else an unclaimed one.
 * NULL with err set for an unknown id. */
struct bot *world_choose_bot(struct world *w, const char *id, struct error *err);
/* Returns the bot of a token's id, creating or claiming it. */
struct bot *world_get_bot(struct world *w, int64_t id);

/* Drops chats, users and files; keeps bots. */
void world_forget(struct world *w);
void world_clear(struct world *w);

/* Saves and loads the world as JSON, for --data; without drafts, typing, rate limits and open presses. */

struct json_object *persist_save(void *self);
/* Loads into an empty world. */
int persist_load(void *self, struct json_object *state, struct error *err);

/* Saves and loads a message. */

struct json_object *persist_message_save(const struct message *m, const struct chat *c);
/* Appends it to the chat under its old id. */
int persist_message_load(struct world *w, struct chat *c, struct json_object *o, struct error *err);

#endif
