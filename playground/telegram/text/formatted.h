#ifndef PLAYGROUND_TELEGRAM_TEXT_FORMATTED_H
#define PLAYGROUND_TELEGRAM_TEXT_FORMATTED_H
/* Text with entities (Bot API: MessageEntity), and the languages in which bots write it. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text/utf8.h"

struct json_object;

/* Text with entities (Bot API: MessageEntity). Offsets and lengths are UTF-16 code units. */

enum entity_type { /* in the order of equal ranges: outer ones first */
	ENTITY_BLOCKQUOTE,
	ENTITY_EXPANDABLE_BLOCKQUOTE,
	ENTITY_TEXT_LINK,
	ENTITY_TEXT_MENTION,
	ENTITY_BOLD,
	ENTITY_ITALIC,
	ENTITY_UNDERLINE,
	ENTITY_STRIKETHROUGH,
	ENTITY_SPOILER,
	ENTITY_CODE,
	ENTITY_PRE,
	ENTITY_CUSTOM_EMOJI,
	ENTITY_DATE_TIME,
	ENTITY_MENTION, /* from here on: detected in the text */
	ENTITY_HASHTAG,
	ENTITY_CASHTAG,
	ENTITY_BOT_COMMAND,
	ENTITY_URL,
	ENTITY_EMAIL,
	ENTITY_TYPES
};

struct entity {
	enum entity_type type;
	int32_t offset, length;
	int64_t number; /* text_mention: user id; date_time: Unix time */
	char *text;     /* text_link: URL; pre: language; custom_emoji: id; date_time: format; else NULL */
};

struct formatted {
	struct buf text;
	struct entity *entities;
	size_t count, cap;
};

#define FORMATTED_INIT               \
	{                            \
		BUF_INIT, NULL, 0, 0 \
	}

void formatted_clear(struct formatted *f);
/* Takes text, which may be NULL. Skips entities of length 0. */
void formatted_add(struct formatted *f, enum entity_type type, size_t offset, size_t length, char *text);
/* Clears *to and moves *from to it. */
void formatted_move(struct formatted *to, struct formatted *from);
/* Adds a copy of from to the empty *to. */
void formatted_copy(struct formatted *to, const struct formatted *from);
bool formatted_equal(const struct formatted *a, const struct formatted *b);
size_t formatted_units(const struct formatted *f); /* UTF-16 length of the text */

/* Reads the entities parameter. On error err has the platform's sentence. */
int formatted_read_entities(struct formatted *f, struct json_object *array, struct error *err);
/* Normalises a text as the platform does: control characters become blanks, the ends are trimmed, entities
 * are sorted and reduced to allowed nesting, links, mentions and commands are detected. */
void formatted_finish(struct formatted *f);

const char *entity_type_name(enum entity_type type);
/* Writes the JSON array of entities. write_user writes the User object of a text_mention. */
void formatted_write_entities(const struct formatted *f, struct buf *out,
    void (*write_user)(struct buf *out, int64_t id, void *arg), void *arg);

/* Finds entities in plain text: mentions, commands, hashtags, links, e-mail addresses. */

/* Adds them where no other entity forbids it. Sorts the entities of f. */
void entities_find(struct formatted *f);

/* parse_mode HTML (Bot API, "HTML style"), with the official server's errors. */

/* Appends to out; on -1 err has what follows "can't parse entities: ". */
int html_parse(const char *s, size_t len, struct formatted *out, struct error *err);
/* Reads the character reference at *at, which is at '&'; returns 0 for none, with *at unchanged. rich: those
 * of Rich HTML, too. */
uint32_t html_reference(const char *s, size_t len, size_t *at, bool rich);

/* Links in formatted text: ordinary ones, and tg:// links to a user, emoji or time. */

/* Adds a text_link, or a text_mention for tg://user?id=N. Drops an invalid URL, as the platform does. */
void link_add(struct formatted *f, size_t offset, size_t length, const char *url);
/* custom_emoji (value: its id) or date_time (value: Unix time; format may be NULL). */
int link_add_special(struct formatted *f, enum entity_type type, size_t offset, size_t length,
    const char *value, const char *format, struct error *err);
/* Would the platform open it: a URL with a known scheme, or a host name? */
bool link_is_valid(const char *url);

/* parse_mode MarkdownV2 and the legacy Markdown (Bot API, "Formatting options"), with the official
 * server's errors. */

/* Both append to out; on -1 err has what follows "can't parse entities: ". */
int markdown_parse_v2(const char *s, size_t len, struct formatted *out, struct error *err);
int markdown_parse_legacy(const char *s, size_t len, struct formatted *out, struct error *err);

#endif
