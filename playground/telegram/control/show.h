#ifndef PLAYGROUND_TELEGRAM_CONTROL_SHOW_H
#define PLAYGROUND_TELEGRAM_CONTROL_SHOW_H
/* Tells the feed of what shows in a chat, and writes what is there. */
struct buf;
struct chat;
struct feed_mark;
struct message;

/* what: new, edited, deleted or reaction, a literal. */
void show_message(const struct chat *c, const struct message *m, const char *what);
void show_drafts(const struct chat *c);
void show_action(const struct chat *c);
/* It is new, or something of it has changed. */
void show_chat(const struct chat *c);

/* As struct platform has it. */
void show_write(void *self, const struct feed_mark *mark, struct buf *out);

#endif
