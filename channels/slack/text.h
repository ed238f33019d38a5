#ifndef CHANNELS_SLACK_TEXT_H
#define CHANNELS_SLACK_TEXT_H
/*
 * Text as Slack sends it, made readable: "<@U1>", "<#C1|name>", "<!here>", "<https://x|label>" and the three
 * entities (docs.slack.dev, "Formatting message text"). Pure.
 */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct slack_users;

struct slack_words {
	bool to_us;     /* we are mentioned, outside of code */
	bool to_others; /* somebody else is */
};

/* Appends the text. The mention of user self is left out at its beginning, with the blanks behind it. people
 * may be NULL. */
void slack_text_read(struct buf *out, const char *text, const char *self, const struct slack_users *people,
    struct slack_words *words);
/* A name as it may stand in one line among remarks of ours: without their brackets. The caller's to free. */
char *slack_text_name(const char *name);
/* The text of blocks, for messages whose own is empty. */
struct json_object;
void slack_text_blocks(struct buf *out, struct json_object *blocks);
/* Calls each for every person that the text mentions. */
void slack_text_mentions(const char *text, void (*each)(const char *id, void *arg), void *arg);

#endif
