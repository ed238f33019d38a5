#ifndef NET_HTTP_HTTP_H
#define NET_HTTP_HTTP_H
/*
 * The HTTP client: libcurl multi handles on the loop. Straight-line for the caller:
 * http_perform suspends the task until the answer is complete, the transfer failed, or
 * the task is cancelled (the transfer is then removed at once).
 *
 * Whether a failed request may be sent again is decided by one fact: had a byte of it
 * left? http_response.sent says so (CURLOPT_PREREQFUNCTION marks the instant). With
 * `once`, curl's own silent resend on a dead pooled connection is aborted instead, and
 * connections that were idle for more than 3 s are not used.
 *
 * Redirects are answers, proxies and cookies are not used. TLS trusts the CA certificates
 * of the system, or those in the file that $SSL_CERT_FILE names.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct error;
struct task;

/* A part of the body as it arrives, on the loop; must not suspend. Returns 0, or -1 to
 * end the transfer (http_perform then fails with ERROR_OURS). */
typedef int http_data_fn(const char *data, size_t len, void *arg);
/* Called once, when the status is known and before the first on_data. */
typedef void http_status_fn(int status, const char *content_type, void *arg);
/* Each header of the answer as it arrives; those of interim answers (1xx) too. Must not suspend. */
typedef void http_header_fn(const char *name, const char *value, void *arg);

struct http_header {
	const char *name, *value;
};

/* A part of a multipart/form-data body. data is borrowed until http_perform returns; it is read as it is
 * sent. */
struct http_part {
	const char *name;
	const char *data;
	size_t len;
	const char *filename;     /* NULL: an ordinary field */
	const char *content_type; /* may be NULL */
};

struct http_request {
	const char *method; /* "GET", "POST", … */
	const char *url;
	/* Named in errors and logs, with the host, instead of the URL, which may hold a token. */
	const char *label;
	const char *unix_socket; /* path of a unix socket to connect to instead of the URL's host */
	const struct http_header *headers;
	size_t header_count;
	const void *body; /* borrowed until http_perform returns */
	size_t body_len;
	const struct http_part *parts; /* instead of body */
	size_t part_count;
	uint64_t connect_ms; /* 0: 10,000 */
	/* Longest time without a sign of life after the connection was made: a piece of the request taken, a
	 * line of the head or a byte of the body given. 0: 60,000. */
	uint64_t idle_ms;
	uint64_t total_ms; /* 0: not limited */
	size_t max_body;   /* of the answer that is kept or streamed, decoded; 0: 16 MiB */
	bool once;         /* must not be sent twice: never resend silently */
	bool fresh;        /* a new connection, closed after use (long polls after a failure) */
	/* The host has just answered, so that a connection is there as far as is known: curl is not told
	 * connect_ms, which would wake the loop once more in a long wait. It holds, but the next address is
	 * not tried. */
	bool warm;
	bool compressed; /* accept gzip and deflate */
	http_header_fn *on_header;
	http_status_fn *on_status;
	http_data_fn
	    *on_data; /* streams a 2xx answer; other statuses are collected into the response all the same */
	void *arg;
};

struct http_response {
	int status; /* 0: no answer */
	bool sent;  /* a byte of the request may have left */
	/* From Retry-After (seconds or date) or retry-after-ms, at most 7 days; 0: none. */
	uint64_t retry_after_ms;
	int64_t date_ms; /* the server's wall clock, from Date; 0: none */
	char content_type[96];
	char request_id[96]; /* x-request-id or request-id */
	struct buf body;
};

/* 0: an answer with any status is in res. -1: err says what happened: ERROR_NETWORK or ERROR_CANCELLED
 * (err->uncertain = res->sent), ERROR_OURS (bad URL, too large, on_data said no). res is filled either way;
 * clear it with http_response_clear. */
int http_perform(
    struct task *t, const struct http_request *req, struct http_response *res, struct error *err);
void http_response_clear(struct http_response *res);

/* "https://", or "http://" with a loopback host: what a base URL in the config must be. */
bool http_url_allowed(const char *url, struct error *err);
/* Appends s percent-encoded (unreserved characters stay). */
void http_url_encode(struct buf *out, const char *s, size_t len);

/* Ends idle connections and frees the multi handles; no transfer may be running. */
void http_finish(void);

#endif
