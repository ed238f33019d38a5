#ifndef TESTS_CRASH_SCENARIO_H
#define TESTS_CRASH_SCENARIO_H
/* Conversations, and the expected result regardless of crashes. */
#include <stdbool.h>
#include <stddef.h>

#define TALK_LINES 5
#define TALK_CHATS 5

/* Channels for messages of the gateway: one on Slack, one on Discord. */
#define TALK_TEAM   "slack:C0TEAM"
#define TALK_SERVER "discord:900000000000000001"

/* A message of a person. */
struct talk_line {
	const char *chat, *user; /* chat with platform: telegram:77 */
	const char *text;        /* user NULL: an operator's message by myna send */
	/* Sent after the bot has said this in the chat; "": once the gateway runs (and is ready if it is
	 * on all platforms); NULL: before. */
	const char *after;
};

/* The expected final content of a chat. */
struct talk_chat {
	const char *chat;
	size_t texts;        /* number of different messages of the bot */
	const char *keys[3]; /* each in exactly one of them */
	bool notices;        /* may be missing if reported: held as uncertain, or told to the model */
};

struct scenario {
	const char *name;
	bool first_start;  /* with an empty state directory */
	bool everywhere;   /* on all platforms, not only Telegram */
	bool fewer;        /* chats may show fewer texts: one answer to several messages */
	const char *queue; /* sessions.queue; NULL: default */
	const char *fault; /* for /control/fault: makes sends uncertain even without a crash */
	/* Stored by one call in the memory of chat telegram:77, and written by another to a file of this
	 * name in notes. */
	const char *note;
	bool command; /* one appends a line to made.txt, where commands can run */
	/* Content of a file plan.txt sent with each message in chat telegram:77; NULL: none. */
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
