#ifndef PLAYGROUND_DISCORD_WORLD_INTERACTION_H
#define PLAYGROUND_DISCORD_WORLD_INTERACTION_H
/* A command or button press. The bot must respond within 3 seconds and may follow up for 15 minutes. */
#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"

struct cord_bot;
struct cord_channel;
struct cord_message;
struct cord_user;
struct json_object;

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
};

/* What begins an interaction. */
struct cord_occasion {
	struct cord_bot *bot;
	struct cord_channel *channel;
	struct cord_user *user;
	enum cord_interaction_type type;
	const char *name;
	struct json_object *data;             /* is taken */
	struct cord_message *source;          /* the message with the component; NULL: none */
	struct json_object *command;          /* of a command: as it is registered; else NULL */
	const struct cord_interaction *cause; /* of a submit: what was answered with the modal; else NULL */
};

/* Sends the event to the bot. */
struct cord_interaction *cord_interaction_new(const struct cord_occasion *o);
void cord_interaction_free(struct cord_interaction *i);
/* Returns "waiting", "deferred", "answered" or "failed". */
const char *cord_interaction_state(const struct cord_interaction *i);

#endif
