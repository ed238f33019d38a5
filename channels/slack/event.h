#ifndef CHANNELS_SLACK_EVENT_H
#define CHANNELS_SLACK_EVENT_H
/*
 * What came over the socket to one message: an event (Events API), a slash command, a press of a button.
 * Pure: no clock, no network, any input.
 *
 * A mention comes as two events, "message" and "app_mention", in any order: both get the same key, made of
 * channel and ts, so that the inbox takes the first, and each of them tells alone whether it is for us.
 */
#include <stdbool.h>
#include <stddef.h>

#include "bus/message.h"

struct channel_command;
struct json_object;
struct slack_users;
struct slack_recent_map;

/* A longer text is cut, and says so. Slack's own limit is 40,000 characters. */
#define SLACK_TEXT_MAX (256 * 1024)

/* Who we are. */
struct slack_self {
	char team[32], user[32], bot[32], app[32]; /* ids: T1, UBOT, BBOT, A1; "" when not known */
	char account[80];                          /* "slack:TEAM:USER" */
	char channel[32];                          /* name in the config */
	char name[80];                             /* of the bot */
};

struct slack_event_context {
	const struct slack_self *self;
	const struct slack_users *people;       /* NULL: no names are known */
	const struct slack_recent_map *threads; /* in which we wrote; NULL: none */
	bool thread_replies;
	const char *command;                /* the slash command that is ours */
	const char *stop_reaction;          /* as struct channel has it */
	const struct channel_command *menu; /* what may stand behind it; NULL: not known */
};

enum slack_event {
	SLACK_EVENT_BAD,     /* cannot be understood */
	SLACK_EVENT_UNKNOWN, /* of a kind that we do not know */
	SLACK_EVENT_IGNORED, /* known, and nothing that somebody said */
	SLACK_EVENT_MESSAGE  /* *out is set, the caller's to free */
};

/* type is the envelope's: "events_api", "slash_commands", "interactive". */
enum slack_event slack_event_read(const char *type, struct json_object *payload,
    const struct slack_event_context *context, struct message **out);

/* Is it a ts, "1790000000.000200"? */
bool slack_event_is_ts(const char *s);
/* The ts as milliseconds since 1970, 0 if it is none. */
int64_t slack_event_ts_ms(const char *ts);

#endif
