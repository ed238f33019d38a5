#include "config.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "channels/discord/discord.h"
#include "channels/discord/api.h"
#include "channels/discord/settings.h"
#include "channels/discord/outcome.h"
#include "channels/shared/base_url.h"
#include "channels/shared/probe.h"

/* Returns the reply, which the caller puts; NULL with err set. */
static struct json_object *ask(
    struct task *t, const struct discord_settings *s, const char *path, struct error *err)
{
	char *base = base_url_trim(s->api_base), *host = base_url_host(s->api_base);
	char *url = xasprintf("%s%s", base, path), *label = xasprintf("%s at %s", path, host);
	char *bot = xasprintf("Bot %s", s->token);
	struct probe_request q = {
	    .method = "GET", .url = url, .label = label, .authorization = bot, .agent = DISCORD_USER_AGENT};
	struct discord_outcome outcome;
	struct probe_answer a;

	if (probe_ask(t, &q, &a, err) == 0) {
		discord_outcome_read(&outcome, a.status, a.reply, a.retry_ms);
		if (outcome.class == DISCORD_BAD_TOKEN)
			error_set(err, ERROR_REFUSED,
			    "%s: Discord refuses the token: make a new one in the Developer Portal, Bot, "
			    "Reset Token",
			    path);
		else if (outcome.class != DISCORD_OK)
			error_set(err, outcome.why.kind, "%s: %s", path, outcome.why.text);
		if (outcome.class != DISCORD_OK) {
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

/* Application flags, "Gateway Message Content" and the same for apps in few servers
 * (resources/application). */
#define FLAGS_CONTENT ((1 << 18) | (1 << 19))

/* Checks what people forget in the Developer Portal. */
static int probe_application(
    struct task *t, const struct discord_settings *s, struct buf *found, struct error *err)
{
	struct json_object *app = ask(t, s, "/applications/@me", err);
	const char *endpoint = json_get_str(app, "interactions_endpoint_url");
	bool deaf = !(json_get_int(app, "flags", 0) & FLAGS_CONTENT);
	int rc = app ? 0 : -1;

	if (app && deaf && s->message_content == DISCORD_CONTENT_AUTO)
		buf_addstr(found,
		    "; the Message Content Intent is off: in servers it sees only messages that "
		    "mention or answer it");
	if (app && deaf && s->message_content == DISCORD_CONTENT_REQUIRED)
		rc = error_set(err, ERROR_REFUSED,
		    "the Message Content Intent is off: switch it on in the Developer Portal, Bot");
	else if (endpoint && *endpoint)
		rc = error_set(err, ERROR_REFUSED,
		    "slash commands and buttons go to %.100s: empty \"Interactions Endpoint URL\" under "
		    "\"General Information\"",
		    endpoint);
	json_object_put(app);
	return rc;
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
	int64_t shards = json_get_int(gateway, "shards", 1);
	buf_addf(found, ", %lld logins left today", (long long)json_get_int(limit, "remaining", 0));
	if (shards > 1)
		buf_addf(found, ", %lld shards recommended", (long long)shards);
	json_object_put(gateway);
	return probe_application(t, settings, found, err);
}
