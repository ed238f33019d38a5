#include "llm/llm_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"

/* Maximum cooldown: a provider that keeps failing is still tried from time to time. */
#define COOLDOWN_MAX_MS (15 * 60 * 1000)
#define DOUBLED_MAX     5

void fallback_make(struct llm_fallback *c, struct llm *l, const char *chosen, uint64_t who)
{
	struct llm_candidate *first = NULL;

	c->items = xcalloc(l->order_count + 1, sizeof(struct llm_candidate *));
	c->count = 0;
	c->who = who;
	for (size_t i = 0; chosen && i < l->count && !first; i++)
		if (strcmp(l->order[i].provider->name, chosen) == 0)
			first = &l->order[i];
	if (first)
		c->items[c->count++] = first;
	for (size_t i = 0; i < l->order_count; i++)
		if (&l->order[i] != first)
			c->items[c->count++] = &l->order[i];
}

void fallback_clear(struct llm_fallback *c)
{
	free(c->items);
}

static bool has_turn(const struct llm_candidate *candidate)
{
	const struct llm_learned *learned = candidate->provider->learned;

	return !learned || llm_request_rate_wait(&learned->request_rate) == 0;
}

/* After a cooldown one requester at a time tests the provider. */
static bool rests(const struct llm_candidate *candidate, uint64_t who)
{
	const struct llm_suspect *failed = suspects_find(&candidate->suspects, who);

	return candidate->cooldown_until > clock_now() || (failed && failed->until > clock_now()) ||
	    (candidate->trying && candidate->trying != who);
}

size_t fallback_ready(const struct llm_fallback *c, size_t from)
{
	while (from < c->count && (rests(c->items[from], c->who) || !has_turn(c->items[from])))
		from++;
	return from;
}

size_t fallback_first(const struct llm_fallback *c)
{
	size_t at = fallback_ready(c, 0);

	for (size_t i = 0; at == c->count && i < c->count; i++)
		if (!rests(c->items[i], c->who))
			return i;
	return at < c->count ? at : 0;
}

static bool share_key(const struct llm_provider *a, const struct llm_provider *b)
{
	return a->settings.key && b->settings.key && strcmp(a->settings.key, b->settings.key) == 0 &&
	    strcmp(a->settings.base_url, b->settings.base_url) == 0;
}

static void cool(struct llm_candidate *c, const struct llm_retry_policy *policy, uint64_t asked_ms)
{
	unsigned doubled = c->failures < DOUBLED_MAX ? c->failures : DOUBLED_MAX;
	uint64_t ms = policy->cooldown_ms << doubled;

	if (ms > COOLDOWN_MAX_MS)
		ms = policy->cooldown_ms > COOLDOWN_MAX_MS ? policy->cooldown_ms : COOLDOWN_MAX_MS;
	if (ms < asked_ms)
		ms = asked_ms;
	c->failures++;
	c->cooldown_until = clock_now() + ms;
	log_info("llm", "%s cools down for %llu s", c->provider->name, (unsigned long long)ms / 1000);
}

void fallback_start_cooldown(struct llm *l, struct llm_candidate *failed, uint64_t who,
    enum llm_error_class class, const struct error *why)
{
	const struct llm_retry_policy *policy = llm_retry_policy(class);
	/* A key without access to one model may have access to another. */
	bool key = policy->key && why->code != 403;

	if (policy->cooldown_ms == 0 && why->retry_ms == 0)
		return;
	if (!suspects_add(&failed->suspects, who, clock_now() + policy->cooldown_ms, class, why))
		return;
	llm_retry_policy_note(LLM_COOLED_DOWN, class);
	cool(failed, policy, why->retry_ms);
	for (size_t i = 0; key && i < l->count; i++)
		if (&l->order[i] != failed && share_key(l->order[i].provider, failed->provider))
			cool(&l->order[i], policy, why->retry_ms);
}

void fallback_end_cooldown(struct llm_candidate *answered)
{
	answered->failures = 0;
	answered->cooldown_until = 0;
	answered->suspects.count = 0;
}
