#ifndef CHANNELS_TELEGRAM_UPDATE_H
#define CHANNELS_TELEGRAM_UPDATE_H
/* One update of getUpdates (Bot API 10.x) to one message. Pure: no clock, no network, any input. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;
struct message;

/* A longer text is cut, and says so. Telegram's own limit is 4,096 characters, 32,768 for rich messages. */
#define TELEGRAM_TEXT_MAX (128 * 1024)

/* Who we are: what tells a word to us from a word to others. */
struct telegram_self {
	int64_t id;
	char username[40];         /* without @; "" when not known */
	char account[32];          /* "telegram:ID" */
	char channel[32];          /* name in the config */
	const char *stop_reaction; /* borrowed; NULL: none */
	bool hears_all;            /* in groups, without being mentioned: the privacy mode is off */
};

enum telegram_update {
	TELEGRAM_UPDATE_BAD,     /* cannot be understood */
	TELEGRAM_UPDATE_UNKNOWN, /* of a kind that we do not know */
	TELEGRAM_UPDATE_IGNORED, /* known, and nothing that somebody said */
	TELEGRAM_UPDATE_MESSAGE  /* *out is set, the caller's to free */
};

/* Fills chat, kind, title and thread from what has a "chat". False when it cannot be understood. */
bool telegram_update_chat(struct message *out, struct json_object *m, const struct telegram_self *self);
/* A whole number as text, malloc'd. */
char *telegram_update_id_text(int64_t id);

enum telegram_update telegram_update_parse(
    struct json_object *update, const struct telegram_self *self, struct message **out);
/* Its id (> 0), or 0. */
int64_t telegram_update_id(struct json_object *update);
/* The first update_id in the text of an answer that cannot be parsed or was cut off; 0 if there is none. */
int64_t telegram_update_scan_id(const char *text, size_t len);

#endif
