#ifndef CONTROL_HTTP_API_H
#define CONTROL_HTTP_API_H
/*
 * The HTTP server of the gateway, if http.listen is set; docs/http.md describes it for users.
 * - GET /healthz, /readyz: liveness, and readiness of every channel; no token needed
 * - GET /: the status page; token
 * - GET /status.css: the style of the page; no token needed
 * - GET /metrics: metrics in Prometheus' format; token
 * - POST /v1/messages, GET /v1/events: as on the control socket; token
 */
struct error;
struct gateway;
struct http_api;
struct http_settings;
struct task;

/* settings->listen is not NULL; the caller keeps settings. */
struct http_api *http_api_new(struct gateway *g, const struct http_settings *settings, struct error *err);
void http_api_free(struct task *t, struct http_api *api); /* NULL is allowed */

#endif
