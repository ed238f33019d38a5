#ifndef PLAYGROUND_TELEGRAM_WORLD_WORLD_H
#define PLAYGROUND_TELEGRAM_WORLD_WORLD_H
/* Everything that exists on the simulated Telegram: bots, people, chats. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/world/map.h"

struct bot;
struct buf;
struct chat;
struct error;
struct json_object;
struct playground;
struct record_log;

struct user {
	int64_t id;
	char *label;    /* as the control interface names the person: a name, or the id */
	char *username; /* NULL: none */
};

struct world {
	struct playground *pg;
	struct record_log *log;
	struct map bots;      /* by id */
	struct map users;     /* by id */
	struct map names;     /* the same, by the number of the name: who goes by a name */
	struct map groups;    /* by id: all chats that are not private */
	struct map privates;  /* by number of the bot and id of the user */
	struct map files;     /* by number; each belongs to its message */
	struct list bot_list; /* in the order of their appearance */
	struct list chat_list;
	size_t bot_count;
	int64_t last_callback, last_file, last_album;
	bool limits;  /* rate limits are on */
	bool privacy; /* bots see of groups only what is meant for them */
};

struct user *world_find_user(const struct world *w, int64_t id);
/* The person that a control request names, created when new. -1 when name is neither a positive number nor a
 * name. */
int world_get_user(struct world *w, const char *name, struct user **out, struct error *err);
/* The one who goes by that name, or has that id; NULL if there is nobody. */
struct user *world_find_person(const struct world *w, const char *name);
struct user *world_new_user(struct world *w, int64_t id, const char *label);
/* Gives a name to a person known by id alone. */
void world_name_user(struct world *w, struct user *u, const char *name);
/* A number for a name, the same on every run: in [1e9, 5e9). */
int64_t world_name_number(const char *name);
/* Is s a decimal integer of at most 52 bits? */
bool world_read_id(const char *s, int64_t *out);

/* The User object of a person; one that is not known has an id and an empty name. */
void user_write(const struct user *u, struct buf *out);
/* For formatted_write_entities; arg is the world. */
void world_write_user(struct buf *out, int64_t id, void *arg);

/* The bot that a control request means: the one with that id, else the newest; one that is
 * not connected yet when there is none. NULL with err set for an unknown id. */
struct bot *world_choose_bot(struct world *w, const char *id, struct error *err);
/* The bot of a token's id, created or claimed when new. */
struct bot *world_get_bot(struct world *w, int64_t id);

/* Chats, people and files go; bots stay. */
void world_forget(struct world *w);
void world_clear(struct world *w);

#endif
