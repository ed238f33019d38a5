#ifndef NET_HTTP_TRANSFER_H
#define NET_HTTP_TRANSFER_H
/*
 * One running request, on the stack of the task that waits for it. Private to the HTTP
 * client: http.c sets it up and waits, http_multi.c runs it, http_answer.c is called by
 * curl as the answer arrives, http_error.c says in words how it ended.
 *
 * curl forbids to remove a transfer inside a callback. So whatever ends one (curl, a
 * callback, a timer) only notes why and wakes the task, which removes it.
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
	HTTP_ENDED,         /* curl says how, in result */
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
	uint64_t connect_ms, idle_ms; /* with the defaults filled in */
	size_t max_body;

	CURL *easy;
	struct curl_slist *headers, *resolve;
	curl_mime *mime;
	struct http_reader *readers; /* of the parts of mime */
	struct http_multi *multi;
	struct http_host *host; /* while multi */
	struct list link;       /* in the transfers of multi */
	bool counted;           /* among the running of multi */
	bool misplaced;         /* not sent, and shall move to another multi: its task does that */

	struct clock_timer timer; /* until connected, then for silence */
	struct clock_timer total;
	size_t received; /* bytes of the body */
	curl_off_t uploaded;
	bool head_begun, head_done;

	enum http_end end;
	CURLcode result;
	char reason[CURL_ERROR_SIZE];
};

/* Notes why the transfer ends, the first cause only, and wakes its task. */
void http_transfer_end(struct http_transfer *x, enum http_end end);
/* Milliseconds as a person writes them: "1.5 s", "200 ms". */
const char *http_ms_text(uint64_t ms, char out[32]);

#endif
