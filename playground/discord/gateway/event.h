#ifndef PLAYGROUND_DISCORD_GATEWAY_EVENT_H
#define PLAYGROUND_DISCORD_GATEWAY_EVENT_H
/* What the gateway tells: each event to the sessions whose bot sees the place and whose intents include
 * it. */
#include <stdint.h>

struct cord_bot;
struct cord_channel;
struct cord_message;
struct json_object;

/* Discord: events/gateway, List of Intents. */
#define CORD_INTENT_ALWAYS          UINT64_C(0)
#define CORD_INTENT_GUILDS          (UINT64_C(1) << 0)
#define CORD_INTENT_MEMBERS         (UINT64_C(1) << 1)
#define CORD_INTENT_PRESENCES       (UINT64_C(1) << 8)
#define CORD_INTENT_GUILD_MESSAGES  (UINT64_C(1) << 9)
#define CORD_INTENT_GUILD_REACTIONS (UINT64_C(1) << 10)
#define CORD_INTENT_GUILD_TYPING    (UINT64_C(1) << 11)
#define CORD_INTENT_DM_MESSAGES     (UINT64_C(1) << 12)
#define CORD_INTENT_DM_REACTIONS    (UINT64_C(1) << 13)
#define CORD_INTENT_DM_TYPING       (UINT64_C(1) << 14)
#define CORD_INTENT_CONTENT         (UINT64_C(1) << 15)
#define CORD_INTENT_LAST            25

/* Events of one kind: what a session must have asked for, in guilds and in direct messages. */
enum cord_event_kind { CORD_EVENT_MESSAGES, CORD_EVENT_REACTIONS, CORD_EVENT_TYPING };

/* d is taken. */
void cord_event_to_bot(struct cord_bot *b, const char *name, uint64_t intent, struct json_object *d);
/* To all who see the channel; d is taken. */
void cord_event_in_channel(
    const struct cord_channel *c, const char *name, enum cord_event_kind kind, struct json_object *d);
/* CHANNEL_… and THREAD_… : the channel object. */
void cord_event_channel(const struct cord_channel *c, const char *name);
/* MESSAGE_CREATE and MESSAGE_UPDATE: as much of it as each may read. */
void cord_event_message(const struct cord_message *m, const char *name);
/* The reaction of that person or bot. */
void cord_event_reaction(const struct cord_message *m, const char *name, const char *emoji, uint64_t user_id);

#endif
