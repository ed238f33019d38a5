#ifndef CHANNELS_SLACK_EVENT_H
#define CHANNELS_SLACK_EVENT_H
/*
 * Parses an event (Events API), a slash command or a button press into a message. Pure; accepts any input.
 *
 * A mention arrives as two events, "message" and "app_mention", in any order. Both get the same key, made of
 * channel and ts, so the inbox keeps the first; each alone tells whether it addresses the bot.
 */
#include <stdbool.h>
#include <stddef.h>

#include "bus/message.h"

struct channel_command;
struct json_object;
struct slack_users;
struct slack_recent_map;

/* Longer text is cut, with a note. Slack's limit is 40,000 characters. */
#define SLACK_TEXT_MAX (256 * 1024)

/* The bot's identity. */
struct slack_self {
	char team[32], user[32], bot[32], app[32]; /* ids: T1, UBOT, BBOT, A1; "" when unknown */
	char account[80];                          /* "slack:TEAM:USER" */
	char channel[32];                          /* name in the config */
	char name[80];                             /* of the bot */
};

struct slack_event_context {
	const struct slack_self *self;
	const struct slack_users *people;       /* NULL: no names are known */
	const struct slack_recent_map *threads; /* threads in which the bot wrote; NULL: none */
	bool thread_replies;
	const char *command;                /* the bot's slash command */
	const char *stop_reaction;          /* as in struct channel */
	const struct channel_command *menu; /* subcommands of the slash command; NULL: unknown */
};

enum slack_event {
	SLACK_EVENT_BAD,     /* malformed */
	SLACK_EVENT_UNKNOWN, /* of an unknown kind */
	SLACK_EVENT_IGNORED, /* known, but not a message for the bot */
	SLACK_EVENT_MESSAGE  /* *out is set; the caller frees it */
};

/* type is the envelope's: "events_api", "slash_commands" or "interactive". */
enum slack_event slack_event_read(const char *type, struct json_object *payload,
    const struct slack_event_context *context, struct message **out);

/* Is this a ts such as "1790000000.000200"? */
bool slack_event_is_ts(const char *s);
/* Was the message written by us, or by Slack itself? */
bool slack_event_is_own(struct json_object *m, const struct slack_self *self);
/* Converts a ts to Unix ms; 0 if it is none. */
int64_t slack_event_ts_ms(const char *ts);

#endif
