#ifndef CHANNELS_TELEGRAM_DOWNLOAD_H
#define CHANNELS_TELEGRAM_DOWNLOAD_H
/* channel_ops.fetch: downloads a received file from api_base (getFile). Suspends. */
struct attachment;
struct attachment_sink;
struct channel;
struct error;
struct task;

/* Bot API, getFile: larger files cannot be downloaded. */
#define TELEGRAM_DOWNLOAD_MAX (20 << 20)

int telegram_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err);

#endif
