#ifndef NET_HTTP_TRANSFER_H
#define NET_HTTP_TRANSFER_H
/*
 * One running request, on the stack of the waiting task. The parts of the HTTP client: http.c sets it up
 * and waits, multi.c runs it, response.c has curl's callbacks, error.c describes its end.
 * curl forbids removing a transfer inside a callback. So curl's end, a callback or a timer only records
 * the reason and wakes the task, which removes the transfer.
 */
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"
#include "base/time/clock.h"
#include "net/http/http.h"
#include "net/http/url.h"

struct error;
struct http_easy;
struct http_host;
struct http_multi;
struct http_reader;
struct resolve_answer;

enum http_end {
	HTTP_RUNNING,
	HTTP_ENDED,         /* see result for curl's reason */
	HTTP_NOT_CONNECTED, /* connect_ms passed */
	HTTP_SILENT,        /* idle_ms passed */
	HTTP_OVERDUE,       /* total_ms passed */
	HTTP_TOO_LARGE,
	HTTP_STOPPED,     /* by on_data */
	HTTP_HELD_BACK,   /* net/egress.h */
	HTTP_NOT_REPEATED /* curl was about to send a `once` request again */
};

struct http_transfer {
	struct task *task;
	const struct http_request *req;
	struct http_response *res;
	struct http_url url;
	uint64_t connect_ms, idle_ms; /* with defaults */
	size_t max_body;

	struct http_easy *handle;
	CURL *easy; /* of handle */
	struct curl_slist *resolve;
	curl_mime *mime;
	struct http_reader *readers; /* of the mime parts */
	struct http_multi *multi;
	struct http_host *host; /* while multi */
	struct list link;       /* in the transfers of multi */
	bool counted;           /* counted in multi */
	bool misplaced;         /* not sent, and must move to another multi: its task does so */

	struct clock_timer timer; /* until connected, then for silence */
	struct clock_timer total;
	uint64_t received_ms; /* clock_machine() of the last sign of life since it was sent; 0: none */
	size_t received;      /* bytes of the body */
	curl_off_t uploaded;
	bool head_begun, head_done;

	enum http_end end;
	CURLcode result;
};

/* Records why the transfer ends (the first reason only) and wakes its task. */
void http_transfer_end(struct http_transfer *x, enum http_end end);
/* Formats milliseconds for people: "1.5 s", "200 ms". */
const char *http_ms_text(uint64_t ms, char out[32]);

/* setup.c: Converts a struct http_request to the options of an easy handle. */

/* Gets and configures x->easy; addresses may be NULL. ERROR_OURS when the request is invalid. Call
 * http_setup_clear in any case. */
int http_setup(struct http_transfer *x, const struct resolve_answer *addresses, struct error *err);
void http_setup_clear(struct http_transfer *x);

/* response.c: curl's callbacks while a request is sent and its answer arrives. */

/* Sets the callbacks of x->easy: they mark `sent`, restart the idle timer, fill the response, and stream. */
void http_response_attach(struct http_transfer *x);

/* error.c: Turns the end of a transfer into an error. */

/* Returns 0 when the answer is complete, or -1 with err, which names label and host, never the URL. */
int http_outcome(const struct http_transfer *x, struct error *err);
/* Prepends label and host to the sentence in err; returns -1. */
int http_error_prefix(const struct http_transfer *x, struct error *err);

#endif
