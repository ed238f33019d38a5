/* How long other nodes have given no sign of life. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "store/cluster.h"
#include "store/postgres/cluster_internal.h"

/* After this long a node without a lock is dead. */
#define SILENCE_MAX_MS 2000

/* clock_boot_ms; 0: it had a lock or a heartbeat since the last heartbeat of this node. */
static uint64_t silence_since(const struct silence *s, const struct nodes_peer *peer)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->unlocked[i].incarnation, peer->incarnation) == 0 &&
		    strcmp(s->unlocked[i].until_ms, peer->until_ms) == 0)
			return s->unlocked[i].silent_ms;
	return 0;
}

bool silence_means_dead(
    const struct silence *s, const struct nodes_peer *peer, const struct cluster_settings *c)
{
	/* On a busy machine, a thread may not run for some time. */
	uint64_t since = peer->is_locked ? 0 : silence_since(s, peer), max = (uint64_t)c->lease_ms / 8;

	if (max > SILENCE_MAX_MS)
		max = SILENCE_MAX_MS;
	return peer->is_settled && (peer->is_late || (since > 0 && clock_boot_ms() >= since + max));
}

void silence_note(struct silence *s, const struct nodes_peer *peers, size_t count)
{
	struct silence now = {.unlocked = xcalloc(count + 1, sizeof(*now.unlocked))};

	for (size_t i = 0; i < count; i++) {
		uint64_t since = silence_since(s, &peers[i]);

		if (peers[i].is_locked)
			continue;
		now.unlocked[now.count] = peers[i];
		now.unlocked[now.count++].silent_ms = since > 0 ? since : clock_boot_ms();
	}
	silence_clear(s);
	*s = now;
}

void silence_clear(struct silence *s)
{
	free(s->unlocked);
	*s = (struct silence){0};
}
