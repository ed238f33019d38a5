#ifndef PLAYGROUND_DISCORD_CONTROL_SHOW_H
#define PLAYGROUND_DISCORD_CONTROL_SHOW_H
/* Tells the feed of what shows in a channel, and writes what is there. A thread shows as one of its
 * channel. */
struct buf;
struct cord_channel;
struct cord_message;
struct feed_mark;

/* what: new, edited, deleted or reaction, a literal. */
void cord_show_message(const struct cord_message *m, const char *what);
void cord_show_typing(const struct cord_channel *c);
/* It is new, or something of it has changed. */
void cord_show_channel(const struct cord_channel *c);

/* As struct platform has it. */
void cord_show_write(void *self, const struct feed_mark *mark, struct buf *out);

#endif
