#ifndef TESTS_NET_HTTP_HTTP_CALL_H
#define TESTS_NET_HTTP_HTTP_CALL_H
/* For tests of the HTTP client: one request in its own task, and its outcome. */
#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"
#include "net/http/http.h"
#include "net/raw_server.h"

struct call {
	struct http_request req; /* a GET until changed */
	struct http_response res;
	struct error err;
	int rc;
	bool done;
	struct task *task;
	char url[128];
	/* Written by call_status and call_data. */
	struct buf streamed;
	int status, status_calls;
	size_t stop_at;         /* call_data fails once it has this many bytes; 0: never */
	bool said_no, after_no; /* it failed; it was called again afterwards */
};

/* http://127.0.0.1:port/path */
void call_init(struct call *c, unsigned port);
/* Sets call_status and call_data as callbacks of the request. */
void call_stream(struct call *c);
void call_start(struct call *c);
void call_finish(struct call *c); /* runs the loop until it is done */
void call_run(struct call *c);    /* start and finish */
/* The same against a server with one connection that plays the steps. */
void call_run_against(struct call *c, const struct raw_step *steps);
/* Asserts that it failed with a sentence that contains the words and not the URL's path. A network error
 * is uncertain if the request was sent; other errors are not. */
void call_assert_failed(const struct call *c, enum error_kind kind, const char *words);
void call_clear(struct call *c);

/* Runs the loop for ms of real time. */
void loop_for(unsigned ms);
/* Returns the number of open descriptors. */
size_t open_fds(void);
/* Runs the loop until at most this many are open, for a few seconds at most; returns their number. */
size_t open_fds_settled(size_t most);
/* For cmocka: checks that the client holds nothing and no task runs; closes pooled connections. */
int call_tear_down(void **state);

#endif
