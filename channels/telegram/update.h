#ifndef CHANNELS_TELEGRAM_UPDATE_H
#define CHANNELS_TELEGRAM_UPDATE_H
/* Parses an update of getUpdates (Bot API 10.x) into a message. Pure; accepts any input. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct message;

/* Longer text is cut, with a note. Telegram's limit is 4,096 characters, 32,768 for rich messages. */
#define TELEGRAM_TEXT_MAX (128 * 1024)

/* The bot's identity, used to tell messages addressed to the bot from others. */
struct telegram_self {
	int64_t id;
	char username[40];                  /* without @; "" when unknown */
	char account[32];                   /* "telegram:ID" */
	char channel[32];                   /* name in the config */
	const char *stop_reaction;          /* borrowed; NULL: none */
	const struct channel_command *menu; /* borrowed; NULL: unknown */
	bool receives_all;                  /* receives all group messages (privacy mode off) */
};

enum telegram_update {
	TELEGRAM_UPDATE_BAD,     /* malformed */
	TELEGRAM_UPDATE_UNKNOWN, /* of an unknown kind */
	TELEGRAM_UPDATE_IGNORED, /* known, but not a message for the bot */
	TELEGRAM_UPDATE_MESSAGE  /* *out is set; the caller frees it */
};

/* Fills chat, kind, title and thread from an object with a "chat". Returns false when malformed. */
bool telegram_update_chat(struct message *out, struct json_object *m, const struct telegram_self *self);
/* Formats an id. The caller frees the text. */
char *telegram_update_id_text(int64_t id);

enum telegram_update telegram_update_parse(
    struct json_object *update, const struct telegram_self *self, struct message **out);
/* Returns its update_id (> 0), or 0. */
int64_t telegram_update_id(struct json_object *update);
/* Finds the first update_id in an unparsable or truncated response; 0 if there is none. */
int64_t telegram_update_scan_id(const char *text, size_t len);
/* Parses each update of a complete response that does not parse as a whole; one that does not parse becomes
 * an object of its id alone. Returns NULL when the text is cut off or is no response. */
struct json_object *telegram_update_recover(const char *text, size_t len);

#endif
