#ifndef CHANNELS_DISCORD_CACHE_LOOKUP_H
#define CHANNELS_DISCORD_CACHE_LOOKUP_H
/* What the gateway did not tell of a channel: asked for by REST, once. After a RESUME in a new process it
 * tells nothing. */
struct discord;
struct discord_guild;
struct discord_channel;
struct json_object;
struct task;

/* The channel of a message or interaction object. NULL: the account stops, or Discord cannot be asked for
 * now. */
struct discord_channel *discord_cache_lookup_channel(
    struct task *t, struct discord *d, struct json_object *o);
/* Its server; NULL: none, or nothing is to be known. */
struct discord_guild *discord_cache_lookup_guild(
    struct task *t, struct discord *d, struct json_object *o, const struct discord_channel *channel);

#endif
