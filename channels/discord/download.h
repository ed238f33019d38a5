#ifndef CHANNELS_DISCORD_DOWNLOAD_H
#define CHANNELS_DISCORD_DOWNLOAD_H
/* channel_ops.fetch. Fetches the message again, because a file URL is signed for one day only. Downloads
 * from Discord's hosts only, without the token. Suspends. */
#include <stdbool.h>

struct attachment;
struct attachment_sink;
struct channel;
struct error;
struct task;

int discord_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err);
/* Is this URL allowed for downloads? The host of api_base is, too. Pure. */
bool discord_download_allowed(const char *url, const char *api_base);

#endif
