#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "net/server/server_internal.h"

static void request_free(struct server_request *req)
{
	if (req->connection)
		req->connection->request = NULL;
	if (req->counted)
		req->server->request_count--;
	server_head_clear(&req->head);
	server_body_clear(&req->body);
	free(req);
}

/* Answers a request that no handler sees, and closes its connection, because its body may still arrive. */
static bool request_refuse(struct server_connection *c, const struct error *err)
{
	log_debug("net.server", "refused a request address=%s status=%d: %s", c->server->address, err->code,
	    err->text);
	server_response_refuse(c, err->code, err->text);
	if (c->request)
		request_free(c->request);
	return false;
}

/* host is the value of a Host header, or an origin after its scheme. */
static bool host_is_ours(const struct server_connection *c, const char *host)
{
	char local[64], want[16];
	const char *const ours[] = {"localhost", "127.0.0.1", "[::1]", local};
	unsigned port = server_port(c->server);
	const char *colon = strrchr(host, ':'), *bracket = strrchr(host, ']');
	size_t len = colon && (!bracket || colon > bracket) ? (size_t)(colon - host) : strlen(host);

	snprintf(want, sizeof(want), ":%u", port);
	if (strcmp(host + len, want) != 0 && !(port == (c->server->tls ? 443 : 80) && host[len] == '\0'))
		return false;
	if (server_local_host(server_connection_fd(c), local, sizeof(local)) < 0)
		return false;
	for (size_t i = 0; i < ARRAY_LEN(ours); i++)
		if (strlen(ours[i]) == len && strncasecmp(ours[i], host, len) == 0)
			return true;
	return false;
}

/* A page of another site can make a browser send requests here, but it cannot change Host and Origin. */
static int check_host(
    const struct server_connection *c, const char *host, const char *origin, struct error *err)
{
	bool is_unix = server_port(c->server) == 0;
	const char *scheme = c->server->tls ? "https://" : "http://";
	size_t len = strlen(scheme);

	if (!host)
		return server_refuse(
		    err, 403, "The request has no Host header: it must name this server's address.");
	if (!is_unix && !host_is_ours(c, host))
		return server_refuse(err, 403,
		    "The Host header must name this server's own address and port, or localhost and the "
		    "port.");
	if (origin &&
	    (strncasecmp(origin, scheme, len) != 0 ||
		(is_unix ? strcasecmp(origin + len, host) != 0 : !host_is_ours(c, origin + len))))
		return server_refuse(
		    err, 403, "Pages of another site may not use this server (Origin header).");
	return 0;
}

int server_check_host(const struct server_request *req, struct error *err)
{
	if (!req->connection)
		return error_cancelled(err);
	return check_host(req->connection, server_header(req, "host"), server_header(req, "origin"), err);
}

/* Takes one of max_requests. A request without a body takes none before its handler runs: each connection
 * could hold one with requests in a row, whose answers take no time. */
static int request_count(struct server_request *req, struct error *err)
{
	struct server *s = req->server;

	if (req->counted)
		return 0;
	if (s->request_count >= s->options.max_requests)
		return server_refuse(err, 503,
		    "This server answers %zu requests already: try again in a second.",
		    s->options.max_requests);
	s->request_count++;
	req->counted = true;
	return 0;
}

static int request_check(struct server_request *req, struct error *err)
{
	struct server *s = req->server;
	const char *host = server_header(req, "host");

	if (s->options.check_host && server_check_host(req, err) < 0)
		return -1;
	if (!host && !req->head.version_1_0)
		return server_refuse(err, 400, "The request has no Host header.");
	if (server_body_start(&req->body, &req->head, s->options.max_body, err) < 0)
		return -1;
	if (req->body.state != SERVER_BODY_DONE && s->options.wants_body &&
	    !s->options.wants_body(req, s->options.arg)) {
		req->body.state = SERVER_BODY_DONE;
		req->head.keep_alive = false;
	}
	return req->body.state == SERVER_BODY_DONE ? 0 : request_count(req, err);
}

/* Skips empty lines before a request (RFC 9112, 2.2). */
static void skip_empty_lines(struct server_connection *c)
{
	size_t n = 0;

	while (c->scanned == 0 && strncmp(c->in.data + n, "\r\n", 2) == 0)
		n += 2;
	buf_consume(&c->in, n);
}

/* Returns the length of the head; 0 when more must arrive; -1 when it is refused. */
static ssize_t head_length(struct server_connection *c, struct error *err)
{
	ssize_t n;

	skip_empty_lines(c);
	if (strcmp(c->in.data, "\r") == 0)
		return 0;
	n = server_head_find(c->in.data, c->in.len, &c->scanned);
	if (n < 0)
		return server_refuse(err, 400, "This is not an HTTP request.");
	if (n > SERVER_HEAD_MAX || (n == 0 && c->in.len > SERVER_HEAD_MAX))
		return server_refuse(
		    err, 431, "The head of the request is longer than %d bytes.", SERVER_HEAD_MAX);
	return n;
}

/* Returns true when the buffer may hold more to handle. */
static bool take_head(struct server_connection *c)
{
	struct error err;
	ssize_t len = head_length(c, &err);
	struct server_request *req;

	if (len <= 0)
		return len < 0 && request_refuse(c, &err);
	req = xcalloc(1, sizeof(*req));
	req->server = c->server;
	req->connection = c;
	c->request = req;
	if (server_head_parse(&req->head, c->in.data, (size_t)len, &err) < 0 || request_check(req, &err) < 0)
		return request_refuse(c, &err);
	buf_consume(&c->in, (size_t)len);
	c->scanned = 0;
	if (req->head.expects_continue && req->body.state != SERVER_BODY_DONE && c->in.len == 0)
		server_response_continue(c);
	return true;
}

static void request_run(struct task *t, void *arg)
{
	struct server_request *req = arg;
	struct server_connection *c;
	struct error err;

	if (!task_is_cancelled(t) && request_count(req, &err) < 0) {
		c = req->connection;
		request_refuse(c, &err);
		server_connection_advance(c);
		return;
	}
	if (!task_is_cancelled(t))
		req->server->options.handler(t, req, req->server->options.arg);
	server_response_finish(req);
	c = req->connection;
	request_free(req);
	if (c)
		server_connection_advance(c);
}

static bool take_body(struct server_connection *c)
{
	struct server_request *req = c->request;
	struct error err;
	int rc = server_body_take(&req->body, &c->in, &err);

	if (rc < 0)
		return request_refuse(c, &err);
	if (rc > 0)
		req->task = task_start(&req->server->tasks, "http request", request_run, req);
	return false;
}

void server_request_receive(struct server_connection *c)
{
	bool more = true;

	if (c->request && c->request->answer == SERVER_ANSWER_UPGRADED)
		server_upgrade_received(c->request);
	while (
	    more && !c->last && !c->server->closing && server_connection_pending(c) <= SERVER_PENDING_MAX) {
		if (!c->request)
			more = c->in.len > 0 && take_head(c);
		else
			more = !c->request->task && take_body(c);
	}
}

void server_request_sent(struct server_connection *c)
{
	if (!c->request)
		server_request_receive(c);
	else if (c->request->writer)
		task_wake(c->request->writer);
}

void server_request_late(struct server_connection *c)
{
	struct error err;

	server_refuse(&err, 408, "The request did not arrive in time.");
	request_refuse(c, &err);
}

void server_request_abandon(struct server_connection *c)
{
	struct server_request *req = c->request;

	if (!req)
		return;
	if (!req->task) {
		request_free(req);
		return;
	}
	c->request = NULL;
	req->connection = NULL;
	if (req->answer == SERVER_ANSWER_NONE || req->answer == SERVER_ANSWER_STREAM)
		task_cancel(req->task);
	server_upgrade_received(req);
	if (req->writer)
		task_wake(req->writer);
}

bool server_is_tls(const struct server_request *req)
{
	return req->server->tls;
}

const char *server_method(const struct server_request *req)
{
	return req->head.method;
}

const char *server_path(const struct server_request *req)
{
	return req->head.path;
}

const char *server_query(const struct server_request *req)
{
	return req->head.query;
}

const char *server_header(const struct server_request *req, const char *name)
{
	return server_head_get(&req->head, name);
}

const char *server_body(const struct server_request *req, size_t *len)
{
	*len = req->body.data.len;
	return req->body.data.data;
}
