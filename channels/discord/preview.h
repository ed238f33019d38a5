#ifndef CHANNELS_DISCORD_PREVIEW_H
#define CHANNELS_DISCORD_PREVIEW_H
/* channel_ops.preview: an answer while it is written, as a message that is edited, and that the answer
 * replaces. */
struct channel;
struct error;
struct preview;
struct task;

int discord_preview(struct task *t, struct channel *ch, struct preview *p, struct error *err);

#endif
