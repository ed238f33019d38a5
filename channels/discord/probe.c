#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "channels/discord/discord.h"
#include "channels/discord/rest.h"
#include "channels/discord/settings.h"
#include "channels/discord/verdict.h"
#include "channels/shared/base_url.h"
#include "channels/shared/probe.h"

/* The reply, to be put, or NULL with err. */
static struct json_object *ask(struct task *t, const struct discord_settings *s, const char *path, struct error *err)
{
	char *base = base_url_trim(s->api_base), *host = base_url_host(s->api_base);
	char *url = xasprintf("%s%s", base, path), *label = xasprintf("%s at %s", path, host);
	char *bot = xasprintf("Bot %s", s->token);
	struct probe_request q = { .method = "GET", .url = url, .label = label, .authorization = bot, .agent = DISCORD_USER_AGENT };
	struct discord_outcome outcome;
	struct probe_answer a;

	if (probe_ask(t, &q, &a, err) == 0) {
		discord_verdict_read(&outcome, a.status, a.reply, a.retry_ms);
		if (outcome.verdict != DISCORD_OK) {
			error_set(err, outcome.why.kind, "%s: %s", path, outcome.why.text);
			json_object_put(a.reply);
			a.reply = NULL;
		}
	}
	free(bot);
	free(label);
	free(url);
	free(host);
	free(base);
	return a.reply;
}

int discord_probe(struct task *t, const void *settings, struct buf *found, struct error *err)
{
	struct json_object *me = ask(t, settings, "/users/@me", err), *gateway;

	if (!me)
		return -1;
	const char *name = json_get_str(me, "username");
	buf_addf(found, "@%s", name ? name : "?");
	json_object_put(me);
	gateway = ask(t, settings, "/gateway/bot", err);
	if (!gateway)
		return -1;
	struct json_object *limit = json_get_object(gateway, "session_start_limit");
	buf_addf(found, ", %lld logins left today", (long long)json_get_int(limit, "remaining", 0));
	json_object_put(gateway);
	return 0;
}
