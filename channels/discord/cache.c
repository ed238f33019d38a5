#include "channels/discord/cache.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "bus/escape.h"

/* The first millisecond of Discord's ids. */
#define EPOCH_MS INT64_C(1420070400000)

/* The id is the first member of both kinds of node. */
static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void discord_cache_init(struct discord_cache *p, size_t shards)
{
	*p = (struct discord_cache){.order_max = shards * DISCORD_CHANNELS_MAX, .shards = shards};
}

void discord_cache_clear(struct discord_cache *p)
{
	tdestroy(p->guilds, free);
	tdestroy(p->channels, free);
	free(p->order);
	*p = (struct discord_cache){0};
}

uint64_t discord_id_parse(const char *text)
{
	char *end;
	uint64_t id;

	if (!text || text[0] < '0' || text[0] > '9')
		return 0;
	errno = 0;
	id = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0' && id <= INT64_MAX ? id : 0;
}

uint64_t discord_id_get(struct json_object *o, const char *key)
{
	return discord_id_parse(json_get_str(o, key));
}

int64_t discord_id_time(uint64_t id)
{
	return (int64_t)(id >> 22) + EPOCH_MS;
}

uint64_t discord_id_at(int64_t ms)
{
	return ms > EPOCH_MS ? (uint64_t)(ms - EPOCH_MS) << 22 : 0;
}

void discord_name_copy(char *out, size_t size, const char *name)
{
	struct buf clean = BUF_INIT;

	escape_name(&clean, name ? name : "", size - 1, UTF8_BYTES);
	str_copy(out, size, clean.data);
	buf_clear(&clean);
}

bool discord_type_is_thread(int type)
{
	return type >= DISCORD_NEWS_THREAD && type <= DISCORD_PRIVATE_THREAD;
}

static void *find(void *tree, uint64_t id)
{
	void **at = tfind(&id, &tree, compare);

	return at ? *at : NULL;
}

struct discord_guild *discord_cache_guild(struct discord_cache *p, uint64_t id)
{
	return find(p->guilds, id);
}

struct discord_channel *discord_cache_channel(struct discord_cache *p, uint64_t id)
{
	return find(p->channels, id);
}

/* Discord makes a role for a bot that was invited with permissions, and ties it to the bot by a tag. */
void discord_cache_note_role(struct discord_guild *g, struct json_object *role, uint64_t self)
{
	if (discord_id_get(json_get_object(role, "tags"), "bot_id") == self && self != 0)
		g->our_role = discord_id_get(role, "id");
}

struct discord_guild *discord_cache_note_guild(
    struct discord_cache *p, struct json_object *guild, uint64_t self)
{
	struct json_object *roles = json_get_array(guild, "roles");
	uint64_t id = discord_id_get(guild, "id");
	struct discord_guild *g = discord_cache_guild(p, id);

	if (id == 0 || (!g && p->guild_count >= p->shards * DISCORD_GUILDS_MAX))
		return NULL;
	if (!g) {
		g = xcalloc(1, sizeof(*g));
		g->id = id;
		tsearch(g, &p->guilds, compare);
		p->guild_count++;
	}
	if (json_get_str(guild, "name"))
		discord_name_copy(g->name, sizeof(g->name), json_get_str(guild, "name"));
	for (size_t i = 0; roles && i < json_object_array_length(roles); i++)
		discord_cache_note_role(g, json_object_array_get_idx(roles, i), self);
	return g;
}

void discord_cache_drop_guild(struct discord_cache *p, uint64_t id)
{
	struct discord_guild *g = discord_cache_guild(p, id);

	if (!g)
		return;
	tdelete(g, &p->guilds, compare);
	p->guild_count--;
	free(g);
}

void discord_cache_drop_channel(struct discord_cache *p, uint64_t id)
{
	struct discord_channel *c = discord_cache_channel(p, id);

	if (!c)
		return;
	tdelete(c, &p->channels, compare);
	p->channel_count--;
	free(c);
}

/* Remembers the id as the newest; returns the one whose place it takes, 0 while there is room. */
static uint64_t note_order(struct discord_cache *p, uint64_t id)
{
	size_t at = p->order_next++ % p->order_max;
	uint64_t oldest;

	if (at == p->order_size && p->order_size < p->order_max) {
		size_t size = at == 0 ? 64 : 2 * at;

		p->order_size = size < p->order_max ? size : p->order_max;
		p->order = xrealloc(p->order, p->order_size * sizeof(*p->order));
		memset(p->order + at, 0, (p->order_size - at) * sizeof(*p->order));
	}
	oldest = p->order[at];
	p->order[at] = id;
	return oldest;
}

static struct discord_channel *channel_new(struct discord_cache *p, uint64_t id)
{
	struct discord_channel *c = xcalloc(1, sizeof(*c));
	uint64_t oldest = note_order(p, id);

	if (oldest != 0)
		discord_cache_drop_channel(p, oldest);
	c->id = id;
	tsearch(c, &p->channels, compare);
	p->channel_count++;
	return c;
}

struct discord_channel *discord_cache_note_channel(
    struct discord_cache *p, struct json_object *channel, uint64_t guild)
{
	uint64_t id = discord_id_get(channel, "id"), of = discord_id_get(channel, "guild_id");
	int type = (int)json_get_int(channel, "type", -1);
	struct discord_channel *c = discord_cache_channel(p, id);

	if (id == 0 || type < 0)
		return NULL;
	if (!c)
		c = channel_new(p, id);
	c->type = type;
	c->guild = of != 0 ? of : guild;
	/* A channel's parent is its category, which says nothing here. */
	c->parent = discord_type_is_thread(type) ? discord_id_get(channel, "parent_id") : 0;
	discord_name_copy(c->name, sizeof(c->name), json_get_str(channel, "name"));
	return c;
}
