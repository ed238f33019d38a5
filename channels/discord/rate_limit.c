#include "channels/discord/rate_limit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/fnv.h"
#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "channels/discord/outcome.h"

#define SECOND_US 1000000
#define MINUTE_MS 60000
/* Burst: how many of a second's requests may go at once. */
#define BURST 5
/* Margin for clock differences and latency, as in discord.js. */
#define RESET_EXTRA_MS 50
/* Routes are a handful; the bound is against a server that names a new bucket each time. */
#define ROUTES_MAX 64

struct route {
	struct list link;
	char name[96], bucket[64];
};

struct discord_bucket {
	struct list link;
	char key[64 + 96]; /* bucket (or route) and major */
	bool known;        /* Discord has announced its limit */
	int64_t remaining; /* until reset_ms */
	uint64_t reset_ms; /* clock_now() */
	uint64_t paused_ms;
	unsigned under_way;
};

void discord_rate_limit_init(
    struct discord_rate_limiter *l, int64_t per_second, unsigned invalid_max, unsigned invalid_stop)
{
	uint64_t n = (uint64_t)per_second;

	*l = (struct discord_rate_limiter){
	    .invalid_max = invalid_max, .invalid_stop = invalid_stop, .burst = n < BURST ? n : BURST};
	if (n > 0)
		l->interval_us = (SECOND_US + n - l->burst) / (n - l->burst + 1);
	list_init(&l->routes);
	task_cond_init(&l->changed);
	for (size_t i = 0; i < DISCORD_RATE_LIMIT_SLOTS; i++)
		list_init(&l->slots[i]);
}

static void forget(struct discord_rate_limiter *l, struct discord_bucket *b)
{
	list_remove(&b->link);
	l->buckets--;
	free(b);
}

void discord_rate_limit_clear(struct discord_rate_limiter *l)
{
	for (size_t i = 0; i < DISCORD_RATE_LIMIT_SLOTS; i++)
		list_each(&l->slots[i], it, tmp)
			forget(l, list_entry(it, struct discord_bucket, link));
	list_each(&l->routes, it, tmp)
		free(list_entry(it, struct route, link));
	task_cond_clear(&l->changed);
}

static struct route *route_find(struct discord_rate_limiter *l, const char *name)
{
	list_each(&l->routes, it, tmp) {
		struct route *r = list_entry(it, struct route, link);
		if (strcmp(r->name, name) == 0)
			return r;
	}
	return NULL;
}

static void route_learn(struct discord_rate_limiter *l, const char *name, const char *bucket)
{
	struct route *r = route_find(l, name);
	size_t count = 0;

	if (!r) {
		list_each(&l->routes, it, tmp)
			count++;
		if (count >= ROUTES_MAX)
			return;
		r = xcalloc(1, sizeof(*r));
		str_copy(r->name, sizeof(r->name), name);
		list_append(&l->routes, &r->link);
	}
	str_copy(r->bucket, sizeof(r->bucket), bucket);
}

static struct list *slot_of(struct discord_rate_limiter *l, const char *key)
{
	return &l->slots[fnv_text(key) % DISCORD_RATE_LIMIT_SLOTS];
}

/* Returns the bucket of a request, and drops buckets in its slot that limit nothing any more. */
static struct discord_bucket *bucket_get(struct discord_rate_limiter *l, const char *route, const char *major)
{
	struct route *r = route_find(l, route);
	uint64_t now = clock_now();
	struct discord_bucket *b;
	char key[sizeof(b->key)];

	snprintf(key, sizeof(key), "%.95s|%.63s", r ? r->bucket : route, major);
	struct list *slot = slot_of(l, key);
	list_each(slot, it, tmp) {
		b = list_entry(it, struct discord_bucket, link);
		if (strcmp(b->key, key) == 0)
			return b;
		if (b->under_way == 0 && b->reset_ms <= now && b->paused_ms <= now)
			forget(l, b);
	}
	b = xcalloc(1, sizeof(*b));
	memcpy(b->key, key, sizeof(key));
	list_append(slot, &b->link);
	l->buckets++;
	return b;
}

/* Returns when this bucket allows the next request; UINT64_MAX: once a running one is answered. */
static uint64_t bucket_ready(const struct discord_bucket *b, uint64_t now)
{
	if (b->paused_ms > now)
		return b->paused_ms;
	/* The limit is unknown, or a new window has begun that no response has described. */
	if (!b->known || b->reset_ms <= now)
		return b->under_way == 0 ? now : UINT64_MAX;
	return b->remaining > 0 ? now : b->reset_ms;
}

static uint64_t all_ready(struct discord_rate_limiter *l, uint64_t now)
{
	uint64_t early = l->interval_us * (l->burst > 0 ? l->burst - 1 : 0);
	uint64_t ready = (l->full_us > early ? l->full_us - early + 999 : 0) / 1000;

	ready = l->paused_ms > ready ? l->paused_ms : ready;
	/* Those of the oldest minute are forgotten with the next one. */
	if (discord_rate_limit_invalid(l) >= l->invalid_stop)
		ready = (now / MINUTE_MS + 1) * MINUTE_MS;
	return ready > now ? ready : now;
}

static void take(struct discord_rate_limiter *l, struct discord_bucket *b)
{
	uint64_t now_us = clock_now() * 1000;

	l->full_us = (l->full_us > now_us ? l->full_us : now_us) + l->interval_us;
	b->under_way++;
	if (b->remaining > 0)
		b->remaining--;
}

struct discord_bucket *discord_rate_limit_enter(
    struct task *t, struct discord_rate_limiter *l, const char *route, const char *major, struct error *err)
{
	for (;;) {
		struct discord_bucket *b = bucket_get(l, route, major);
		uint64_t now = clock_now(), ready = bucket_ready(b, now), all = all_ready(l, now);

		ready = ready > all ? ready : all;
		if (ready <= now) {
			take(l, b);
			return b;
		}
		if (task_cond_wait_until(t, &l->changed, ready, err) < 0)
			return NULL;
	}
}

struct discord_bucket *discord_rate_limit_try(
    struct discord_rate_limiter *l, const char *route, const char *major)
{
	struct discord_bucket *b = bucket_get(l, route, major);
	uint64_t now = clock_now();

	if (now < l->optional_paused_ms || bucket_ready(b, now) > now || all_ready(l, now) > now ||
	    discord_rate_limit_invalid(l) >= l->invalid_max)
		return NULL;
	take(l, b);
	return b;
}

static void learn(struct discord_bucket *b, const struct discord_rate_limit_headers *limit)
{
	uint64_t reset_ms = clock_now() + limit->reset_ms + RESET_EXTRA_MS;

	if (limit->limit < 0 || limit->remaining < 0)
		return;
	/* What is under way is not counted in the answer yet. */
	int64_t left = limit->remaining - (int64_t)b->under_way;
	left = left > 0 ? left : 0;
	/* Answers may overtake one another: within one window the lower count is the newer one. */
	if (!b->known || b->reset_ms + RESET_EXTRA_MS < reset_ms || left < b->remaining)
		b->remaining = left;
	b->reset_ms = reset_ms;
	b->known = true;
}

static void pause_until(uint64_t *at, uint64_t ms)
{
	uint64_t until = clock_now() + ms + RESET_EXTRA_MS;

	*at = until > *at ? until : *at;
}

/* Discord counts 401, 403 and 429, but not limits that the bot shares with others. */
static bool is_invalid(const struct discord_rate_limit_headers *limit, const struct discord_outcome *o)
{
	return o->status == 401 || o->status == 403 ||
	    (o->status == 429 && strcmp(limit->scope, "shared") != 0);
}

/* Advances the count to this minute. */
static unsigned *invalid_now(struct discord_rate_limiter *l)
{
	uint64_t minute = clock_now() / MINUTE_MS;

	for (unsigned n = 0; l->invalid_minute < minute && n < DISCORD_RATE_LIMIT_MINUTES; n++)
		l->invalid[++l->invalid_minute % DISCORD_RATE_LIMIT_MINUTES] = 0;
	l->invalid_minute = minute;
	return &l->invalid[minute % DISCORD_RATE_LIMIT_MINUTES];
}

unsigned discord_rate_limit_invalid(struct discord_rate_limiter *l)
{
	unsigned sum = 0;

	invalid_now(l);
	for (size_t i = 0; i < DISCORD_RATE_LIMIT_MINUTES; i++)
		sum += l->invalid[i];
	return sum;
}

void discord_rate_limit_note(struct discord_rate_limiter *l, const struct discord_rate_limit_headers *limit,
    const struct discord_outcome *outcome)
{
	if (is_invalid(limit, outcome))
		++*invalid_now(l);
	if (outcome->class == DISCORD_BLOCKED || (outcome->class == DISCORD_RATE_LIMITED && outcome->global))
		pause_until(&l->paused_ms, outcome->retry_ms);
}

void discord_rate_limit_leave(struct discord_rate_limiter *l, struct discord_bucket *b, const char *route,
    const char *major, const struct discord_rate_limit_headers *limit, const struct discord_outcome *outcome)
{
	b->under_way--;
	if (limit->bucket[0] != '\0') {
		route_learn(l, route, limit->bucket);
		b = bucket_get(l, route, major);
	}
	learn(b, limit);
	if (outcome) {
		discord_rate_limit_note(l, limit, outcome);
		/* With requests left it is a limit within the limit (of one person, or of edits): this
		 * request alone waits. */
		if (outcome->status == 429 && !outcome->global && limit->remaining <= 0)
			pause_until(&b->paused_ms, outcome->retry_ms);
	}
	task_cond_broadcast(&l->changed);
}

static void read_number(const char *value, int64_t *out)
{
	char *end;
	int64_t n = strtoll(value, &end, 10);

	if (end != value && *end == '\0' && n >= 0 && n < INT32_MAX)
		*out = n;
}

/* Seconds with a fraction, without the locale's strtod. */
static uint64_t read_seconds(const char *value)
{
	char *end;
	uint64_t ms = strtoull(value, &end, 10), scale = 100;

	ms = ms < 86400 ? ms * 1000 : 86400000;
	for (const char *p = *end == '.' ? end + 1 : ""; *p >= '0' && *p <= '9' && scale > 0;
	     p++, scale /= 10)
		ms += (uint64_t)(*p - '0') * scale;
	return ms;
}

void discord_rate_limit_read_header(
    struct discord_rate_limit_headers *limit, const char *name, const char *value)
{
	if (strcasecmp(name, "x-ratelimit-bucket") == 0)
		str_copy(limit->bucket, sizeof(limit->bucket), value);
	else if (strcasecmp(name, "x-ratelimit-scope") == 0)
		str_copy(limit->scope, sizeof(limit->scope), value);
	else if (strcasecmp(name, "x-ratelimit-limit") == 0)
		read_number(value, &limit->limit);
	else if (strcasecmp(name, "x-ratelimit-remaining") == 0)
		read_number(value, &limit->remaining);
	else if (strcasecmp(name, "x-ratelimit-reset-after") == 0)
		limit->reset_ms = read_seconds(value);
}
