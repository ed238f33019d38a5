#ifndef NET_WEB_WEB_H
#define NET_WEB_WEB_H
/*
 * The client for URLs that a model chose: http and https, to hosts that the guard takes. It has connections
 * of its own and shares nothing with net/http, whose pooled connections would lead round the guard. An
 * address is judged when a connection to it is opened and again when one is used, so it does not matter what
 * a name resolves to, or when. Redirects are followed one by one, each judged anew; headers do not go to
 * another host, a body to no other URL. No cookies, no user names, no proxies. At most 16 at a time, others
 * wait for their turn within their time. Names are looked up on threads of curl. TLS trusts what net/http
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
	const struct http_header *headers; /* none that say where it goes, or how long it is */
	size_t header_count;
	const void *body; /* NULL: none */
	size_t body_len;
	uint64_t total_ms;  /* everything: names, connections, redirects, the answer */
	size_t max_body;    /* of the answer, decoded; what is beyond is not read */
	unsigned redirects; /* that are followed */
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
	WEB_NO_HTTP, /* a broken or unlimited answer, too many redirects */
	WEB_CANCELLED
};

struct web_response {
	enum web_failure failure;
	int status;
	char content_type[128];
	int64_t length; /* of the body, as the server says, before decoding; -1: it does not */
	char *url;      /* that answered */
	bool redirected;
	bool truncated; /* the body has more than max_body */
	struct buf body;
};

/* 0: an answer with any status is in res. -1: res->failure, and err with why. Clear res in any case. */
int web_perform(struct task *t, const struct web_request *req, struct web_response *res, struct error *err);
void web_response_clear(struct web_response *res);
/* Methods that change nothing: they are sent again to where a redirect leads. */
bool web_method_is_safe(const char *method);
/* Ends idle connections; nothing may be running. */
void web_finish(void);

#endif
