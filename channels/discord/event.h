#ifndef CHANNELS_DISCORD_EVENT_H
#define CHANNELS_DISCORD_EVENT_H
/* A message object or an interaction of the gateway (v10) to one message. Pure: no clock, no network, any
 * input. */
#include <stdbool.h>
#include <stdint.h>

struct discord_guild;
struct discord_channel;
struct discord_cache;
struct json_object;
struct message;

/* A longer text is cut, and says so. Discord's own limit is 4,000 characters. */
#define DISCORD_TEXT_MAX (128 * 1024)

/* Who we are. */
struct discord_self {
	uint64_t user, app;
	char username[40];
	char account[40]; /* "discord:APPLICATION" */
	char channel[32]; /* name in the config */
	bool hears_all;   /* has the message content intent */
};

enum discord_event {
	DISCORD_EVENT_BAD,     /* cannot be understood */
	DISCORD_EVENT_IGNORED, /* nothing that a person said */
	DISCORD_EVENT_EMPTY,   /* something that we are not shown: the message content intent is off */
	DISCORD_EVENT_MESSAGE  /* *out is set, the caller's to free */
};

/* Where it was said. */
struct discord_event_context {
	const struct discord_self *self;
	struct discord_cache *cache;
	const struct discord_channel *channel; /* of its channel_id */
	const struct discord_guild *guild;     /* NULL: none, or not known */
	const struct channel_command *menu;    /* what the options of a command are; NULL: not known */
};

/* MESSAGE_CREATE, a message of GET /channels/{id}/messages; or MESSAGE_UPDATE. */
enum discord_event discord_event_message(
    struct json_object *message, const struct discord_event_context *context, struct message **out);
enum discord_event discord_event_edit(
    struct json_object *message, const struct discord_event_context *context, struct message **out);
/* A slash command or a button of INTERACTION_CREATE. */
enum discord_event discord_event_interaction(
    struct json_object *interaction, const struct discord_event_context *context, struct message **out);
/* A MESSAGE_REACTION_ADD with the emoji that stops turns. *out has no event_id. */
enum discord_event discord_event_reaction(
    struct json_object *reaction, const struct discord_event_context *context, struct message **out);
/* The server of this GUILD_CREATE is one that we joined just now: the greeting's channel is its system
 * channel. */
enum discord_event discord_event_joined(
    struct json_object *guild, const struct discord_self *self, struct message **out);

/* message_id of what came by an interaction is this and the interaction's id. */
#define DISCORD_INTERACTION_MARK "i:"
/* ISO 8601 with an offset, as Discord writes it, in 1970 ms; 0 if it is none. */
int64_t discord_time_parse(const char *text);

#endif
