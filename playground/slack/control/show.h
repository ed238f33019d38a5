#ifndef PLAYGROUND_SLACK_CONTROL_SHOW_H
#define PLAYGROUND_SLACK_CONTROL_SHOW_H
/* Marks visible changes of a conversation in the feed and writes their content. */
#include <stdint.h>

struct buf;
struct feed_mark;
struct slk_conv;
struct slk_message;

/* what: the literal "new", "edited", "deleted" or "reaction". */
void slk_show_message(const struct slk_conv *c, const struct slk_message *m, const char *what);
void slk_show_status(const struct slk_conv *c, int64_t thread);
/* The conversation is new or has changed. */
void slk_show_conv(const struct slk_conv *c);

/* See struct platform. */
void slk_show_write(void *self, const struct feed_mark *mark, struct buf *out);

#endif
