#include "playground/discord/http/rate_limit.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/mem.h"

#define GLOBAL_LIMIT  50
#define GLOBAL_MS     1000
#define GLOBAL_KEY    31 /* in addition to a bot's buckets */
#define INVALID_LIMIT 10000
#define INVALID_MS    600000
#define NEAR_FROM     5        /* one request may fill smaller buckets: they are always near */
#define BAN_MS        86400000 /* Undocumented: docs.discord.food, 24 hours */

static const struct {
	const char *name, *hash;
	unsigned limit, per_ms;
} buckets[] = {
    [CORD_BUCKET_NONE] = {"none", NULL, 0, 0},
    [CORD_BUCKET_DEFAULT] = {"default", "0a9c3bd2f4671e58c0de33f1a5b2894d", 30, 10000},
    [CORD_BUCKET_COMMANDS] = {"commands", "1b4e0c77d2a95f3688aa1c92e4d03f67", 5, 20000},
    [CORD_BUCKET_CREATES] = {"creates", NULL, 200, 86400000}, /* Discord: Registering a Command */
    [CORD_BUCKET_DELETE] = {"delete", "2c61f80e93bd47a5f0127e6b8c5d9a34", 5, 1000},
    [CORD_BUCKET_EDIT] = {"edit", "3d87a1e5406fc29bb34498d7f16ec052", 5, 5000},
    [CORD_BUCKET_GATEWAY] = {"gateway", "4e29d60b7c18fa53e5719cb03d84a6f2", 2, 5000},
    [CORD_BUCKET_OLD_EDIT] = {"old_edit", "c4e17d9b2f8036a5d13ce8947b6f20a1", 3,
	6000}, /* docs.discord.food */
    [CORD_BUCKET_OPEN_DM] = {"open_dm", "5f13c7a96eb20d84971fd2e8064ab35c", 10, 10000},
    [CORD_BUCKET_REACTION] = {"reaction", "60d5e28f1b9473ca2a06b8f5c7913ed4", 1, 250},
    [CORD_BUCKET_READ] = {"read", "71e8b4035ac6d92f4c83f7206d1e95ab", 5, 5000},
    [CORD_BUCKET_SEND] = {"send", "80f2d61c947be3a05d5ac1e8742b096f", 5, 5000},
    [CORD_BUCKET_THREAD] = {"thread", "91a7c3f0582ed64b6e12d90b8f53c7a1", 10, 60000},
    [CORD_BUCKET_TYPING] = {"typing", "a2c6f93d17508be47f34e1a2905d68bc", 5, 5000},
    [CORD_BUCKET_WEBHOOK] = {"webhook", "b3d40e8a7c6921f5803bf9647ae15d2c", 5, 2000},
};

enum cord_bucket cord_bucket_named(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_LEN(buckets); i++)
		if (strcmp(buckets[i].name, name) == 0)
			return (enum cord_bucket)i;
	return CORD_BUCKET_DEFAULT;
}

static bool take(struct cord_window *w, unsigned limit, unsigned per_ms)
{
	uint64_t now = clock_now();

	if (now >= w->until_ms)
		*w = (struct cord_window){.until_ms = now + per_ms};
	if (w->used >= limit)
		return false;
	w->used++;
	return true;
}

static void tell(const struct cord_window *w, unsigned limit, struct cord_limit_state *state)
{
	state->limit = limit;
	state->remaining = limit - w->used;
	state->reset_ms = w->until_ms - clock_now();
	state->used = limit < NEAR_FROM ? 0 : w->used * 100 / limit;
}

static struct cord_window *window_of(struct cord_limits *l, int64_t bot, int64_t key, uint64_t major)
{
	struct cord_window *w = map_get(&l->windows, bot * 32 + key, (int64_t)major);

	if (!w) {
		w = xcalloc(1, sizeof(*w));
		map_put(&l->windows, bot * 32 + key, (int64_t)major, w);
	}
	return w;
}

bool cord_limits_take(
    struct cord_limits *l, enum cord_bucket kind, int64_t bot, uint64_t major, struct cord_limit_state *state)
{
	unsigned limit = buckets[kind].limit;
	struct cord_window *w;
	bool taken;

	*state = (struct cord_limit_state){.bucket = buckets[kind].hash};
	if (kind == CORD_BUCKET_NONE)
		return true;
	w = window_of(l, bot, kind, major);
	taken = take(w, limit, buckets[kind].per_ms);
	tell(w, limit, state);
	return taken;
}

bool cord_limits_take_global(struct cord_limits *l, int64_t bot, struct cord_limit_state *state)
{
	struct cord_window *w = window_of(l, bot, GLOBAL_KEY, 0);
	bool taken = take(w, GLOBAL_LIMIT, GLOBAL_MS);

	*state = (struct cord_limit_state){0};
	tell(w, GLOBAL_LIMIT, state);
	return taken;
}

void cord_limits_invalid(struct cord_limits *l)
{
	take(&l->invalid, INVALID_LIMIT, INVALID_MS);
	if (l->invalid.used == INVALID_LIMIT && !cord_limits_banned(l))
		l->banned_until_ms = clock_now() + BAN_MS;
}

bool cord_limits_banned(const struct cord_limits *l)
{
	return clock_now() < l->banned_until_ms;
}

void cord_limits_clear(struct cord_limits *l)
{
	size_t count;
	void **all = map_values(&l->windows, &count);

	for (size_t i = 0; i < count; i++)
		free(all[i]);
	free(all);
	map_clear(&l->windows);
	*l = (struct cord_limits){0};
}
