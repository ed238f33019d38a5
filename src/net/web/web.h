#ifndef NET_WEB_WEB_H
#define NET_WEB_WEB_H
/*
 * The client for URLs that a model chose: http and https, to hosts that the guard accepts. It has its
 * own connections and shares nothing with net/http, whose pooled connections would bypass the guard.
 * Addresses are checked when a connection is opened and again when it is used, so the answers of name
 * servers do not matter. Redirects are followed one by one, each checked; headers are not sent to
 * another host, a body not to another URL. No cookies, user names or proxies. At most 16 requests run at
 * a time; others wait within their time limit. curl's threads resolve names. TLS trusts what net/http
 * trusts.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "net/http/http.h"

struct error;
struct task;
struct web_guard;

struct web_request {
	const char *method; /* "GET", … */
	const char *url;
	const struct http_header *headers; /* without Host and Content-Length */
	size_t header_count;
	const void *body; /* NULL for none */
	size_t body_len;
	uint64_t total_ms;  /* time limit of everything: lookups, connections, redirects, the answer */
	size_t max_body;    /* maximum of the decoded answer; the rest is not read */
	unsigned redirects; /* maximum to follow */
	const struct web_guard *guard;
};

enum web_failure {
	WEB_FINE,
	WEB_BAD_URL,
	WEB_REFUSED, /* by the guard */
	WEB_LATE,
	WEB_NO_NAME,
	WEB_NO_CONNECTION,
	WEB_NO_TLS,
	WEB_NO_HTTP, /* a broken or unlimited answer, or too many redirects */
	WEB_CANCELLED
};

struct web_response {
	enum web_failure failure;
	int status;
	char content_type[128];
	int64_t length; /* of the body before decoding, as the server says; -1 when unknown */
	char *url;      /* the URL that answered */
	bool redirected;
	bool truncated; /* the body exceeds max_body */
	struct buf body;
};

/* Returns 0 with an answer of any status in res, or -1 with res->failure and err. Clear res in any case.
 * Suspends. */
int web_perform(struct task *t, const struct web_request *req, struct web_response *res, struct error *err);
void web_response_clear(struct web_response *res);
/* Returns true for methods without side effects, which are repeated after a redirect. */
bool web_method_is_safe(const char *method);
/* Closes idle connections; no request may be running. */
void web_finish(void);

#endif
