#ifndef PLAYGROUND_DISCORD_GATEWAY_EVENT_H
#define PLAYGROUND_DISCORD_GATEWAY_EVENT_H
/* Sends gateway events to the sessions whose bot sees the channel and whose intents include the event. */
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

/* Kinds of events whose intent differs between guilds and direct messages. */
enum cord_event_kind { CORD_EVENT_MESSAGES, CORD_EVENT_REACTIONS, CORD_EVENT_TYPING };

/* Takes d. */
void cord_event_to_bot(struct cord_bot *b, const char *name, uint64_t intent, struct json_object *d);
/* Sends to all bots that see the channel. Takes d. */
void cord_event_in_channel(
    const struct cord_channel *c, const char *name, enum cord_event_kind kind, struct json_object *d);
/* CHANNEL_... and THREAD_... events with the channel object. */
void cord_event_channel(const struct cord_channel *c, const char *name);
/* MESSAGE_CREATE and MESSAGE_UPDATE, each session with the content that it may read. */
void cord_event_message(const struct cord_message *m, const char *name);
/* The reaction of a user or bot. */
void cord_event_reaction(const struct cord_message *m, const char *name, const char *emoji, uint64_t user_id);

#endif
