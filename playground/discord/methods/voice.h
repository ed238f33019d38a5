#ifndef PLAYGROUND_DISCORD_METHODS_VOICE_H
#define PLAYGROUND_DISCORD_METHODS_VOICE_H
/* Voice states: who is in which voice channel. There is no sound. */
#include <stdint.h>

struct cord_call;
struct cord_channel;
struct cord_guild;
struct json_object;

/* Puts somebody in the channel; NULL: out of it. self: self_mute and self_deaf; may be NULL. Sends the
 * events. */
void cord_voice_set(struct cord_guild *g, uint64_t id, struct cord_channel *c, struct json_object *self);
/* The channel_id of the body moves a member, or disconnects it. Returns -1 after a failure. */
int cord_voice_move(struct cord_call *call, struct cord_guild *g, uint64_t id);

#endif
