#ifndef PLAYGROUND_DISCORD_WORLD_BOT_H
#define PLAYGROUND_DISCORD_WORLD_BOT_H
/* Bots, their commands, and the interactions that they answer. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "playground/world/map.h"

struct cord_channel;
struct cord_message;
struct cord_user;
struct cord_world;
struct error;
struct json_object;

/* Application commands, global or of a guild. */

struct cord_command {
	struct list link;
	uint64_t id, guild_id;    /* 0: global */
	struct json_object *json; /* the complete Application Command object */
};

struct cord_commands {
	struct list list;
};

struct cord_command *cord_command_find(struct cord_commands *c, uint64_t guild_id, uint64_t id);
/* Finds a command by name and type (1 chat input, 2 user, 3 message), or NULL. */
struct cord_command *cord_command_by_name(
    struct cord_commands *c, uint64_t guild_id, const char *name, int64_t type);
/* Is it one of apps that are installed to guilds (type 0) or people (1)? command: its object. */
bool cord_command_installs(struct json_object *command, int64_t type);
/* Takes json. */
struct cord_command *cord_command_add(
    struct cord_commands *c, uint64_t guild_id, uint64_t id, struct json_object *json);
void cord_command_remove(struct cord_command *command);
void cord_commands_clear(struct cord_commands *c);

/* A bot: its sessions on the gateway, its commands, its direct messages. The application has the bot's id. */

#define CORD_CONCURRENCY_MAX 16

struct cord_bot {
	struct list link;
	struct cord_world *world;
	uint64_t id;    /* 0: no client has connected yet */
	int64_t number; /* counts from 1 */
	char username[40];
	struct map dms; /* channels by user id */
	struct list sessions;
	struct cord_commands commands;
	uint64_t next_identify_ms[CORD_CONCURRENCY_MAX]; /* by bucket */
	bool token_reset; /* after too many IDENTIFYs: the token stays refused */
};

struct cord_bot *cord_bot_new(struct cord_world *w, uint64_t id);
void cord_bot_free(struct cord_bot *b);
/* Drops direct messages and events for replay; keeps sessions and commands. */
void cord_bot_forget(struct cord_bot *b);
/* The User object. */
struct json_object *cord_bot_json(const struct cord_bot *b);

/* Returns the bot for a control request: the one with that id, else the newest, else an unclaimed one.
 * NULL for an unknown id. */
struct cord_bot *cord_bot_choose(struct cord_world *w, const char *id);
struct cord_bot *cord_bot_by_number(const struct cord_world *w, int64_t number); /* NULL if there is none */
/* Returns the bot with that id; creates it or claims the unclaimed one. */
struct cord_bot *cord_bot_get(struct cord_world *w, uint64_t id);
/* Returns the bot of a token "base64(id).time.secret", or NULL if it is malformed or revoked. */
struct cord_bot *cord_bot_of_token(struct cord_world *w, const char *token);

/* A command or button press. The bot must respond within 3 seconds and may follow up for 15 minutes. */

/* Discord: interactions/receiving-and-responding, Interaction Type. */
enum cord_interaction_type {
	CORD_INTERACTION_COMMAND = 2,
	CORD_INTERACTION_COMPONENT = 3,
	CORD_INTERACTION_AUTOCOMPLETE = 4,
	CORD_INTERACTION_MODAL = 5
};

enum cord_callback {
	CORD_CALLBACK_NONE = 0, /* no response yet */
	CORD_CALLBACK_PONG = 1,
	CORD_CALLBACK_MESSAGE = 4,
	CORD_CALLBACK_DEFERRED_MESSAGE = 5,
	CORD_CALLBACK_DEFERRED_UPDATE = 6,
	CORD_CALLBACK_UPDATE = 7,
	CORD_CALLBACK_AUTOCOMPLETE = 8,
	CORD_CALLBACK_MODAL = 9
};

#define CORD_INTERACTION_ANSWER_MS 3000
#define CORD_INTERACTION_TOKEN_MS  900000

struct cord_interaction {
	struct list link;
	uint64_t id;
	char token[65];
	enum cord_interaction_type type;
	struct cord_bot *bot;
	struct cord_channel *channel;
	struct cord_user *user;
	char *name;                  /* name of the command, or the custom_id */
	int64_t command_type;        /* 1: chat, 2: user, 3: message; 0: no command */
	struct json_object *command; /* of a command: as it is registered; else NULL */
	struct json_object *meta;    /* interaction_metadata of its messages */
	uint64_t began_ms;           /* of clock_now() */
	enum cord_callback answered;
	struct cord_message *source;   /* of a press: the message with the button; NULL: none */
	struct cord_message *original; /* the original response; NULL: none yet */
	struct json_object *choices;   /* of an autocomplete response; NULL: none */
	struct json_object *modal;     /* of a modal response, until it is submitted; NULL: none */
	bool ephemeral;
	int followups; /* where the app is not, there are at most five */
};

/* The parameters of a new interaction. */
struct cord_interaction_params {
	struct cord_bot *bot;
	struct cord_channel *channel;
	struct cord_user *user;
	enum cord_interaction_type type;
	const char *name;
	struct json_object *data;             /* taken */
	struct cord_message *source;          /* the message with the component; NULL: none */
	struct json_object *command;          /* of a command: as it is registered; else NULL */
	const struct cord_interaction *cause; /* of a submit: what was answered with the modal; else NULL */
};

/* Sends the event to the bot. */
struct cord_interaction *cord_interaction_new(const struct cord_interaction_params *o);
void cord_interaction_free(struct cord_interaction *i);
/* Returns "waiting", "deferred", "answered" or "failed". */
const char *cord_interaction_state(const struct cord_interaction *i);

/* Saves and loads the state, except sessions and interactions. See struct platform. */

struct json_object *cord_persist_save(void *self);
int cord_persist_load(void *self, struct json_object *state, struct error *err);

#endif
