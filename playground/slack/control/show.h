#ifndef PLAYGROUND_SLACK_CONTROL_SHOW_H
#define PLAYGROUND_SLACK_CONTROL_SHOW_H
/* Tells the feed of what shows in a conversation, and writes what is there. */
#include <stdint.h>

struct buf;
struct feed_mark;
struct slk_conv;
struct slk_message;

/* what: new, edited, deleted or reaction, a literal. */
void slk_show_message(const struct slk_conv *c, const struct slk_message *m, const char *what);
void slk_show_status(const struct slk_conv *c, int64_t thread);
/* It is new, or something of it has changed. */
void slk_show_conv(const struct slk_conv *c);

/* As struct platform has it. */
void slk_show_write(void *self, const struct feed_mark *mark, struct buf *out);

#endif
