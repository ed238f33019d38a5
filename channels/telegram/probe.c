#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/mem.h"
#include "channels/shared/base_url.h"
#include "channels/shared/probe.h"
#include "channels/telegram/settings.h"
#include "channels/telegram/telegram.h"
#include "channels/telegram/verdict.h"

int telegram_probe(struct task *t, const void *settings, struct buf *found, struct error *err)
{
	const struct telegram_settings *s = settings;
	char *base = base_url_trim(s->api_base), *host = base_url_host(s->api_base);
	char *url = xasprintf("%s/bot%s/getMe", base, s->token), *label = xasprintf("getMe at %s", host);
	struct probe_request q = { .method = "GET", .url = url, .label = label };
	struct telegram_outcome outcome;
	struct probe_answer a;
	int rc = probe_ask(t, &q, &a, err);

	if (rc == 0) {
		telegram_verdict_read(&outcome, a.status, a.reply, a.retry_ms);
		struct json_object *me = json_get_object(a.reply, "result");
		const char *username = json_get_str(me, "username");
		if (outcome.verdict == TELEGRAM_OK && username)
			buf_addf(found, "@%s%s", username, json_get_bool(me, "can_read_all_group_messages", false) ? ", hears all of groups" : "");
		else if (outcome.verdict == TELEGRAM_NO_METHOD)
			rc = error_set(err, ERROR_REFUSED, "Telegram does not know this token: get one from @BotFather");
		else
			rc = outcome.verdict == TELEGRAM_OK ? error_set(err, ERROR_NETWORK, "%s did not say who the bot is: is api_base right?", label)
			                                    : error_set(err, outcome.why.kind, "%s", outcome.why.text);
	}
	json_object_put(a.reply);
	free(label);
	free(url);
	free(host);
	free(base);
	return rc;
}
