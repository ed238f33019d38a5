#include "net/http/transfer.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <strings.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/mem.h"
#include "config.h"
#include "net/curl_loop.h"
#include "net/http/easy.h"
#include "net/resolve.h"

/* curl allocates one for each transfer, also while it waits. */
#define RECEIVE_BUFFER 4096L
#define SEND_BUFFER    (16 * 1024L)
/* A pooled connection that was idle for longer is not used again. Servers close idle ones after a minute or
 * more, but Node.js and uvicorn after 5 s. A request that must not be sent twice stays below that: if the
 * connection closes while the request is sent, its outcome is uncertain, while other requests are simply
 * sent again. */
#define POOLED_S      30L
#define POOLED_ONCE_S 3L
#define KEEPALIVE_S   30L
/* Data that is not acknowledged for this long ends the connection. Otherwise the kernel retries for 15 min
 * (tcp_retries2), and HTTP/2 puts every new request on the dead connection meanwhile. */
#define UNACKED_MS 30000U

/* Less than what libcurl takes for a large body: 1 MiB (7.85 to 8.15). */
#define EXPECT_BYTES (512 * 1024)

#define PURPOSE_USUAL 512

/* The position of curl in a part of a multipart body. */
struct http_reader {
	const char *data;
	size_t len, at;
};

/* Notes the first option that curl refused. */
static void set(struct http_transfer *x, CURLcode rc)
{
	if (x->result == CURLE_OK)
		x->result = rc;
}

static bool has_header(const struct http_request *req, const char *name)
{
	for (size_t i = 0; i < req->header_count; i++) {
		if (strcasecmp(req->headers[i].name, name) == 0)
			return true;
	}
	return false;
}

static int refuse_header(struct error *err)
{
	return error_set(err, ERROR_OURS, "a header holds a line break, which would begin another one");
}

static bool is_large(const struct http_request *req)
{
	return req->body_len >= EXPECT_BYTES || req->part_count > 0;
}

static int set_headers(struct http_transfer *x, struct error *err)
{
	const struct http_request *req = x->req;

	/* curl escapes the names of parts itself. */
	for (size_t i = 0; i < req->part_count; i++)
		if (req->parts[i].content_type && strpbrk(req->parts[i].content_type, "\r\n"))
			return refuse_header(err);
	/* Not by the option for it, which curl would format twice for each request. */
	if (!has_header(req, "User-Agent"))
		curl_list_add(&x->handle->headers, "User-Agent: myna/" PACKAGE_VERSION);
	for (size_t i = 0; i < req->header_count; i++) {
		const struct http_header *h = &req->headers[i];
		char *line;

		if (strpbrk(h->name, "\r\n:") || strpbrk(h->value, "\r\n"))
			return refuse_header(err);
		/* "Name;" is a header without a value for curl; "Name:" would remove it. */
		line = xasprintf(*h->value != '\0' ? "%s: %s" : "%s;%s", h->name, h->value);
		curl_list_add(&x->handle->headers, line);
		free(line);
	}
	/* Otherwise curl sends "Expect: 100-continue" before a large body, and waits a second if the answer
	 * does not come. curl compares every header with each that it looks for, so no needless one is added.
	 */
	if (is_large(req))
		curl_list_add(&x->handle->headers, "Expect:");
	if (req->part_count == 0 && !has_header(req, "Content-Type"))
		curl_list_add(&x->handle->headers, "Content-Type:");
	set(x, curl_easy_setopt(x->easy, CURLOPT_HTTPHEADER, x->handle->headers));
	return 0;
}

static size_t read_part(char *out, size_t size, size_t count, void *arg)
{
	struct http_reader *r = arg;
	size_t n = size * count < r->len - r->at ? size * count : r->len - r->at;

	memcpy(out, r->data + r->at, n);
	r->at += n;
	return n;
}

/* Rewinds for a request that curl sends again. */
static int seek_part(void *arg, curl_off_t offset, int origin)
{
	struct http_reader *r = arg;

	if (origin != SEEK_SET || offset < 0 || (size_t)offset > r->len)
		return CURL_SEEKFUNC_FAIL;
	r->at = (size_t)offset;
	return CURL_SEEKFUNC_OK;
}

static void set_parts(struct http_transfer *x)
{
	const struct http_request *req = x->req;

	x->readers = xcalloc(req->part_count, sizeof(*x->readers));
	x->mime = curl_mime_init(x->easy);
	for (size_t i = 0; i < req->part_count; i++) {
		const struct http_part *part = &req->parts[i];
		curl_mimepart *mp = curl_mime_addpart(x->mime);

		if (!mp)
			mem_exhausted(0);
		x->readers[i] = (struct http_reader){.data = part->data, .len = part->len};
		set(x, curl_mime_name(mp, part->name));
		set(x,
		    curl_mime_data_cb(mp, (curl_off_t)part->len, read_part, seek_part, NULL, &x->readers[i]));
		set(x, curl_mime_filename(mp, part->filename));
		set(x, curl_mime_type(mp, part->content_type));
	}
	set(x, curl_easy_setopt(x->easy, CURLOPT_MIMEPOST, x->mime));
}

static bool has_body(const struct http_request *req)
{
	return req->part_count == 0 && (req->body || strcmp(req->method, "POST") == 0);
}

/* curl sends POST if there is a body, HEAD if no response body is wanted, else GET. */
static void set_method(struct http_transfer *x)
{
	const struct http_request *req = x->req;
	const char *implied = "GET";

	if (req->part_count > 0 || has_body(req)) {
		implied = "POST";
	} else if (strcmp(req->method, "HEAD") == 0) {
		implied = "HEAD";
		set(x, curl_easy_setopt(x->easy, CURLOPT_NOBODY, 1L));
	}
	if (strcmp(req->method, implied) != 0)
		set(x, curl_easy_setopt(x->easy, CURLOPT_CUSTOMREQUEST, req->method));
}

static void set_body(struct http_transfer *x)
{
	const struct http_request *req = x->req;

	if (req->part_count > 0)
		set_parts(x);
	if (!has_body(req))
		return;
	set(x, curl_easy_setopt(x->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->body_len));
	set(x, curl_easy_setopt(x->easy, CURLOPT_POSTFIELDS, req->body ? req->body : ""));
}

static int on_new_socket(void *arg, curl_socket_t fd, curlsocktype purpose)
{
	unsigned ms = UNACKED_MS;

	(void)arg;
	(void)purpose;
	setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &ms, sizeof(ms));
	return CURL_SOCKOPT_OK;
}

static void set_connection(struct http_transfer *x)
{
	const struct http_request *req = x->req;
	CURL *easy = x->easy;

	/* curl divides the time between the addresses. Our own timer enforces the limit, too; 0 sets no
	 * limit in curl. */
	set(x, curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, req->warm ? 0L : (long)x->connect_ms));
	set(x, curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, req->once ? POOLED_ONCE_S : POOLED_S));
	set(x, curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, req->fresh ? 1L : 0L));
	set(x, curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, req->fresh ? 1L : 0L));
	set(x,
	    curl_easy_setopt(easy, CURLOPT_HTTP_VERSION,
		(long)(x->url.https ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)));
	if (getenv("SSL_CERT_FILE"))
		set(x, curl_easy_setopt(easy, CURLOPT_CAINFO, getenv("SSL_CERT_FILE")));
	if (req->unix_socket) {
		set(x, curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, req->unix_socket));
		return;
	}
	set(x, curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_new_socket));
	set(x, curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L));
	set(x, curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, KEEPALIVE_S));
	set(x, curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, KEEPALIVE_S));
}

/* curl stores these in the name cache of the multi handle, replacing an older entry for the host. */
static void set_addresses(struct http_transfer *x, const struct resolve_answer *addresses)
{
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s:%u:", x->url.host, x->url.port);
	for (size_t i = 0; i < addresses->count; i++) {
		const char *address = addresses->address[i];

		buf_addf(&line, strchr(address, ':') ? "%s[%s]" : "%s%s", i > 0 ? "," : "", address);
	}
	curl_list_add(&x->resolve, line.data);
	buf_clear(&line);
	set(x, curl_easy_setopt(x->easy, CURLOPT_RESOLVE, x->resolve));
}

static void set_policy(struct http_transfer *x)
{
	CURL *easy = x->easy;

	/* Parsed once: curl would parse and write a text for each transfer. */
	x->handle->url = http_url_parts(x->req->url);
	set(x, curl_easy_setopt(easy, CURLOPT_CURLU, x->handle->url));
	set(x, curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, x->handle->reason));
	set(x, curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, curl_loop_close_socket));
	set(x, curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
	set(x, curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https"));
	set(x, curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L));
	/* Proxies from the environment would see what we send. curl would look for the exceptions each time.
	 */
	set(x, curl_easy_setopt(easy, CURLOPT_PROXY, ""));
	set(x, curl_easy_setopt(easy, CURLOPT_NOPROXY, ""));
	set(x, curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, RECEIVE_BUFFER));
	set(x, curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, SEND_BUFFER));
	if (x->req->compressed)
		set(x, curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate"));
}

static void add_terminated(struct buf *out, const char *text)
{
	buf_add(out, text, strlen(text) + 1);
}

/* All that set_purpose reads, unambiguous. A form is not sent again. */
static void add_purpose(const struct http_transfer *x, struct buf *out)
{
	const struct http_request *req = x->req;
	const char *authorities = getenv("SSL_CERT_FILE");
	const bool flags[] = {req->warm, req->once, req->fresh, req->compressed, req->unix_socket != NULL,
	    has_body(req), is_large(req)};

	if (req->part_count > 0)
		return;
	buf_reserve(out, PURPOSE_USUAL);
	buf_add(out, flags, sizeof(flags));
	buf_add(out, &x->connect_ms, sizeof(x->connect_ms));
	add_terminated(out, req->method);
	add_terminated(out, req->url);
	add_terminated(out, req->unix_socket ? req->unix_socket : "");
	add_terminated(out, authorities ? authorities : "");
	for (size_t i = 0; i < req->header_count; i++) {
		add_terminated(out, req->headers[i].name);
		add_terminated(out, req->headers[i].value);
	}
}

static int set_purpose(struct http_transfer *x, struct buf *purpose, struct error *err)
{
	set_policy(x);
	set_connection(x);
	set_method(x);
	if (set_headers(x, err) != 0)
		return -1;
	if (x->result == CURLE_OK && purpose->len > 0)
		http_easy_set_up(x->handle, purpose);
	return 0;
}

/* What differs between two requests of one purpose. */
static void set_transfer(struct http_transfer *x, const struct resolve_answer *addresses)
{
	x->handle->reason[0] = '\0';
	set_body(x);
	if (addresses)
		set_addresses(x, addresses);
	http_response_attach(x);
}

int http_setup(struct http_transfer *x, const struct resolve_answer *addresses, struct error *err)
{
	struct buf purpose = BUF_INIT;
	int rc = 0;

	add_purpose(x, &purpose);
	x->handle = http_easy_get(&purpose);
	x->easy = x->handle->curl;
	if (x->handle->purpose.len == 0)
		rc = set_purpose(x, &purpose, err);
	buf_clear(&purpose);
	if (rc != 0)
		return -1;
	set_transfer(x, addresses);
	if (x->result != CURLE_OK)
		return error_set(
		    err, ERROR_OURS, "curl does not take the request: %s", curl_easy_strerror(x->result));
	return 0;
}

void http_setup_clear(struct http_transfer *x)
{
	if (x->handle) {
		if (x->resolve)
			curl_easy_setopt(x->easy, CURLOPT_RESOLVE, NULL);
		http_easy_put(x->handle);
	}
	x->easy = NULL;
	x->handle = NULL;
	curl_mime_free(x->mime);
	curl_slist_free_all(x->resolve);
	free(x->readers);
}
