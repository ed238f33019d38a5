#ifndef CHANNELS_TELEGRAM_DOWNLOAD_H
#define CHANNELS_TELEGRAM_DOWNLOAD_H
/* Files that came in: getFile, then a download from the API server's own host. This is channel_ops.fetch. */
struct attachment;
struct attachment_sink;
struct channel;
struct error;
struct task;

/* Bot API, getFile: a larger file cannot be loaded. */
#define TELEGRAM_DOWNLOAD_MAX (20 << 20)

int telegram_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err);

#endif
