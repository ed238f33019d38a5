#ifndef CHANNELS_DISCORD_EVENT_H
#define CHANNELS_DISCORD_EVENT_H
/* Parses a message object or an interaction of the gateway (v10) into a message. Pure; accepts any input. */
#include <stdbool.h>
#include <stdint.h>

struct discord_guild;
struct discord_channel;
struct discord_cache;
struct json_object;
struct message;

/* Longer text is cut, with a note. Discord's limit is 4,000 characters. */
#define DISCORD_TEXT_MAX (128 * 1024)

/* The bot's identity. */
struct discord_self {
	uint64_t user, app;
	char username[40];
	char account[40];  /* "discord:APPLICATION" */
	char channel[32];  /* name in the config */
	bool receives_all; /* has the message content intent */
};

enum discord_event {
	DISCORD_EVENT_BAD,     /* malformed */
	DISCORD_EVENT_IGNORED, /* not a person's message */
	DISCORD_EVENT_EMPTY,   /* content is hidden: the message content intent is off */
	DISCORD_EVENT_MESSAGE  /* *out is set; the caller frees it */
};

/* Where the message was sent. */
struct discord_event_context {
	const struct discord_self *self;
	struct discord_cache *cache;
	const struct discord_channel *channel; /* for its channel_id */
	const struct discord_guild *guild;     /* NULL: none or unknown */
	const struct channel_command *menu;    /* the commands' options; NULL: unknown */
};

/* MESSAGE_CREATE or a message of GET /channels/{id}/messages; and MESSAGE_UPDATE. */
enum discord_event discord_event_message(
    struct json_object *message, const struct discord_event_context *context, struct message **out);
enum discord_event discord_event_edit(
    struct json_object *message, const struct discord_event_context *context, struct message **out);
/* A slash command or a button press of INTERACTION_CREATE. */
enum discord_event discord_event_interaction(
    struct json_object *interaction, const struct discord_event_context *context, struct message **out);
/* A MESSAGE_REACTION_ADD with the emoji that stops turns. *out has no event_id. */
enum discord_event discord_event_reaction(
    struct json_object *reaction, const struct discord_event_context *context, struct message **out);
/* A GUILD_CREATE of a guild that the bot has just joined. The greeting goes to its system channel. */
enum discord_event discord_event_joined(
    struct json_object *guild, const struct discord_self *self, struct message **out);

/* The message_id of an interaction is this prefix and the interaction's id. */
#define DISCORD_INTERACTION_MARK "i:"
/* Parses ISO 8601 with an offset, as Discord writes it, into Unix ms; 0 if it is none. */
int64_t discord_time_parse(const char *text);

#endif
