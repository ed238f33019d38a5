#include "channels/discord/discord_internal.h"

#include <stdlib.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/discord/discord.h"
#include "channels/discord/cache.h"
#include "channels/discord/api.h"

/* Returns the slot of a channel; a new one if typing was not shown there. */
static uint64_t *shown_at(struct discord_typings *ts, uint64_t channel)
{
	for (size_t i = 0; i < DISCORD_TYPINGS; i++)
		if (ts->shown[i].channel == channel)
			return &ts->shown[i].at_ms;
	unsigned place = ts->next++ % DISCORD_TYPINGS;
	ts->shown[place].channel = channel;
	ts->shown[place].at_ms = 0;
	return &ts->shown[place].at_ms;
}

int discord_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err)
{
	struct discord *d = ch->state;
	const char *channel = discord_channel_of(where);
	uint64_t id = discord_id_parse(channel), *at_ms = shown_at(&d->typings, id);
	struct discord_answer a;
	struct error why = {0};

	if (d->refused || id == 0)
		return error_set(err, ERROR_REFUSED, "typing cannot be shown there");
	if ((*at_ms != 0 && clock_now() < *at_ms + d->limits->typing_ms) ||
	    !rate_limit_try(&d->rate_limiter, channel))
		return 0;
	*at_ms = clock_now();
	char *path = xasprintf("/channels/%s/typing", channel);
	struct discord_call call = {.method = "POST",
	    .route = "/channels/{}/typing",
	    .path = path,
	    .major = channel,
	    .optional = true};
	int rc = discord_api_call(t, d, &call, &a, &why);
	if (rc < 0 && a.outcome.class == DISCORD_RATE_LIMITED && !a.skipped)
		discord_pause(d, channel, a.outcome.retry_ms);
	discord_api_clear(&a);
	free(path);
	if (rc == 0 || (why.kind != ERROR_REFUSED && why.kind != ERROR_CANCELLED))
		return 0;
	if (err)
		*err = why;
	return -1;
}
