#ifndef CONTROL_HTTP_API_H
#define CONTROL_HTTP_API_H
/*
 * What the gateway offers over HTTP, only where http.listen is set; docs/http.md tells users.
 *   GET  /healthz, /readyz   without token: does it run, and does every channel receive
 *   GET  /                   with it: the status as a page
 *   GET  /metrics            with it: figures as Prometheus reads them
 *   POST /v1/messages        with it: as on the control socket
 */
struct error;
struct gateway;
struct http_api;
struct http_settings;
struct task;

/* settings->listen is not NULL; it stays the caller's. */
struct http_api *http_api_new(struct gateway *g, const struct http_settings *settings, struct error *err);
void http_api_free(struct task *t, struct http_api *api); /* NULL is fine */

#endif
