#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/open_files.h"
#include "net/web/transfer.h"

static const struct {
	CURLcode code;
	enum web_failure failure;
	const char *text; /* NULL: curl's own text */
} results[] = {
    {CURLE_BAD_CONTENT_ENCODING, WEB_NO_HTTP, "the compressed answer is damaged"},
    {CURLE_COULDNT_CONNECT, WEB_NO_CONNECTION, "could not connect"},
    {CURLE_COULDNT_RESOLVE_HOST, WEB_NO_NAME, "the name of the host is not known"},
    {CURLE_GOT_NOTHING, WEB_NO_HTTP, "the connection was closed without an answer"},
    {CURLE_OPERATION_TIMEDOUT, WEB_LATE, "no connection was made in time"},
    {CURLE_PARTIAL_FILE, WEB_NO_HTTP, "the connection was cut off in mid-answer"},
    {CURLE_PEER_FAILED_VERIFICATION, WEB_NO_TLS, NULL},
    {CURLE_RECV_ERROR, WEB_NO_HTTP, "the connection broke"},
    {CURLE_SEND_ERROR, WEB_NO_HTTP, "the connection broke"},
    {CURLE_SSL_CACERT_BADFILE, WEB_NO_TLS, NULL},
    {CURLE_SSL_CONNECT_ERROR, WEB_NO_TLS, "the TLS handshake failed"},
    {CURLE_UNSUPPORTED_PROTOCOL, WEB_NO_HTTP, "the answer is not HTTP"},
    {CURLE_URL_MALFORMAT, WEB_BAD_URL, NULL},
    {CURLE_WEIRD_SERVER_REPLY, WEB_NO_HTTP, "the answer is not HTTP"},
};

int web_fail(struct web_transfer *x, enum web_failure failure, struct error *err, const char *fmt, ...)
{
	struct buf text = BUF_INIT;
	va_list ap;

	x->res->failure = failure;
	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	error_set(err,
	    failure == WEB_BAD_URL     ? ERROR_OURS :
		failure == WEB_REFUSED ? ERROR_REFUSED :
					 ERROR_NETWORK,
	    "%s", text.data);
	buf_clear(&text);
	return -1;
}

static int by_result(struct web_transfer *x, struct error *err)
{
	const char *words = x->reason[0] != '\0' ? x->reason : curl_easy_strerror(x->result);

	for (size_t i = 0; i < ARRAY_LEN(results); i++)
		if (results[i].code == x->result)
			return web_fail(
			    x, results[i].failure, err, "%s", results[i].text ? results[i].text : words);
	return web_fail(x, WEB_NO_HTTP, err, "%s", words);
}

int web_outcome(struct web_transfer *x, struct error *err)
{
	if (x->end == WEB_FULL)
		return 0;
	if (x->end == WEB_OVERDUE)
		return web_fail(x, WEB_LATE, err, "the answer was not complete within %llu s",
		    (unsigned long long)(x->req->total_ms + 999) / 1000);
	if (x->end == WEB_HEAD_TOO_LARGE)
		return web_fail(x, WEB_NO_HTTP, err, "the head of the answer is too large");
	/* curl takes a head that was cut off at a line end for a complete one. */
	if (x->result == CURLE_OK)
		return x->head_done ? 0 : web_fail(x, WEB_NO_HTTP, err, "the head of the answer is cut off");
	if (x->refused && (x->result == CURLE_COULDNT_CONNECT || x->result == CURLE_ABORTED_BY_CALLBACK))
		return web_fail(x, WEB_REFUSED, err, "%s leads to a private address", x->url.host);
	if ((x->result == CURLE_COULDNT_CONNECT || x->result == CURLE_COULDNT_RESOLVE_HOST) &&
	    open_files_used_up(err)) {
		x->res->failure = WEB_NO_CONNECTION;
		return error_prefix(err, "could not connect");
	}
	return by_result(x, err);
}
