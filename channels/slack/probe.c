#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "channels/shared/base_url.h"
#include "channels/shared/probe.h"
#include "channels/slack/settings.h"
#include "channels/slack/slack.h"
#include "channels/slack/outcome.h"

#define SCOPES_HEADER "x-oauth-scopes"

/* The scopes that the bot's token needs, as etc/slack-manifest.json requests them. Slack lists the granted
 * ones in a header of every Web API response. */
static const char *const scopes_needed[] = {
    "app_mentions:read",
    "channels:history",
    "channels:read",
    "chat:write",
    "commands",
    "files:read",
    "files:write",
    "groups:history",
    "groups:read",
    "im:history",
    "im:read",
    "im:write",
    "mpim:history",
    "mpim:read",
    "reactions:read",
    "reactions:write",
    "users:read",
    NULL,
};

static bool is_among(const char *granted, const char *scope)
{
	size_t len = strlen(scope), word;

	for (; *granted; granted += word) {
		granted += strspn(granted, ", ");
		word = strcspn(granted, ", ");
		if (word == len && memcmp(granted, scope, len) == 0)
			return true;
	}
	return false;
}

/* Appends the missing scopes, comma-separated. granted is comma-separated as well. */
static void add_missing(struct buf *out, const char *granted)
{
	size_t before = out->len;

	for (const char *const *scope = scopes_needed; *scope; scope++)
		if (!is_among(granted, *scope))
			buf_addf(out, "%s%s", out->len > before ? ", " : "", *scope);
}

/* Returns the reply, which the caller puts; NULL with err set. Unless scopes is NULL, it gets the scopes that
 * Slack lists, malloc'd, or NULL. */
static struct json_object *ask(struct task *t, const struct slack_settings *s, const char *method,
    const char *token, char **scopes, struct error *err)
{
	char *base = base_url_trim(s->api_base), *host = base_url_host(s->api_base);
	char *url = xasprintf("%s/%s", base, method), *label = xasprintf("%s at %s", method, host);
	char *bearer = xasprintf("Bearer %s", token);
	struct probe_request q = {.method = "POST",
	    .url = url,
	    .label = label,
	    .authorization = bearer,
	    .keep = scopes ? SCOPES_HEADER : NULL};
	struct slack_outcome outcome;
	struct probe_answer a;

	if (probe_ask(t, &q, &a, err) == 0) {
		slack_outcome_read(&outcome, a.status, a.reply, a.retry_ms);
		if (outcome.class != SLACK_OK) {
			error_set(err, outcome.why.kind, "%s: %s", method, outcome.why.text);
			json_object_put(a.reply);
			a.reply = NULL;
		}
	}
	if (scopes)
		*scopes = a.kept;
	free(bearer);
	free(label);
	free(url);
	free(host);
	free(base);
	return a.reply;
}

/* Some scopes are needed for events only, so no call reveals that they are missing. */
static int check_scopes(const char *granted, struct error *err)
{
	struct buf missing = BUF_INIT;
	int rc = 0;

	add_missing(&missing, granted);
	if (missing.len > 0)
		rc = error_set(err, ERROR_REFUSED,
		    "auth.test: the app lacks scopes: %s. Add them under \"OAuth & Permissions\", then "
		    "reinstall the app",
		    missing.data);
	buf_clear(&missing);
	return rc;
}

int slack_probe(struct task *t, const void *settings, struct buf *found, struct error *err)
{
	const struct slack_settings *s = settings;
	char *scopes = NULL;
	struct json_object *self = ask(t, s, "auth.test", s->bot_token, &scopes, err), *link;
	int rc = self && scopes ? check_scopes(scopes, err) : 0;

	free(scopes);
	if (!self || rc < 0) {
		json_object_put(self);
		return -1;
	}
	const char *name = json_get_str(self, "user"), *team = json_get_str(self, "team");
	buf_addf(found, "@%s in %s", name ? name : "?", team ? team : "?");
	json_object_put(self);
	/* Nobody connects to the URL that it returns, which expires by itself. */
	link = ask(t, s, "apps.connections.open", s->app_token, NULL, err);
	json_object_put(link);
	return link ? 0 : -1;
}
