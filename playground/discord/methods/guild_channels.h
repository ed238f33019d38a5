#ifndef PLAYGROUND_DISCORD_METHODS_GUILD_CHANNELS_H
#define PLAYGROUND_DISCORD_METHODS_GUILD_CHANNELS_H
/* Changes channels and threads by the members of a body. */
struct cord_call;
struct cord_channel;
struct json_object;

/* Takes what the body has. Returns -1 after a failure. */
int cord_channel_take(struct cord_call *call, struct cord_channel *c, struct json_object *body);
/* Modify Channel, for channels that are no threads. */
int cord_channel_update(struct cord_call *call, struct cord_channel *c);

#endif
