#ifndef CHANNELS_DISCORD_DOWNLOAD_H
#define CHANNELS_DISCORD_DOWNLOAD_H
/* Files that came in: channel_ops.fetch. Their message is asked for, because the URL in it is signed for a
 * day only; loaded is from Discord's own hosts alone, without the token. */
#include <stdbool.h>

struct attachment;
struct attachment_sink;
struct channel;
struct error;
struct task;

int discord_download(struct task *t, struct channel *ch, const struct attachment *a,
    const struct attachment_sink *sink, struct error *err);
/* May files be loaded from this URL? api_base: its host may have them, too. Pure. */
bool discord_download_allowed(const char *url, const char *api_base);

#endif
