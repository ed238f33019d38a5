#ifndef TESTS_CRASH_SCENARIO_H
#define TESTS_CRASH_SCENARIO_H
/* Conversations, and what must come of them however often the gateway dies on the way. */
#include <stdbool.h>
#include <stddef.h>

#define TALK_LINES 5
#define TALK_CHATS 5

/* Channels where the gateway can be told to send: one of Slack, one of Discord. */
#define TALK_TEAM   "slack:C0TEAM"
#define TALK_SERVER "discord:900000000000000001"

/* What somebody writes. */
struct talk_line {
	const char *chat, *user; /* the chat with its platform: telegram:77 */
	const char *text;        /* of an operator (user NULL): a message that myna send gives to the chat */
	/* Said once the bot has said this in the same chat; "": once the gateway runs, and is ready where it
	 * is everywhere; NULL: before it does. */
	const char *after;
};

/* What a chat must show at the end. */
struct talk_chat {
	const char *chat;
	size_t texts;        /* different messages of the bot */
	const char *keys[3]; /* each in exactly one of them */
	bool notices; /* may be missing where that is told: held as uncertain, or reported to the model */
};

struct scenario {
	const char *name;
	bool first_start;  /* with an empty state directory */
	bool everywhere;   /* the gateway is on all platforms, not on Telegram alone */
	bool fewer;        /* chats may show fewer texts: messages that are asked together have one answer */
	const char *queue; /* sessions.queue; NULL: as it is unless it is set */
	const char *fault; /* for /control/fault: sends are in doubt also without a crash */
	/* Noted by one call in the memory of chat telegram:77, and written by another to a file of this name
	 * in notes. */
	const char *note;
	/* What a file plan.txt holds that comes with all that is written in chat telegram:77; NULL: none
	 * does. */
	const char *file;
	struct talk_line lines[TALK_LINES];
	struct talk_chat chats[TALK_CHATS];
};

extern const struct scenario scenarios[];
extern const size_t talk_count;

/* Files in the workspace. */
struct talk_file {
	const char *name, *text;
};
extern const struct talk_file talk_files[];
extern const size_t talk_file_count;

#endif
