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
	CORD_INTERACTION_AUTOCOMPLETE = 4
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
	char *name;        /* name of the command, or the custom_id */
	uint64_t began_ms; /* of clock_now() */
	enum cord_callback answered;
	struct cord_message *source;   /* of a press: the message with the button; NULL: none */
	struct cord_message *original; /* the original response; NULL: none yet */
	struct json_object *choices;   /* of an autocomplete response; NULL: none */
	bool ephemeral;
};

/* Sends the event to the bot. Takes data. message: the one with the component, NULL for commands. */
struct cord_interaction *cord_interaction_new(struct cord_bot *b, struct cord_channel *c, struct cord_user *u,
    enum cord_interaction_type type, const char *name, struct json_object *data, struct cord_message *source);
void cord_interaction_free(struct cord_interaction *i);
/* Returns "waiting", "deferred", "answered" or "failed". */
const char *cord_interaction_state(const struct cord_interaction *i);

#endif
