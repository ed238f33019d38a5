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

#include "base/time/clock.h"
#include "base/list.h"
#include "net/http/http.h"
#include "net/http/url.h"

struct http_multi;
struct http_host;
struct http_reader;

enum http_end {
	HTTP_RUNNING,
	HTTP_ENDED,         /* see result for curl's reason */
	HTTP_NOT_CONNECTED, /* connect_ms passed */
	HTTP_SILENT,        /* idle_ms passed */
	HTTP_OVERDUE,       /* total_ms passed */
	HTTP_TOO_LARGE,
	HTTP_STOPPED,     /* by on_data */
	HTTP_NOT_REPEATED /* curl was about to send a `once` request again */
};

struct http_transfer {
	struct task *task;
	const struct http_request *req;
	struct http_response *res;
	struct http_url url;
	uint64_t connect_ms, idle_ms; /* with defaults */
	size_t max_body;

	CURL *easy;
	struct curl_slist *headers, *resolve;
	curl_mime *mime;
	struct http_reader *readers; /* of the mime parts */
	struct http_multi *multi;
	struct http_host *host; /* while multi */
	struct list link;       /* in the transfers of multi */
	bool counted;           /* counted in multi */
	bool misplaced;         /* not sent, and must move to another multi: its task does so */

	struct clock_timer timer; /* until connected, then for silence */
	struct clock_timer total;
	size_t received; /* bytes of the body */
	curl_off_t uploaded;
	bool head_begun, head_done;

	enum http_end end;
	CURLcode result;
	char reason[CURL_ERROR_SIZE];
};

/* Records why the transfer ends (the first reason only) and wakes its task. */
void http_transfer_end(struct http_transfer *x, enum http_end end);
/* Formats milliseconds for people: "1.5 s", "200 ms". */
const char *http_ms_text(uint64_t ms, char out[32]);

#endif
