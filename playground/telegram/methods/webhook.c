#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/time/clock.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/telegram/world/bot.h"
#include "playground/telegram/http/methods.h"

/* Webhooks are stored, so that they block getUpdates; nothing is delivered to them. */

#define SECRET_MAX      256
#define SET_PAUSE_MS    1000
#define CONNECTIONS     40
#define CONNECTIONS_MAX 100

static int delete_webhook(struct task *t, struct call *call)
{
	struct bot *b = call->bot;

	(void)t;
	call->description = b->webhook_url ? "Webhook was deleted" : "Webhook is already deleted";
	if (json_get_bool(call->params, "drop_pending_updates", false))
		update_queue_keep(&b->updates, 0);
	free(b->webhook_url);
	b->webhook_url = NULL;
	call_result_true(call);
	return 0;
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

	if (strncasecmp(url, "https://", 8) != 0 || url[8] == '\0')
		return call_refuse(call, "bad webhook: An HTTPS URL must be provided for webhook");
	if (secret && strlen(secret) > SECRET_MAX)
		return call_refuse(call, "secret token is too long");
	if (secret && !is_secret(secret))
		return call_refuse(call, "secret token contains unallowed characters");
	return 0;
}

static int set_webhook(struct task *t, struct call *call)
{
	const char *url = json_get_str(call->params, "url");
	struct json_object *allowed = json_get_array(call->params, "allowed_updates");
	int64_t connections = json_get_int(call->params, "max_connections", CONNECTIONS);
	struct bot *b = call->bot;
	struct error err;

	if (url[0] == '\0')
		return delete_webhook(t, call);
	if (clock_now() < b->next_webhook_ms)
		return call_limit(call, 1);
	b->next_webhook_ms = clock_now() + SET_PAUSE_MS;
	if (check_webhook(call, url) != 0)
		return -1;
	if (allowed && update_read_allowed(allowed, &b->allowed, &err) != 0)
		return call_refuse(call, "%s", err.text);
	if (json_get_bool(call->params, "drop_pending_updates", false))
		update_queue_keep(&b->updates, 0);
	bot_end_poll(b, "Conflict: terminated by setWebhook request");
	call->description =
	    b->webhook_url && strcmp(b->webhook_url, url) == 0 ? "Webhook is already set" : "Webhook was set";
	free(b->webhook_url);
	b->webhook_url = xstrdup(url);
	b->webhook_connections = connections < 1 ? 1 :
	    connections > CONNECTIONS_MAX        ? CONNECTIONS_MAX :
						   (int)connections;
	call_result_true(call);
	return 0;
}

static int get_webhook_info(struct task *t, struct call *call)
{
	struct bot *b = call->bot;
	struct json_object *o = json_object_new_object();

	(void)t;
	update_queue_expire(&b->updates);
	json_set_str(o, "url", b->webhook_url ? b->webhook_url : "");
	json_set_bool(o, "has_custom_certificate", false);
	json_set_int(o, "pending_update_count", (int64_t)b->updates.count);
	if (b->webhook_url)
		json_set_int(o, "max_connections", b->webhook_connections);
	if (b->allowed != UPDATES_DEFAULT)
		json_set(o, "allowed_updates", update_write_allowed(b->allowed));
	json_write(&call->result, o);
	json_object_put(o);
	return 0;
}

static const struct param delete_webhook_params[] = {
    {"drop_pending_updates", PARAM_BOOL, 0, NULL},
};

static const struct param set_webhook_params[] = {
    {"allowed_updates", PARAM_JSON, 0, NULL},
    {"certificate", PARAM_FILE, PARAM_NOT_SIMULATED, NULL},
    {"drop_pending_updates", PARAM_BOOL, 0, NULL},
    {"ip_address", PARAM_STRING, 0, NULL},
    {"max_connections", PARAM_INT, 0, NULL},
    {"secret_token", PARAM_STRING, 0, NULL},
    {"url", PARAM_STRING, PARAM_REQUIRED | PARAM_MAY_BE_EMPTY, NULL},
};

const struct method method_delete_webhook = {
    "deleteWebhook", delete_webhook_params, 1, delete_webhook, NULL, 0};
const struct method method_get_webhook_info = {"getWebhookInfo", NULL, 0, get_webhook_info, NULL, 0};
const struct method method_set_webhook = {"setWebhook", set_webhook_params, 7, set_webhook, NULL, 0};
