#ifndef PLAYGROUND_DISCORD_CONTROL_SHOW_H
#define PLAYGROUND_DISCORD_CONTROL_SHOW_H
/* Marks visible changes of a channel in the feed and writes their content. A thread is shown as part of
 * its channel. */
struct buf;
struct cord_channel;
struct cord_message;
struct feed_mark;

/* what: the literal "new", "edited", "deleted" or "reaction". */
void cord_show_message(const struct cord_message *m, const char *what);
void cord_show_typing(const struct cord_channel *c);
/* The channel is new or has changed. */
void cord_show_channel(const struct cord_channel *c);

/* See struct platform. */
void cord_show_write(void *self, const struct feed_mark *mark, struct buf *out);

#endif
