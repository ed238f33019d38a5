#ifndef PLAYGROUND_TELEGRAM_TEXT_RICH_H
#define PLAYGROUND_TELEGRAM_TEXT_RICH_H
/* Rich messages (Bot API: RichMessage), and the languages in which bots write them: Rich HTML, Rich Markdown.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;

struct rich_source {
	const char *text;
	bool markdown;      /* else HTML */
	bool draft;         /* may say that the bot thinks */
	bool skip_entities; /* nothing is found in the text that has no marks */
	bool right_to_left;
	/* Writes the User object of a mention. */
	void (*write_user)(struct buf *out, int64_t id, void *arg);
	/* Writes the file of an element as the Bot API has it in a block, without braces: its type and the
	 * rest. The URL begins with http://, https:// or tg://. Returns -1 with err set. */
	int (*write_media)(
	    struct buf *out, const char *element, const char *url, void *arg, struct error *err);
	void *arg;
};

/* Appends the RichMessage. On -1 err has what follows "Bad Request: ". */
int rich_read(const struct rich_source *source, struct buf *out, struct error *err);
/* Appends what a RichMessage says, without its form. */
void rich_plain(const char *rich, struct buf *out);

#endif
