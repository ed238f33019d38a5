#include "channels/slack/slack_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "bus/channel.h"
#include "channels/slack/api.h"
#include "channels/slack/emoji.h"
#include "channels/slack/event.h"

#define STATUS "is thinking…"

/* Shown for two minutes or until the bot writes: skip repeated calls. */
static bool is_shown(struct slack *sk, const char *key)
{
	const char *at = slack_recent_map_get(&sk->statuses, key);

	return at && clock_now() - strtoull(at, NULL, 10) < sk->limits->status_ms;
}

static int set_status(struct task *t, struct slack *sk, const struct address *where, struct error *err)
{
	struct slack_call call = {
	    .method = "assistant.threads.setStatus", .total_ms = sk->limits->call_ms, .chat = where->chat};
	struct slack_answer a;
	int rc;

	call.params = json_object_new_object();
	json_set_str(call.params, "channel_id", where->chat);
	json_set_str(call.params, "thread_ts", where->thread);
	json_set_str(call.params, "status", STATUS);
	rc = slack_api_call(t, sk, &call, &a, err);
	if (rc < 0 && (a.outcome.class == SLACK_NO_METHOD || a.outcome.class == SLACK_NO_SCOPE))
		sk->no_status = true;
	/* A temporary failure is tried again later. */
	if (rc < 0 && err->kind != ERROR_REFUSED && err->kind != ERROR_CANCELLED)
		rc = 1;
	slack_api_clear(&a);
	return rc;
}

int slack_typing(struct task *t, struct channel *ch, const struct address *where, struct error *err)
{
	struct slack *sk = ch->state;
	char key[ADDRESS_TEXT_MAX], now[24];
	struct error why = {0};
	int rc;

	if (sk->refused || sk->no_status || where->thread[0] == '\0')
		return error_set(
		    err, ERROR_REFUSED, "there is nothing that says \"typing\" outside of threads");
	snprintf(key, sizeof(key), "%s:%s", where->chat, where->thread);
	if (is_shown(sk, key) || !rate_limit_try(&sk->methods, "assistant.threads.setStatus") ||
	    !rate_limit_try(&sk->rate_limiter, where->chat))
		return 0;
	rc = set_status(t, sk, where, &why);
	if (rc == 0) {
		snprintf(now, sizeof(now), "%llu", (unsigned long long)clock_now());
		slack_recent_map_note(&sk->statuses, key, now);
	}
	if (rc < 0 && err)
		*err = why;
	return rc < 0 ? -1 : 0;
}

/* Returns 1 when the rate limits leave no room for it now. */
static int call_reaction(struct task *t, struct slack *sk, const char *method, const struct address *where,
    const char *message_id, const char *name, struct error *err)
{
	struct slack_call call = {.method = method, .total_ms = sk->limits->call_ms, .chat = where->chat};
	struct slack_answer a;
	int rc;

	if (!rate_limit_try(&sk->methods, method) || !rate_limit_try(&sk->rate_limiter, where->chat))
		return 1;
	call.params = json_object_new_object();
	json_set_str(call.params, "channel", where->chat);
	json_set_str(call.params, "timestamp", message_id);
	json_set_str(call.params, "name", name);
	rc = slack_api_call(t, sk, &call, &a, err);
	if (rc < 0 && a.outcome.class == SLACK_NO_SCOPE)
		sk->no_reactions = true;
	slack_api_clear(&a);
	return rc;
}

int slack_react(struct task *t, struct channel *ch, const struct address *where, const char *message_id,
    const char *emoji, struct error *err)
{
	struct slack *sk = ch->state;
	char key[ADDRESS_TEXT_MAX], own[64], previous[64] = "";
	const char *name = *emoji != '\0' ? slack_emoji_name(emoji, own, sizeof(own)) : "", *before;
	int rc = 0;

	if (sk->refused || sk->no_reactions || !name || !slack_event_is_ts(message_id))
		return error_set(err, ERROR_REFUSED,
		    !name ? "Slack's name of this emoji is not known: give it as :name:" :
			    "cannot react to this message");
	snprintf(key, sizeof(key), "%s:%s", where->chat, message_id);
	before = slack_recent_map_get(&sk->reactions, key);
	/* Slack removes a reaction by its name. One of an earlier run is the acknowledgement. */
	if (!before && *name == '\0' && ch->ack_reaction)
		before = slack_emoji_name(ch->ack_reaction, own, sizeof(own));
	snprintf(previous, sizeof(previous), "%s", before ? before : "");
	if (strcmp(previous, name) == 0)
		return 0;
	if (*previous != '\0')
		rc = call_reaction(t, sk, "reactions.remove", where, message_id, previous, err);
	if (rc == 0 && *previous != '\0')
		slack_recent_map_note(&sk->reactions, key, "");
	if (rc == 0 && *name != '\0')
		rc = call_reaction(t, sk, "reactions.add", where, message_id, name, err);
	if (rc == 0)
		slack_recent_map_note(&sk->reactions, key, name);
	return rc;
}
