#ifndef NET_HTTP_HTTP_H
#define NET_HTTP_HTTP_H
/*
 * The HTTP client: libcurl multi handles on the loop. http_perform suspends the task until the answer is
 * complete, the transfer failed, or the task is cancelled (which removes the transfer at once).
 * Whether a failed request may be sent again depends on one fact: did a byte of it leave?
 * http_response.sent says so (CURLOPT_PREREQFUNCTION marks the instant). With `once`, curl's silent
 * resend on a dead pooled connection is aborted, and connections idle for more than 3 s are not used.
 * Redirects are returned as answers; proxies and cookies are not used. TLS trusts the system's CA
 * certificates, or those in the file that $SSL_CERT_FILE names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;
struct task;

/* Gets a part of the body as it arrives, on the loop; must not suspend. Returns -1 to end the transfer
 * (http_perform then fails with ERROR_OURS). */
typedef int http_data_fn(const char *data, size_t len, void *arg);
/* Called once, when the status is known, before the first on_data. */
typedef void http_status_fn(int status, const char *content_type, void *arg);
/* Gets each header as it arrives, also of interim answers (1xx). Must not suspend. */
typedef void http_header_fn(const char *name, const char *value, void *arg);

struct http_header {
	const char *name, *value;
};

/* A part of a multipart/form-data body. data is borrowed until http_perform returns, and read while it is
 * sent. */
struct http_part {
	const char *name;
	const char *data;
	size_t len;
	const char *filename;     /* NULL for a plain field */
	const char *content_type; /* may be NULL */
};

struct http_request {
	const char *method; /* "GET", "POST", … */
	const char *url;
	/* Used with the host in errors and logs instead of the URL, which may hold a token. */
	const char *label;
	const char *unix_socket; /* unix socket to connect to instead of the URL's host */
	const struct http_header *headers;
	size_t header_count;
	const void *body; /* borrowed until http_perform returns, or on_taken is called */
	size_t body_len;
	const struct http_part *parts; /* replaces body */
	size_t part_count;
	uint64_t connect_ms; /* time limit of the connect; 0: 10,000 */
	/* Longest silence on the connection, in ms: without a part of the request sent or of the answer
	 * received. 0: 60,000. */
	uint64_t idle_ms;
	uint64_t total_ms; /* 0 for no limit */
	size_t max_body;   /* maximum size of the decoded answer, kept or streamed; 0: 16 MiB */
	bool once;         /* must not be sent twice: never resend silently */
	bool fresh;        /* use a new connection and close it afterwards (long polls after a failure) */
	/* The host answered just now, so a connection probably exists: curl does not get connect_ms, which
	 * would wake the loop once more during a long wait. The limit still holds, but no second address is
	 * tried. */
	bool warm;
	bool compressed; /* accepts gzip and deflate */
	/* Called at most once, before on_status: the server has all of the body, which is not read any more.
	 */
	void (*on_taken)(int status, void *arg);
	http_header_fn *on_header;
	http_status_fn *on_status;
	/* Streams a 2xx answer; other statuses are collected in the response. */
	http_data_fn *on_data;
	void *arg;
};

struct http_response {
	int status; /* 0: no answer */
	bool sent;  /* a byte of the request may have left */
	/* From Retry-After or retry-after-ms, at most 7 days; 0 for none. */
	uint64_t retry_after_ms;
	int64_t date_ms; /* server's wall clock from Date; 0 for none */
	char content_type[96];
	char request_id[96]; /* x-request-id or request-id */
	struct buf body;
};

/* Returns 0 with an answer of any status in res. Returns -1 with err: ERROR_NETWORK or ERROR_CANCELLED
 * (err->uncertain = res->sent), ERROR_OURS (bad URL, answer too large, stopped by on_data). Fills res in
 * any case; clear it with http_response_clear. Suspends. */
int http_perform(
    struct task *t, const struct http_request *req, struct http_response *res, struct error *err);
void http_response_clear(struct http_response *res);

/* Returns the wait that a Retry-After asks for (seconds or date), at most 7 days; 0 for none. */
uint64_t http_retry_after_ms(const char *value);

/* Checks a configured base URL: "https://", or "http://" with a loopback host. */
bool http_url_allowed(const char *url, struct error *err);
/* Appends s percent-encoded, except unreserved characters. */
void http_url_encode(struct buf *out, const char *s, size_t len);

/* Closes idle connections and frees the multi handles; no transfer may be running. */
void http_finish(void);

#endif
