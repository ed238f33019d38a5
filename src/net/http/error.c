#include "net/http/transfer.h"

#include <ctype.h>
#include <errno.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/open_files.h"
#include "net/http/easy.h"

/* curl has many codes for the same broken connection; what matters is when it broke. */
#define BROKE NULL

static const struct {
	CURLcode code;
	enum error_kind kind;
	const char *text;
} results[] = {
    {CURLE_BAD_CONTENT_ENCODING, ERROR_NETWORK, "the compressed answer is damaged"},
    {CURLE_GOT_NOTHING, ERROR_NETWORK, BROKE},
    {CURLE_HTTP2, ERROR_NETWORK, BROKE},
    {CURLE_HTTP2_STREAM, ERROR_NETWORK, BROKE},
    {CURLE_OK, ERROR_NETWORK, BROKE},
    {CURLE_OUT_OF_MEMORY, ERROR_OURS, "out of memory"},
    {CURLE_PARTIAL_FILE, ERROR_NETWORK, BROKE},
    {CURLE_RECV_ERROR, ERROR_NETWORK, BROKE},
    {CURLE_SEND_ERROR, ERROR_NETWORK, BROKE},
    {CURLE_SSL_CACERT_BADFILE, ERROR_OURS, "the CA certificates cannot be read"},
    {CURLE_SSL_CONNECT_ERROR, ERROR_NETWORK, "the TLS handshake failed"},
    {CURLE_UNSUPPORTED_PROTOCOL, ERROR_NETWORK, "the answer is not HTTP"},
    {CURLE_WEIRD_SERVER_REPLY, ERROR_NETWORK, "the answer is not HTTP"},
};

const char *http_ms_text(uint64_t ms, char out[32])
{
	if (ms < 1000)
		snprintf(out, 32, "%u ms", (unsigned)ms);
	else if (ms % 1000 != 0)
		snprintf(out, 32, "%.1f s", (double)ms / 1000);
	else
		snprintf(out, 32, "%llu s", (unsigned long long)(ms / 1000));
	return out;
}

/* The label, and the host unless the label names it. */
int http_error_prefix(const struct http_transfer *x, struct error *err)
{
	const char *label = x->req->label ? x->req->label : "";
	const char *host = x->req->unix_socket ? x->req->unix_socket : x->url.host;

	if (*label != '\0' && *host != '\0' && !strstr(label, host))
		return error_prefix(err, "%s (%s)", label, host);
	if (*label == '\0')
		label = *host != '\0' ? host : "HTTP request";
	return error_prefix(err, "%s", label);
}

static int not_connected(const struct http_transfer *x, struct error *err)
{
	char after[32];
	long os_errno = 0;

	curl_easy_getinfo(x->easy, CURLINFO_OS_ERRNO, &os_errno);
	if (x->end == HTTP_NOT_CONNECTED || x->result == CURLE_OPERATION_TIMEDOUT)
		return error_set(
		    err, ERROR_NETWORK, "no connection within %s", http_ms_text(x->connect_ms, after));
	if ((os_errno == 0 || os_errno == EMFILE || os_errno == ENFILE) && open_files_used_up(err))
		return error_prefix(err, "could not connect");
	if (os_errno == 0)
		return error_set(err, ERROR_NETWORK, "could not connect");
	return error_set(err, ERROR_NETWORK, "could not connect: %s", strerror((int)os_errno));
}

static int broke(const struct http_transfer *x, struct error *err)
{
	if (x->head_begun)
		return error_set(err, ERROR_NETWORK,
		    "the connection was cut off in mid-answer, after %zu bytes of it", x->received);
	if (x->res->sent)
		return error_set(err, ERROR_NETWORK, "the connection was closed without an answer");
	return error_set(err, ERROR_NETWORK, "the connection broke before the request was sent");
}

/* curl's own text says what is wrong with the certificate (expired, self-signed, another name). */
static int certificate(const struct http_transfer *x, struct error *err)
{
	long verify = 0;

	curl_easy_getinfo(x->easy, CURLINFO_SSL_VERIFYRESULT, &verify);
	return error_set(err, ERROR_NETWORK,
	    "the TLS certificate of the server is not accepted: %s (verify result %ld)",
	    x->handle->reason[0] != '\0' ? x->handle->reason : curl_easy_strerror(x->result), verify);
}

static int by_result(const struct http_transfer *x, struct error *err)
{
	if (x->result == CURLE_COULDNT_CONNECT || x->result == CURLE_OPERATION_TIMEDOUT)
		return not_connected(x, err);
	if (x->result == CURLE_PEER_FAILED_VERIFICATION)
		return certificate(x, err);
	for (size_t i = 0; i < ARRAY_LEN(results); i++) {
		if (results[i].code != x->result)
			continue;
		if (results[i].text == BROKE)
			return broke(x, err);
		return error_set(err, results[i].kind, "%s%s%s", results[i].text,
		    x->handle->reason[0] != '\0' ? ": " : "", x->handle->reason);
	}
	return error_set(err, ERROR_NETWORK, "%s",
	    x->handle->reason[0] != '\0' ? x->handle->reason : curl_easy_strerror(x->result));
}

static int by_end(const struct http_transfer *x, struct error *err)
{
	char after[32];

	switch (x->end) {
	case HTTP_NOT_CONNECTED:
		return not_connected(x, err);
	case HTTP_SILENT:
		return error_set(
		    err, ERROR_NETWORK, "the server was silent for %s", http_ms_text(x->idle_ms, after));
	case HTTP_OVERDUE:
		return error_set(err, ERROR_NETWORK, "the answer was not complete within the limit of %s",
		    http_ms_text(x->req->total_ms, after));
	case HTTP_TOO_LARGE:
		return error_set(err, ERROR_OURS, "answer larger than %zu bytes", x->max_body);
	case HTTP_STOPPED:
		return error_set(err, ERROR_OURS, "the answer was not accepted and its transfer ended");
	case HTTP_HELD_BACK:
		return error_set(err, ERROR_NETWORK, "this process may send nothing any more");
	case HTTP_NOT_REPEATED:
		return error_set(err, ERROR_NETWORK,
		    "the connection was closed without an answer; the request may have arrived and was not "
		    "repeated");
	default:
		return by_result(x, err);
	}
}

int http_outcome(const struct http_transfer *x, struct error *err)
{
	/* curl takes a head that was cut off at a line end for a complete one. */
	if (x->end == HTTP_ENDED && x->result == CURLE_OK && x->head_done)
		return 0;
	by_end(x, err);
	if (err) {
		err->uncertain = x->res->sent && err->kind == ERROR_NETWORK;
		err->unanswered = x->res->status == 0 && err->kind == ERROR_NETWORK;
	}
	return http_error_prefix(x, err);
}
