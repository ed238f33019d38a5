#include "channels/discord/discord_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "bus/channel.h"
#include "channels/discord/discord.h"
#include "channels/discord/cache.h"
#include "channels/discord/api.h"
#include "net/http/http.h"

/* Our reaction on the message, NULL if none is remembered. */
static char *our_emoji(struct discord_reactions *r, uint64_t message)
{
	for (size_t i = 0; i < DISCORD_REACTIONS; i++)
		if (r->ours[i].message == message && r->ours[i].emoji[0] != '\0')
			return r->ours[i].emoji;
	return NULL;
}

static bool is_refused(const struct discord_reactions *r, uint64_t channel)
{
	for (size_t i = 0; i < DISCORD_REACTIONS; i++)
		if (r->refused[i] == channel)
			return true;
	return false;
}

static void refuse(struct discord *d, uint64_t channel, const struct error *why)
{
	d->reactions.refused[d->reactions.next_refused++ % DISCORD_REACTIONS] = channel;
	log_info(d->self.channel, "a channel refuses reactions: %s channel=%llu", why->text,
	    (unsigned long long)channel);
}

static void react_failed(
    struct discord *d, const char *channel, const struct discord_answer *a, const struct error *why)
{
	if (a->outcome.class == DISCORD_RATE_LIMITED && !a->skipped)
		discord_pause(d, channel, a->outcome.retry_ms);
	else if (a->outcome.class == DISCORD_CHAT_UNREACHABLE)
		refuse(d, discord_id_parse(channel), why);
}

static int change(struct task *t, struct discord *d, const char *method, const char *channel,
    const char *message_id, const char *emoji, struct error *err)
{
	struct buf path = BUF_INIT;
	struct discord_answer a;

	buf_addf(&path, "/channels/%s/messages/%s/reactions/", channel, message_id);
	http_url_encode(&path, emoji, strlen(emoji));
	buf_addstr(&path, "/@me");
	/* All of a channel's reactions are in one bucket, whatever the message (discord.js, too). */
	struct discord_call call = {.method = method,
	    .route = "/channels/{}/messages/{}/reactions/{}/@me",
	    .path = path.data,
	    .major = channel,
	    .optional = true};
	int rc = discord_api_call(t, d, &call, &a, err);
	if (rc < 0)
		react_failed(d, channel, &a, &a.outcome.why);
	discord_api_clear(&a);
	buf_clear(&path);
	return rc;
}

int discord_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err)
{
	struct discord *d = ch->state;
	const char *channel = discord_channel_of(where);
	uint64_t message = discord_id_parse(message_id), id = discord_id_parse(channel);
	char *before = our_emoji(&d->reactions, message);

	if (d->refused || message == 0 || id == 0 || is_refused(&d->reactions, id))
		return error_set(err, ERROR_REFUSED, "cannot react to this message");
	if (before && strcmp(before, emoji) == 0)
		return 0;
	if (!rate_limit_try(&d->rate_limiter, channel))
		return 1;
	if (*emoji != '\0' && change(t, d, "PUT", channel, message_id, emoji, err) < 0)
		return -1;
	before = our_emoji(&d->reactions, message);
	if (before) {
		if (*emoji != '\0')
			rate_limit_charge(&d->rate_limiter, channel);
		int rc = change(t, d, "DELETE", channel, message_id, before, *emoji == '\0' ? err : NULL);
		if (rc < 0 && *emoji == '\0')
			return -1;
		before = our_emoji(&d->reactions, message);
		if (before)
			*before = '\0';
	} else if (*emoji == '\0') {
		/* Discord removes a reaction by its emoji. One of an earlier run is the acknowledgement. */
		return ch->ack_reaction && *ch->ack_reaction != '\0' ?
		    change(t, d, "DELETE", channel, message_id, ch->ack_reaction, err) :
		    0;
	}
	unsigned place = d->reactions.next++ % DISCORD_REACTIONS;
	d->reactions.ours[place].message = message;
	str_copy(d->reactions.ours[place].emoji, sizeof(d->reactions.ours[place].emoji), emoji);
	return 0;
}
