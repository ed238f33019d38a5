#ifndef CHANNELS_CONSOLE_SEND_H
#define CHANNELS_CONSOLE_SEND_H
/* The way out to terminals. These are channel_ops' split, admit, send, typing and preview. */
struct address;
struct channel;
struct error;
struct outbound;
struct preview;
struct task;

/* A terminal takes a text of any length. */
char **console_split(const char *text);
/* Waits until a terminal is there. */
int console_admit(struct task *t, struct channel *ch, const struct outbound *delivery, struct error *err);
/* Sent when a terminal has confirmed that it showed the delivery. */
int console_send(struct task *t, struct channel *ch, const struct outbound *delivery, char **platform_id,
    struct error *err);
int console_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err);
int console_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif
