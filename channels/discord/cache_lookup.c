#include "channels/discord/cache.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/format.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "channels/discord/api.h"
#include "channels/discord/discord_internal.h"

#define TRIES 5

/* Caches a channel whose id alone is known, as a plain channel or a private chat. */
static struct discord_channel *note_plain(struct discord *d, uint64_t id, uint64_t guild, int type)
{
	struct json_object *o = json_object_new_object();
	struct discord_channel *channel;
	char text[24];

	str_format(text, sizeof(text), "%" PRIu64, id);
	json_set_str(o, "id", text);
	json_set_int(o, "type", type);
	channel = discord_cache_note_channel(&d->cache, o, guild);
	json_object_put(o);
	return channel;
}

static struct discord_channel *ask(struct task *t, struct discord *d, uint64_t id, uint64_t guild)
{
	struct discord_outcome outcome;
	struct error err = {0};
	char text[24], *path;

	str_format(text, sizeof(text), "%" PRIu64, id);
	path = xasprintf("/channels/%s", text);
	struct json_object *o = discord_api_get(t, d, "/channels/{}", path, text, TRIES, &outcome, &err);
	struct discord_channel *channel = o ? discord_cache_note_channel(&d->cache, o, guild) : NULL;
	free(path);
	json_object_put(o);
	if (channel)
		return channel;
	if (err.kind == ERROR_NETWORK || err.kind == ERROR_LIMITED || err.kind == ERROR_CANCELLED ||
	    d->refused)
		return NULL;
	log_info(d->self.channel, "cannot fetch the type of a channel: %s channel=%" PRIu64, err.text, id);
	return note_plain(d, id, guild, DISCORD_TEXT);
}

struct discord_channel *discord_cache_lookup_channel(struct task *t, struct discord *d, struct json_object *o)
{
	uint64_t id = discord_id_get(o, "channel_id"), guild = discord_id_get(o, "guild_id");
	struct discord_channel *channel = discord_cache_channel(&d->cache, id);

	if (channel || id == 0)
		return channel;
	/* An interaction brings a part of its channel. */
	if (json_get_object(o, "channel"))
		channel = discord_cache_note_channel(&d->cache, json_get_object(o, "channel"), guild);
	if (channel)
		return channel;
	return guild == 0 ? note_plain(d, id, 0, DISCORD_DM) : ask(t, d, id, guild);
}

struct discord_guild *discord_cache_lookup_guild(
    struct task *t, struct discord *d, struct json_object *o, const struct discord_channel *channel)
{
	struct discord_guild *guild = channel ? discord_cache_guild(&d->cache, channel->guild) : NULL;
	struct json_object *roles = json_get_array(o, "mention_roles"), *reply;
	char text[24], *path;

	/* Worth a request only where a role is mentioned, which may be ours; else only the name is missing.
	 */
	if (guild || !channel || channel->guild == 0 || !roles || json_object_array_length(roles) == 0)
		return guild;
	str_format(text, sizeof(text), "%" PRIu64, channel->guild);
	path = xasprintf("/guilds/%s", text);
	reply = discord_api_get(t, d, "/guilds/{}", path, text, TRIES, NULL, NULL);
	guild = reply ? discord_cache_note_guild(&d->cache, reply, d->self.user) : NULL;
	json_object_put(reply);
	free(path);
	return guild;
}
