#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/time/clock.h"
#include "playground/server/exchange.h"
#include "playground/telegram/methods/compose.h"

#define SECRET_MAX      256
#define SET_PAUSE_MS    1000 /* Undocumented: the source of the official server */
#define CONNECTIONS     40
#define CONNECTIONS_MAX 100

int method_delete_webhook(struct call *call)
{
	struct bot *b = call->bot;

	call->description = b->webhook.url ? "Webhook was deleted" : "Webhook is already deleted";
	if (json_get_bool(call->params, "drop_pending_updates", false))
		update_queue_keep(&b->updates, 0);
	webhook_set(b, NULL, NULL, 0);
	return call_true(call);
}

static bool is_secret(const char *s)
{
	for (; *s != '\0'; s++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-", *s))
			return false;
	return true;
}

static int check_webhook(struct call *call, const char *url)
{
	const char *secret = json_get_str(call->params, "secret_token");
	bool https = strncasecmp(url, "https://", 8) == 0 && url[8] != '\0';

	/* As the platform's server does that people run themselves. */
	if (!https && !(strncasecmp(url, "http://", 7) == 0 && webhook_is_reached(url)))
		return call_refuse(call, "bad webhook: An HTTPS URL must be provided for webhook");
	if (!webhook_is_reached(url))
		exchange_remark(call->ex, "the playground delivers to servers of this machine alone");
	if (secret && strlen(secret) > SECRET_MAX)
		return call_refuse(call, "secret token is too long");
	if (secret && !is_secret(secret))
		return call_refuse(call, "secret token contains unallowed characters");
	return 0;
}

int method_set_webhook(struct call *call)
{
	const char *url = json_get_str(call->params, "url"),
		   *secret = json_get_str(call->params, "secret_token");
	int64_t connections = json_get_int(call->params, "max_connections", CONNECTIONS);
	struct bot *b = call->bot;

	if (url[0] == '\0')
		return method_delete_webhook(call);
	if (clock_now() < b->next_webhook_ms)
		return call_limit(call, 1);
	b->next_webhook_ms = clock_now() + SET_PAUSE_MS;
	if (check_webhook(call, url) != 0)
		return -1;
	call_read_allowed(call);
	if (json_get_bool(call->params, "drop_pending_updates", false))
		update_queue_keep(&b->updates, 0);
	bot_end_poll(b, "Conflict: terminated by setWebhook request");
	call->description = b->webhook.url && strcmp(b->webhook.url, url) == 0 &&
		strcmp(b->webhook.secret ? b->webhook.secret : "", secret ? secret : "") == 0 ?
	    "Webhook is already set" :
	    "Webhook was set";
	webhook_set(b, url, secret,
	    connections < 1                   ? 1 :
		connections > CONNECTIONS_MAX ? CONNECTIONS_MAX :
						(int)connections);
	return call_true(call);
}

int method_get_webhook_info(struct call *call)
{
	struct bot *b = call->bot;
	struct json_object *o = json_object_new_object();

	update_queue_expire(&b->updates);
	json_setf(o, "url: %s, has_custom_certificate: false, pending_update_count: %jd",
	    b->webhook.url ? b->webhook.url : "", (int64_t)b->updates.count);
	if (b->webhook.url)
		json_set_int(o, "max_connections", b->webhook.connections);
	if (b->webhook.url && b->webhook.error_date != 0) {
		json_set_int(o, "last_error_date", b->webhook.error_date);
		json_set_str(o, "last_error_message", b->webhook.error);
	}
	if (b->allowed != UPDATES_DEFAULT)
		json_set(o, "allowed_updates", update_write_allowed(b->allowed));
	json_write(&call->result, o);
	json_object_put(o);
	return 0;
}
