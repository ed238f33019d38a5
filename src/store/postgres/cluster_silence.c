/* Since when other nodes have given no sign of life. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "store/postgres/cluster_internal.h"

uint64_t silence_since(const struct silence *s, const struct nodes_peer *peer)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->unlocked[i].incarnation, peer->incarnation) == 0 &&
		    strcmp(s->unlocked[i].until_ms, peer->until_ms) == 0)
			return s->unlocked[i].silent_ms;
	return 0;
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
