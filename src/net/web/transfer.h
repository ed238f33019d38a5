#ifndef NET_WEB_TRANSFER_H
#define NET_WEB_TRANSFER_H
/* One request of the web client and its answer, without following redirects. */
#include <curl/curl.h>

#include "net/http/url.h"
#include "net/web/web.h"

struct task;

enum web_end {
	WEB_RUNNING,
	WEB_ENDED, /* see result for curl's reason */
	WEB_OVERDUE,
	WEB_FULL, /* the wanted part of the body has arrived */
	WEB_HEAD_TOO_LARGE
};

struct web_transfer {
	struct task *task;
	const struct web_request *req;
	struct web_response *res;
	struct http_url url;
	const char *text;  /* the URL */
	bool drop_body;    /* after a redirect: without the body */
	bool drop_headers; /* after a redirect to another host: without the headers */

	CURL *easy;
	struct curl_slist *headers;
	size_t head_bytes;
	bool head_done;
	bool refused; /* the guard refused an address */
	enum web_end end;
	CURLcode result;
	char reason[CURL_ERROR_SIZE];
};

/* Records why it ends (the first reason only) and wakes its task. */
void web_transfer_end(struct web_transfer *x, enum web_end end);
/* Runs it; the answer is in x->res. Returns like web_perform. */
int web_transfer_run(struct task *t, struct web_transfer *x, struct error *err);
/* Configures x->easy; call web_setup_clear in any case. */
int web_setup(struct web_transfer *x, struct error *err);
void web_setup_clear(struct web_transfer *x);
/* Returns the outcome after the end, like web_perform. */
int web_outcome(struct web_transfer *x, struct error *err);
int web_fail(struct web_transfer *x, enum web_failure failure, struct error *err, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#endif
