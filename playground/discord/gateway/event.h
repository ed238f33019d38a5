#ifndef PLAYGROUND_DISCORD_GATEWAY_EVENT_H
#define PLAYGROUND_DISCORD_GATEWAY_EVENT_H
/* Sends gateway events to the sessions whose bot sees the channel and whose intents include the event. */
#include <stdint.h>

struct cord_bot;
struct cord_channel;
struct cord_guild;
struct cord_message;
struct json_object;

/* Discord: events/gateway, List of Intents. */
#define CORD_INTENT_ALWAYS          UINT64_C(0)
#define CORD_INTENT_GUILDS          (UINT64_C(1) << 0)
#define CORD_INTENT_MEMBERS         (UINT64_C(1) << 1)
#define CORD_INTENT_MODERATION      (UINT64_C(1) << 2)
#define CORD_INTENT_EXPRESSIONS     (UINT64_C(1) << 3)
#define CORD_INTENT_INTEGRATIONS    (UINT64_C(1) << 4)
#define CORD_INTENT_WEBHOOKS        (UINT64_C(1) << 5)
#define CORD_INTENT_INVITES         (UINT64_C(1) << 6)
#define CORD_INTENT_VOICE           (UINT64_C(1) << 7)
#define CORD_INTENT_PRESENCES       (UINT64_C(1) << 8)
#define CORD_INTENT_GUILD_MESSAGES  (UINT64_C(1) << 9)
#define CORD_INTENT_GUILD_REACTIONS (UINT64_C(1) << 10)
#define CORD_INTENT_GUILD_TYPING    (UINT64_C(1) << 11)
#define CORD_INTENT_DM_MESSAGES     (UINT64_C(1) << 12)
#define CORD_INTENT_DM_REACTIONS    (UINT64_C(1) << 13)
#define CORD_INTENT_DM_TYPING       (UINT64_C(1) << 14)
#define CORD_INTENT_CONTENT         (UINT64_C(1) << 15)
#define CORD_INTENT_SCHEDULED       (UINT64_C(1) << 16)
#define CORD_INTENT_RULES           (UINT64_C(1) << 20)
#define CORD_INTENT_RULES_ACTED     (UINT64_C(1) << 21)
#define CORD_INTENT_GUILD_POLLS     (UINT64_C(1) << 24)
#define CORD_INTENT_DM_POLLS        (UINT64_C(1) << 25)
#define CORD_INTENT_LAST            25

/* Kinds of events whose intent differs between guilds and direct messages. */
enum cord_event_kind {
	CORD_EVENT_CHANNEL, /* of guilds: as the channel is */
	CORD_EVENT_MESSAGES,
	CORD_EVENT_POLLS,
	CORD_EVENT_REACTIONS,
	CORD_EVENT_TYPING
};

/* Takes d. */
void cord_event_to_bot(struct cord_bot *b, const char *name, uint64_t intent, struct json_object *d);
/* Sends to all bots that see the channel. Takes d. */
void cord_event_in_channel(
    const struct cord_channel *c, const char *name, enum cord_event_kind kind, struct json_object *d);
/* Sends to the bots in the guild that have the permissions there. Takes d. */
void cord_event_in_guild(const struct cord_guild *g, const char *name, uint64_t intent, uint64_t permissions,
    struct json_object *d);
/* CHANNEL_... and THREAD_... events with the channel object. */
void cord_event_channel(const struct cord_channel *c, const char *name);
/* MESSAGE_CREATE and MESSAGE_UPDATE, each session with the content that it may read. */
void cord_event_message(const struct cord_message *m, const char *name);
/* The reaction of a user or bot. */
void cord_event_reaction(const struct cord_message *m, const char *name, const char *emoji, uint64_t user_id);

#endif
