#include "control/http_api.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text/base64.h"
#include "base/time/clock.h"
#include "base/buf.h"
#include "base/epoch.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "control/answer.h"
#include "ops/gateway_view.h"
#include "config/gateway_config.h"
#include "ops/health.h"
#include "control/control_internal.h"
#include "config/http_settings.h"
#include "llm/providers.h"
#include "ops/metrics.h"
#include "net/server/server.h"
#include "control/send.h"
#include "ops/status.h"
#include "control/event_stream.h"

/* Enough for a text of some hundred platform messages. */
#define BODY_BYTES_MAX (256 * 1024)
#define REQUESTS_MAX   64
#define REFUSALS_MS    60000
/* Anybody who can reach the port may open them, and each is an open file. */
#define CONNECTIONS_MAX 256

struct http_api {
	struct gateway *gateway;
	struct server *server;
};

/* Anybody can cause these lines: one a minute leaves the log, and the page's last warnings, to others. */
static void log_refusal(const char *path)
{
	static uint64_t logged_ms;
	static unsigned more;

	if (logged_ms != 0 && clock_now() - logged_ms < REFUSALS_MS) {
		more++;
		return;
	}
	log_warn("http", "refused: no token, or a wrong one path=%s unlogged=%u", path, more);
	logged_ms = clock_now();
	more = 0;
}

/* Compares in constant time. */
static bool is_token(const char *expected, const char *given)
{
	size_t len = strlen(expected), given_len = strlen(given);
	unsigned differs = len != given_len;

	for (size_t i = 0; i < len; i++)
		differs |= (unsigned char)expected[i] ^ (unsigned char)(i < given_len ? given[i] : 0);
	return differs == 0;
}

static bool is_authorized(const struct http_api *api, const struct server_request *req)
{
	const char *given = server_header(req, "authorization");

	if (!given || strncasecmp(given, "Bearer ", 7) != 0)
		return false;
	given += 7;
	const char *token = gateway_config(api->gateway)->http.token;
	return token && is_token(token, given + strspn(given, " "));
}

/* A browser asks for a name and a password, which is the token, and then sends it with every request, also
 * with those that another site's page makes. So it authorizes only requests that change nothing. */
static bool is_browser_authorized(const struct http_api *api, const struct server_request *req)
{
	const char *given = server_header(req, "authorization"),
		   *token = gateway_config(api->gateway)->http.token;
	struct buf pair = BUF_INIT;
	bool good = false;

	if (given && strncasecmp(given, "Basic ", 6) == 0 &&
	    base64_decode(&pair, given + 6, strlen(given + 6)) == 0) {
		const char *password = strchr(pair.data, ':');
		good = token && password && is_token(token, password + 1);
	}
	buf_clear(&pair);
	return good;
}

static void get_page(struct task *t, const struct http_api *api, struct server_request *req)
{
	if (is_authorized(api, req) || is_browser_authorized(api, req)) {
		http_page(t, api->gateway, req);
		return;
	}
	if (server_header(req, "authorization"))
		log_refusal("/");
	http_page_refuse(req);
}

static void get_style(struct task *t, const struct http_api *api, struct server_request *req)
{
	(void)t;
	(void)api;
	http_page_style(req);
}

static void get_health(struct task *t, const struct http_api *api, struct server_request *req)
{
	struct json_object *o = json_object_new_object();

	(void)t;
	(void)api;
	json_set_bool(o, "ok", true);
	control_answer(req, 200, o);
}

/* Lists each kind of problem once; names and texts need the token. */
static struct json_object *kinds_of(struct json_object *reasons)
{
	struct json_object *seen = json_object_new_object(), *kinds = json_object_new_array();

	for (size_t i = 0; i < json_object_array_length(reasons); i++) {
		const char *what = json_get_str(json_object_array_get_idx(reasons, i), "what");
		if (!json_get_bool(seen, what, false))
			json_object_array_add(kinds, json_object_new_string(what));
		json_set_bool(seen, what, true);
	}
	json_object_put(seen);
	json_object_put(reasons);
	return kinds;
}

static void get_ready(struct task *t, const struct http_api *api, struct server_request *req)
{
	struct json_object *reasons = health_reasons(t, gateway_health(api->gateway)),
			   *o = json_object_new_object();
	bool ready = gateway_ready(api->gateway) && json_object_array_length(reasons) == 0;
	struct llm_health model;

	llm_health(gateway_config(api->gateway)->llm, &model);
	json_set_bool(o, "ready", ready);
	json_set(o, "reasons", is_authorized(api, req) ? reasons : kinds_of(reasons));
	json_set_str(o, "model", model.down ? "down" : "up");
	control_answer(req, ready ? 200 : 503, o);
}

static void get_metrics(struct task *t, const struct http_api *api, struct server_request *req)
{
	struct json_object *status = status_collect(t, api->gateway);
	struct buf text = BUF_INIT;

	metrics_write(&text, status, health_view_get(t, gateway_health(api->gateway)));
	server_respond(req, 200, "text/plain; version=0.0.4; charset=utf-8", NULL, text.data, text.len);
	buf_clear(&text);
	json_object_put(status);
}

static void post_messages(struct task *t, const struct http_api *api, struct server_request *req)
{
	struct error err = {0};
	size_t len;
	const char *text = server_body(req, &len);
	struct json_object *body = json_parse_object(text, len, &err);
	struct json_object *result = body ? send_messages(t, api->gateway, body, &err) : NULL;

	if (result)
		control_answer(req, 200, result);
	else
		control_refuse(req, 400, err.text);
	json_object_put(body);
}

static void get_events(struct task *t, const struct http_api *api, struct server_request *req)
{
	(void)api;
	event_stream(t, req);
}

static const struct route {
	const char *path, *method;
	bool open; /* needs no token, or checks it itself */
	void (*run)(struct task *t, const struct http_api *api, struct server_request *req);
} routes[] = {
    {"/", "GET", true, get_page},
    {"/healthz", "GET", true, get_health},
    {"/metrics", "GET", false, get_metrics},
    {"/readyz", "GET", true, get_ready},
    {"/status.css", "GET", true, get_style},
    {"/v1/events", "GET", false, get_events},
    {"/v1/messages", "POST", false, post_messages},
};

static void refuse_with(struct server_request *req, int status, const char *headers, const char *text)
{
	struct json_object *o = json_object_new_object();
	struct buf body = BUF_INIT;

	json_set_str(o, "error", text);
	json_write(&body, o);
	server_respond(req, status, "application/json", headers, body.data, body.len);
	buf_clear(&body);
	json_object_put(o);
}

static bool fits_method(const struct route *r, const char *method)
{
	return strcmp(r->method, method) == 0 ||
	    (strcmp(r->method, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

static void answer(
    struct task *t, const struct http_api *api, const struct route *r, struct server_request *req)
{
	if (!fits_method(r, server_method(req))) {
		refuse_with(req, 405,
		    strcmp(r->method, "GET") == 0 ? "Allow: GET, HEAD\r\n" : "Allow: POST\r\n",
		    strcmp(r->method, "GET") == 0 ? "Use GET." : "Use POST.");
	} else if (!r->open && !is_authorized(api, req)) {
		log_refusal(r->path);
		refuse_with(req, 401, "WWW-Authenticate: Bearer\r\n",
		    "The request needs the header Authorization: Bearer TOKEN with the token of http.token.");
	} else {
		/* Event streams use no settings, so they enter no epoch. */
		struct epoch *epoch = r->run == get_events ? NULL : epoch_enter();
		r->run(t, api, req);
		epoch_leave(epoch);
	}
}

static void handle(struct task *t, struct server_request *req, void *arg)
{
	const struct http_api *api = arg;

	for (size_t i = 0; i < ARRAY_LEN(routes); i++)
		if (strcmp(server_path(req), routes[i].path) == 0) {
			answer(t, api, &routes[i], req);
			return;
		}
	control_refuse(req, 404, "There is nothing here. docs/http.md lists what there is.");
}

/* Strangers could otherwise take all requests at once with bodies that never end, and leave none to /healthz.
 */
static bool wants_body(const struct server_request *req, void *arg)
{
	return strcmp(server_method(req), "POST") == 0 && is_authorized(arg, req);
}

struct http_api *http_api_new(struct gateway *g, const struct http_settings *settings, struct error *err)
{
	struct http_api *api = xcalloc(1, sizeof(*api));
	struct server_options options = {.listen = settings->listen,
	    .max_body = BODY_BYTES_MAX,
	    .max_requests = REQUESTS_MAX,
	    .max_connections = CONNECTIONS_MAX,
	    .check_host = true,
	    .wants_body = wants_body,
	    .handler = handle,
	    .arg = api};

	api->gateway = g;
	api->server = server_new(&options, err);
	if (!api->server) {
		error_prefix(err, "http.listen");
		free(api);
		return NULL;
	}
	log_info("http", "listening on %s port=%u", settings->listen, server_port(api->server));
	return api;
}

void http_api_free(struct task *t, struct http_api *api)
{
	if (!api)
		return;
	server_free(t, api->server);
	free(api);
}
