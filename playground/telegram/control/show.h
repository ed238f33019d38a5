#ifndef PLAYGROUND_TELEGRAM_CONTROL_SHOW_H
#define PLAYGROUND_TELEGRAM_CONTROL_SHOW_H
/* Marks visible changes of a chat in the feed and writes their content. */
struct buf;
struct chat;
struct feed_mark;
struct message;

/* what: the literal "new", "edited", "deleted" or "reaction". */
void show_message(const struct chat *c, const struct message *m, const char *what);
void show_drafts(const struct chat *c);
void show_action(const struct chat *c);
/* The chat is new or has changed. */
void show_chat(const struct chat *c);

/* See struct platform. */
void show_write(void *self, const struct feed_mark *mark, struct buf *out);

#endif
