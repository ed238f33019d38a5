#include "session/guest_limit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/mem.h"
#include "bus/message.h"

/* A full bucket, in ms: a command takes GUEST_LIMIT_MS. */
#define FULL ((uint64_t)GUEST_LIMIT_BURST * GUEST_LIMIT_MS)

struct bucket {
	char *who;   /* CHANNEL:ID; NULL: unused */
	uint64_t at; /* clock_now() of the last change */
	uint64_t left;
	bool notified;
};

struct guest_limit {
	struct bucket buckets[GUEST_LIMIT_PEOPLE];
};

struct guest_limit *guest_limit_new(void)
{
	return xcalloc(1, sizeof(struct guest_limit));
}

void guest_limit_free(struct guest_limit *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < GUEST_LIMIT_PEOPLE; i++)
		free(g->buckets[i].who);
	free(g);
}

static struct bucket *find(struct guest_limit *g, const struct message *m)
{
	char *who = xasprintf("%s:%s", m->from.channel, m->sender_id ? m->sender_id : "");
	struct bucket *oldest = &g->buckets[0];

	for (size_t i = 0; i < GUEST_LIMIT_PEOPLE; i++) {
		struct bucket *b = &g->buckets[i];
		if (b->who && strcmp(b->who, who) == 0) {
			free(who);
			return b;
		}
		oldest = b->at < oldest->at ? b : oldest;
	}
	free(oldest->who);
	*oldest = (struct bucket){.who = who, .at = clock_now(), .left = FULL};
	return oldest;
}

static struct bucket *refill(struct guest_limit *g, const struct message *m)
{
	struct bucket *b = find(g, m);
	uint64_t now = clock_now(), more = now - b->at;

	b->left = FULL - b->left > more ? b->left + more : FULL;
	b->at = now;
	if (b->left == FULL)
		b->notified = false;
	return b;
}

static enum guest_limit_verdict refuse(struct bucket *b)
{
	bool first = !b->notified;

	b->notified = true;
	return first ? GUEST_LIMIT_REFUSED : GUEST_LIMIT_SILENT;
}

enum guest_limit_verdict guest_limit_command(struct guest_limit *g, const struct message *m)
{
	struct bucket *b = refill(g, m);

	if (b->left < GUEST_LIMIT_MS)
		return refuse(b);
	b->left -= GUEST_LIMIT_MS;
	return GUEST_LIMIT_ADMITTED;
}

enum guest_limit_verdict guest_limit_notice(struct guest_limit *g, const struct message *m)
{
	struct bucket *b = refill(g, m);

	b->left -= b->left < GUEST_LIMIT_MS ? b->left : GUEST_LIMIT_MS;
	return refuse(b);
}
