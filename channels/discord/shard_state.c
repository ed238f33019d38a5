#include "channels/discord/discord_internal.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/format.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/time/clock.h"
#include "bus/channel.h"
#include "channels/discord/receive.h"

void discord_shard_cursor(unsigned id, char name[static DISCORD_CURSOR_MAX])
{
	if (id == 0)
		str_copy(name, DISCORD_CURSOR_MAX, "gateway");
	else
		str_format(name, DISCORD_CURSOR_MAX, "gateway %u", id);
}

static int read_session(struct task *t, struct discord *d, unsigned id,
    struct discord_gateway_session *session, struct error *err)
{
	char *text = NULL, name[DISCORD_CURSOR_MAX];

	discord_shard_cursor(id, name);
	if (channel_read_cursor(t, d->ch, d->self.account, name, &text, err) < 0)
		return -1;
	discord_gateway_session_read(session, text);
	free(text);
	return 0;
}

/* Sessions of another number of shards cannot be resumed: all begin anew, and backfill from the oldest last
 * event among them. */
static int since_all(struct task *t, struct discord *d, unsigned count, uint64_t *since, struct error *err)
{
	struct discord_gateway_session session = {0};
	bool lost = false;
	int rc = 0;

	*since = 0;
	for (unsigned i = 0; i < count && rc == 0; i++) {
		rc = read_session(t, d, i, &session, err);
		/* Another unit has begun anew already: where its former session ended is lost. */
		lost |= rc == 0 && session.shards == d->shard_total;
		uint64_t last = session.gap != 0 ? session.gap : session.mark;
		if (last != 0 && (*since == 0 || last < *since))
			*since = last;
	}
	if (lost)
		*since = discord_id_at(clock_wall() - d->settings->backfill_ms);
	discord_gateway_session_clear(&session);
	return rc;
}

/* Stores the first shard last: after an earlier crash the former number is still found, and all is done
 * again. */
static int begin_anew(struct task *t, struct discord *d, unsigned former, struct error *err)
{
	uint64_t since;

	log_info(d->self.channel,
	    "all gateway sessions begin anew: there are %zu shards now, and there were %u", d->shard_total,
	    former);
	if (since_all(t, d, former, &since, err) < 0)
		return -1;
	for (size_t i = d->shard_count; i-- > 0;) {
		struct discord_shard *s = &d->shards[i];

		s->session.mark = since;
		if (discord_receive_commit(t, s, NULL, 0, -1, 0, err) < 0)
			return -1;
	}
	return 0;
}

int discord_shards_load(struct task *t, struct discord *d, size_t count, struct error *err)
{
	const unsigned units = d->ch->units;

	discord_gateway_clear(d);
	d->shard_total = count;
	d->shard_count = count / units;
	discord_cache_clear(&d->cache);
	discord_cache_init(&d->cache, d->shard_count);
	d->shards = xcalloc(d->shard_count, sizeof(*d->shards));
	for (size_t i = 0; i < d->shard_count; i++) {
		d->shards[i] = (struct discord_shard){.d = d,
		    .id = d->ch->unit + (unsigned)i * units,
		    .turn = -1,
		    .session = {.shards = (unsigned)count},
		    .retry = {.base_ms = d->limits->retry_ms, .max_ms = d->limits->retry_max_ms}};
		discord_event_queue_init(&d->shards[i].queue);
	}
	for (size_t i = 0; i < d->shard_count; i++) {
		struct discord_gateway_session *session = &d->shards[i].session;

		if (read_session(t, d, d->shards[i].id, session, err) < 0)
			return -1;
		if (i == 0 && session->shards != 0 && session->shards != count) {
			unsigned former = session->shards;

			discord_gateway_session_clear(session);
			session->shards = (unsigned)count;
			return begin_anew(t, d, former, err);
		}
		session->shards = (unsigned)count;
	}
	return 0;
}
