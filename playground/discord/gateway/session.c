#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "playground/discord/gateway/gateway.h"
#include "playground/server/websocket.h"
#include "playground/playground.h"

/* Undocumented: chosen here. */
#define RING_MAX       10000
#define RING_BYTES_MAX (32 << 20)

/* Discord: resources/application, Application Flags: "limited" is what small bots have. */
#define FLAG_PRESENCE_LIMITED (INT64_C(1) << 13)
#define FLAG_MEMBERS_LIMITED  (INT64_C(1) << 15)
#define FLAG_CONTENT_LIMITED  (INT64_C(1) << 19)

int64_t cord_application_flags(const struct cord_world *w)
{
	return (w->settings.message_content ? FLAG_CONTENT_LIMITED : 0) |
	    (w->settings.members ? FLAG_MEMBERS_LIMITED : 0) |
	    (w->settings.presences ? FLAG_PRESENCE_LIMITED : 0);
}

struct cord_session *cord_session_new(struct cord_bot *b, uint64_t intents)
{
	struct cord_session *s = xcalloc(1, sizeof(*s));
	uint64_t random[2];

	clock_random(random, sizeof(random));
	snprintf(s->id, sizeof(s->id), "%016" PRIx64 "%016" PRIx64, random[0], random[1]);
	s->bot = b;
	s->intents = intents;
	s->ring = xcalloc(RING_MAX, sizeof(*s->ring));
	list_append(&b->sessions, &s->link);
	return s;
}

static void drop_oldest(struct cord_session *s)
{
	struct cord_dispatch *d = &s->ring[s->first];

	s->bytes -= d->len;
	free(d->text);
	s->first = (s->first + 1) % RING_MAX;
	s->count--;
}

void cord_session_forget(struct cord_session *s)
{
	while (s->count > 0)
		drop_oldest(s);
}

void cord_session_free(struct cord_session *s)
{
	if (!s)
		return;
	if (s->socket)
		s->socket->session = NULL;
	list_remove(&s->link);
	cord_session_forget(s);
	free(s->ring);
	free(s);
}

struct cord_session *cord_session_find(struct cord_bot *b, const char *id)
{
	list_each_entry(&b->sessions, struct cord_session, s, link) {
		if (!s->socket && clock_now() > s->lost_ms + CORD_SESSION_KEPT_MS)
			cord_session_free(s);
		else if (strcmp(s->id, id) == 0)
			return s;
	}
	return NULL;
}

/* Discord: events/gateway, Sharding. */
bool cord_shard_has(int64_t shard, int64_t shards, uint64_t guild_id)
{
	return shards <= 1 || (int64_t)((guild_id >> 22) % (uint64_t)shards) == shard;
}

bool cord_session_serves(const struct cord_session *s, uint64_t guild_id)
{
	return cord_shard_has(s->shard, s->shards, guild_id);
}

static void post(struct cord_session *s, const char *text, size_t len)
{
	if (!websocket_peer_fault(s->socket->peer, s->bot->world->pg, "discord", &text, &len))
		cord_socket_post(s->socket, text, len);
}

void cord_session_dispatch(struct cord_session *s, const char *name, struct json_object *d)
{
	struct buf text = BUF_INIT;
	struct cord_dispatch *slot;

	strict_judge_object(&s->bot->world->pg->strict, "discord", name, d);
	if (!s->socket && clock_now() > s->lost_ms + CORD_SESSION_KEPT_MS) {
		cord_session_free(s);
		return;
	}
	buf_addf(&text, "{\"t\":\"%s\",\"s\":%" PRId64 ",\"op\":0,\"d\":", name, ++s->seq);
	json_write(&text, d);
	buf_addch(&text, '}');
	if (s->count == RING_MAX)
		drop_oldest(s);
	slot = &s->ring[(s->first + s->count++) % RING_MAX];
	slot->len = text.len;
	slot->text = buf_take(&text);
	s->bytes += slot->len;
	if (s->socket)
		post(s, slot->text, slot->len);
	while (s->bytes > RING_BYTES_MAX && s->count > 1)
		drop_oldest(s);
}

bool cord_session_has(const struct cord_session *s, int64_t seq)
{
	return seq >= s->seq - (int64_t)s->count;
}

void cord_session_replay(struct cord_session *s, int64_t seq)
{
	size_t skip = s->count - (size_t)(s->seq - seq);

	for (size_t i = skip; i < s->count; i++) {
		struct cord_dispatch *d = &s->ring[(s->first + i) % RING_MAX];

		post(s, d->text, d->len);
	}
}

void cord_session_lose(struct cord_session *s)
{
	s->socket = NULL;
	s->lost_ms = clock_now();
}
