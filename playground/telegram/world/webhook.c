#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/task.h"
#include "net/http/http.h"
#include "playground/playground.h"
#include "playground/server/delivery.h"
#include "playground/telegram/http/api.h"
#include "playground/telegram/telegram.h"
#include "playground/telegram/world/world_internal.h"
#include "playground/world/timer.h"

/* Undocumented: the source of the official server (github.com/tdlib/telegram-bot-api). */
#define TIMEOUT_MS     60000
#define DELAY_FIRST_MS 1000
#define DELAY_MAX_MS   60000
#define ANSWER_MAX     (1 << 20)
#define HOSTS_MAX      19

/* One update on its way. */
struct delivery {
	struct bot *bot;
	int32_t id;
	unsigned generation;
};

/* Hosts that a webhook may have: those of this machine, and those that the command line adds. */
static const char *hosts[HOSTS_MAX] = {"127.0.0.1", "localhost", "[::1]"};

bool telegram_allow_webhook(const char *host)
{
	size_t i = 0;

	while (i < HOSTS_MAX && hosts[i])
		i++;
	if (i == HOSTS_MAX || host[0] == '\0' || strpbrk(host, "/?#@\\ "))
		return false;
	hosts[i] = host;
	return true;
}

bool webhook_is_reached(const char *url)
{
	const char *host = strstr(url, "://"), *rest;

	for (size_t i = 0; host && i < HOSTS_MAX && hosts[i]; i++) {
		if (strncasecmp(host + 3, hosts[i], strlen(hosts[i])) != 0)
			continue;
		rest = host + 3 + strlen(hosts[i]);
		/* Nothing else than a port: "localhost:x@elsewhere" is a host elsewhere. */
		if (*rest == ':')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (strchr("/?#", *rest))
			return true;
	}
	return false;
}

void webhook_clear(struct webhook *h)
{
	free(h->url);
	free(h->secret);
}

void webhook_set(struct bot *b, const char *url, const char *secret, int connections)
{
	struct webhook *h = &b->webhook;
	struct webhook fresh = {.url = xstrdup(url),
	    .secret = secret && secret[0] != '\0' ? xstrdup(secret) : NULL,
	    .connections = connections,
	    .generation = h->generation + 1,
	    .active = h->active};

	webhook_clear(h);
	*h = fresh;
	update_queue_retry(&b->updates);
	webhook_pump(b);
}

static void note_error(struct webhook *h, const char *text)
{
	h->error_date = clock_wall() / 1000;
	str_copy(h->error, sizeof(h->error), text);
}

static const char *reason_of(int status)
{
	static const struct {
		int status;
		const char *reason;
	} reasons[] = {{301, "Moved Permanently"}, {302, "Found"}, {400, "Bad Request"},
	    {401, "Unauthorized"}, {403, "Forbidden"}, {404, "Not Found"}, {405, "Method Not Allowed"},
	    {410, "Gone"}, {429, "Too Many Requests"}, {500, "Internal Server Error"}, {502, "Bad Gateway"},
	    {503, "Service Unavailable"}, {504, "Gateway Timeout"}};

	for (size_t i = 0; i < ARRAY_LEN(reasons); i++)
		if (reasons[i].status == status)
			return reasons[i].reason;
	return "";
}

/* Returns 1 when the update has arrived, 0 to send it again after *wait_ms, -1 when cancelled. */
static int send_once(struct task *t, struct bot *b, const struct update *u, uint64_t *wait_ms)
{
	/* Copies: a bot may set another webhook meanwhile. */
	char *body = xstrdup(u->json), *url = xstrdup(b->webhook.url),
	     *secret = b->webhook.secret ? xstrdup(b->webhook.secret) : NULL;
	struct http_header headers[] = {
	    {"Content-Type", "application/json"}, {"X-Telegram-Bot-Api-Secret-Token", secret}};
	struct http_request req = {.method = "POST",
	    .url = url,
	    .label = "the webhook",
	    .headers = headers,
	    .header_count = secret ? 2 : 1,
	    .body = body,
	    .body_len = u->len,
	    .idle_ms = TIMEOUT_MS,
	    .max_body = ANSWER_MAX};
	unsigned generation = b->webhook.generation;
	struct http_response res = {.body = BUF_INIT};
	struct error err = {0};
	char text[160];
	int ret;

	strict_judge_message(&b->world->pg->strict, "telegram", "Update", u->json, u->len);
	ret = delivery_perform(t, b->world->pg, "telegram", FAULT_WEBHOOK, &req, &res, &err);
	if (ret == 0 && res.status / 100 == 2) {
		api_run_answer(t, b, res.content_type, res.body.data, res.body.len);
		ret = 1;
	} else if (err.kind == ERROR_CANCELLED) {
		ret = -1;
	} else if (generation == b->webhook.generation) {
		snprintf(text, sizeof(text), "Wrong response from the webhook: %d %s", res.status,
		    reason_of(res.status));
		note_error(&b->webhook,
		    ret == 0      ? text :
			!res.sent ? "Connection refused" :
				    "Read timeout expired");
		ret = 0;
	}
	*wait_ms = res.retry_after_ms;
	http_response_clear(&res);
	free(body);
	free(url);
	free(secret);
	return ret;
}

static struct update *find(const struct delivery *d)
{
	return d->generation == d->bot->webhook.generation ? update_queue_find(&d->bot->updates, d->id) :
							     NULL;
}

static void deliver(struct task *t, void *arg)
{
	struct delivery *d = arg;
	struct bot *b = d->bot;
	uint64_t delay_ms = DELAY_FIRST_MS, wait_ms;
	int ret = 0;

	while (ret == 0 && find(d)) {
		ret = send_once(t, b, find(d), &wait_ms);
		b->webhook.active--;
		if (ret > 0 && find(d))
			update_queue_arrived(&b->updates, d->id);
		webhook_pump(b);
		if (ret == 0 && world_sleep(t, wait_ms != 0 ? wait_ms : delay_ms, NULL) != 0)
			ret = -1;
		delay_ms = delay_ms * 2 < DELAY_MAX_MS ? delay_ms * 2 : DELAY_MAX_MS;
		b->webhook.active += ret == 0;
		update_queue_expire(&b->updates);
	}
	if (ret == 0)
		b->webhook.active--;
	free(d);
}

void webhook_pump(struct bot *b)
{
	struct webhook *h = &b->webhook;
	struct update *u;

	if (!h->url)
		return;
	if (!webhook_is_reached(h->url)) {
		if (b->updates.count > 0)
			note_error(h, "the playground delivers to servers of this machine alone");
		return;
	}
	while (h->active < (unsigned)h->connections && (u = update_queue_take(&b->updates))) {
		struct delivery *d = xcalloc(1, sizeof(*d));

		*d = (struct delivery){b, update_queue_id(&b->updates, u), h->generation};
		h->active++;
		task_start(&b->world->pg->tasks, "telegram.webhook", deliver, d);
	}
}

struct json_object *webhook_save(const struct webhook *h)
{
	struct json_object *o = h->url ? json_object_new_object() : NULL;

	if (!o)
		return NULL;
	json_setf(o, "url: %s, secret: %s, connections: %d", h->url, h->secret, h->connections);
	return o;
}

void webhook_load(struct bot *b, struct json_object *o)
{
	if (o)
		webhook_set(b, json_get_str(o, "url"), json_get_str(o, "secret"),
		    (int)json_get_int(o, "connections", 1));
}
