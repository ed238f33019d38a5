#ifndef CHANNELS_DISCORD_BACKFILL_H
#define CHANNELS_DISCORD_BACKFILL_H
/*
 * What was said while we had no session: fetched by REST (Get Channel Messages, API v10) from session.gap on,
 * in the order of each channel, before what the new session tells of it. A message that came by the gateway,
 * too, is known by its id.
 */
#include <stdint.h>

struct discord;
struct error;
struct json_object;
struct task;

/* The channels or threads of a GUILD_CREATE, nothing from before since_ms (when we joined; 1970). -1: not all
 * of it was fetched, and it may work later. */
int discord_backfill_channels(
    struct task *t, struct discord *d, struct json_object *list, int64_t since_ms, struct error *err);
/* The private chats that are known. */
int discord_backfill_dms(struct task *t, struct discord *d, struct error *err);

#endif
