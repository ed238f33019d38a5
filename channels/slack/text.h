#ifndef CHANNELS_SLACK_TEXT_H
#define CHANNELS_SLACK_TEXT_H
/* Converts Slack's text to readable text: "<@U1>", "<#C1|name>", "<!here>", "<https://x|label>" and the
 * three entities (docs.slack.dev, "Formatting message text"). Pure. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct channel_command;
struct slack_users;

struct slack_text_flags {
	bool to_us;     /* mentions the bot, outside of code */
	bool to_others; /* mentions somebody else */
};

/* Appends the text without a leading mention of the user self. people and menu may be NULL. */
void slack_text_read(struct buf *out, const char *text, const char *self, const struct slack_users *people,
    const struct channel_command *menu, struct slack_text_flags *words);
/* Copies a name as one line without brackets, which mark the daemon's own notes. The caller frees it. */
char *slack_text_name(const char *name);
/* Appends the text of blocks, for messages with an empty text. */
struct json_object;
void slack_text_blocks(struct buf *out, struct json_object *blocks);
/* Calls each for every mentioned person. */
void slack_text_mentions(const char *text, void (*each)(const char *id, void *arg), void *arg);

#endif
