#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "channels/shared/base_url.h"
#include "channels/shared/probe.h"
#include "channels/telegram/settings.h"
#include "channels/telegram/telegram.h"
#include "channels/telegram/outcome.h"

/* Returns the method's result, which the caller puts; NULL with err set. */
static struct json_object *ask(
    struct task *t, const struct telegram_settings *s, const char *method, struct error *err)
{
	char *base = base_url_trim(s->api_base), *host = base_url_host(s->api_base);
	char *url = xasprintf("%s/bot%s/%s", base, s->token, method),
	     *label = xasprintf("%s at %s", method, host);
	struct probe_request q = {.method = "GET", .url = url, .label = label};
	struct json_object *result = NULL;
	struct telegram_outcome outcome;
	struct probe_answer a;

	if (probe_ask(t, &q, &a, err) == 0) {
		telegram_outcome_read(&outcome, a.status, a.reply, a.retry_ms);
		result = json_object_get(json_get_object(a.reply, "result"));
		if (outcome.class == TELEGRAM_NO_METHOD)
			error_set(
			    err, ERROR_REFUSED, "Telegram does not know this token: get one from @BotFather");
		else if (outcome.class == TELEGRAM_BAD_TOKEN)
			error_set(err, ERROR_REFUSED,
			    "Telegram refuses the token: @BotFather shows the one that counts, /mybots, API "
			    "Token");
		else if (outcome.class != TELEGRAM_OK)
			error_set(err, outcome.why.kind, "%s", outcome.why.text);
		else if (!result)
			error_set(err, ERROR_NETWORK,
			    "%s did not answer as Telegram does: is api_base right?", label);
		if (outcome.class != TELEGRAM_OK) {
			json_object_put(result);
			result = NULL;
		}
	}
	json_object_put(a.reply);
	free(label);
	free(url);
	free(host);
	free(base);
	return result;
}

/* getUpdates does not work while a webhook is set, so the channel removes it at its start. */
static int note_webhook(
    struct task *t, const struct telegram_settings *s, struct buf *found, struct error *err)
{
	struct json_object *hook = ask(t, s, "getWebhookInfo", err);
	const char *url = json_get_str(hook, "url");
	int rc = hook ? 0 : -1;

	if (url && *url) {
		char *host = base_url_host(url);
		buf_addf(found, "; its messages go to a webhook at %s, which myna run removes", host);
		free(host);
	}
	json_object_put(hook);
	return rc;
}

int telegram_probe(struct task *t, const void *settings, struct buf *found, struct error *err)
{
	struct json_object *me = ask(t, settings, "getMe", err);
	const char *username = json_get_str(me, "username");
	int rc = me ? 0 : -1;

	if (username)
		buf_addf(found, "@%s%s", username,
		    json_get_bool(me, "can_read_all_group_messages", false) ?
			", sees all group messages" :
			", sees only group messages for it");
	else if (me)
		rc = error_set(err, ERROR_NETWORK, "getMe did not say who the bot is: is api_base right?");
	json_object_put(me);
	return rc < 0 ? -1 : note_webhook(t, settings, found, err);
}
