#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "config.h"
#include "net/egress.h"
#include "net/curl_loop.h"
#include "net/web/guard.h"
#include "net/web/transfer.h"

/* All header lines of one response, interim ones included. */
#define HEAD_MAX   (64 * 1024)
#define CONNECT_MS 10000L
/* A pooled connection that was idle for longer is not used again. */
#define POOLED_S 30L

static void refuse(struct web_transfer *x)
{
	if (!x->refused)
		log_info("net.web", "refused: host=%.100s", x->url.host);
	x->refused = true;
}

/* Called for each address of the host, before anything is sent to it. */
static curl_socket_t on_open(void *arg, curlsocktype purpose, struct curl_sockaddr *address)
{
	struct web_transfer *x = arg;

	if (purpose != CURLSOCKTYPE_IPCXN ||
	    !web_guard_permits(x->req->guard, x->url.host, x->url.port, &address->addr)) {
		refuse(x);
		return CURL_SOCKET_BAD;
	}
	return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* Called before each sending, also on a connection that was already open. */
static int on_sending(void *arg, char *remote_ip, char *local_ip, int remote_port, int local_port)
{
	struct web_transfer *x = arg;

	(void)local_ip, (void)remote_port, (void)local_port;
	if (egress_is_open() && remote_ip &&
	    web_guard_permits_text(x->req->guard, x->url.host, x->url.port, remote_ip))
		return CURL_PREREQFUNC_OK;
	refuse(x);
	return CURL_PREREQFUNC_ABORT;
}

static void head_begin(struct web_transfer *x)
{
	x->res->content_type[0] = '\0';
	x->res->length = -1;
}

static void head_end(struct web_transfer *x)
{
	curl_off_t length = -1;
	char *type = NULL;
	long status = 0;

	curl_easy_getinfo(x->easy, CURLINFO_RESPONSE_CODE, &status);
	if (status < 200)
		return;
	curl_easy_getinfo(x->easy, CURLINFO_CONTENT_TYPE, &type);
	curl_easy_getinfo(x->easy, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
	str_copy(x->res->content_type, sizeof(x->res->content_type), type ? type : "");
	x->res->length = length;
	x->res->status = (int)status;
	x->head_done = true;
}

static size_t on_header(char *line, size_t size, size_t count, void *arg)
{
	struct web_transfer *x = arg;
	size_t len = size * count;

	if (x->end != WEB_RUNNING)
		return 0;
	x->head_bytes += len;
	if (x->head_bytes > HEAD_MAX) {
		web_transfer_end(x, WEB_HEAD_TOO_LARGE);
		return 0;
	}
	if (x->head_done) /* a trailer */
		return len;
	if (len > 5 && memcmp(line, "HTTP/", 5) == 0)
		head_begin(x);
	else if (len <= 2 && line[0] != ' ' && line[0] != '\t')
		head_end(x);
	return len;
}

static size_t on_body(char *data, size_t size, size_t count, void *arg)
{
	struct web_transfer *x = arg;
	size_t len = size * count, room = x->req->max_body - x->res->body.len;

	if (x->end != WEB_RUNNING)
		return 0;
	buf_add(&x->res->body, data, len < room ? len : room);
	if (len <= room)
		return len;
	x->res->truncated = true;
	web_transfer_end(x, WEB_FULL);
	return 0;
}

/* Notes the first option that curl refused. */
static void set(struct web_transfer *x, CURLcode rc)
{
	if (x->result == CURLE_OK)
		x->result = rc;
}

static void set_policy(struct web_transfer *x)
{
	CURL *easy = x->easy;

	set(x, curl_easy_setopt(easy, CURLOPT_URL, x->text));
	set(x, curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, x->reason));
	set(x, curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, curl_loop_close_socket));
	set(x, curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L));
	/* Otherwise a pending name lookup of a removed transfer would block the loop until it ends. */
	set(x, curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L));
	set(x, curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https"));
	set(x, curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https"));
	set(x, curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L));
	/* A proxy from the environment would be contacted instead of the address that the guard checked. */
	set(x, curl_easy_setopt(easy, CURLOPT_PROXY, ""));
	set(x, curl_easy_setopt(easy, CURLOPT_NOPROXY, "*"));
	set(x, curl_easy_setopt(easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED));
	set(x, curl_easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L));
	set(x, curl_easy_setopt(easy, CURLOPT_USERAGENT, "myna/" PACKAGE_VERSION));
	set(x, curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip, deflate"));
	set(x, curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS));
	set(x, curl_easy_setopt(easy, CURLOPT_MAXAGE_CONN, POOLED_S));
	if (getenv("SSL_CERT_FILE"))
		set(x, curl_easy_setopt(easy, CURLOPT_CAINFO, getenv("SSL_CERT_FILE")));
}

static void set_callbacks(struct web_transfer *x)
{
	CURL *easy = x->easy;

	set(x, curl_easy_setopt(easy, CURLOPT_PRIVATE, x));
	set(x, curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open));
	set(x, curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, x));
	set(x, curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_sending));
	set(x, curl_easy_setopt(easy, CURLOPT_PREREQDATA, x));
	set(x, curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header));
	set(x, curl_easy_setopt(easy, CURLOPT_HEADERDATA, x));
	set(x, curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body));
	set(x, curl_easy_setopt(easy, CURLOPT_WRITEDATA, x));
}

static int set_headers(struct web_transfer *x, struct error *err)
{
	const struct web_request *req = x->req;

	for (size_t i = 0; i < req->header_count && !x->drop_headers; i++) {
		const struct http_header *h = &req->headers[i];
		if (strpbrk(h->name, "\r\n:; ") || *h->name == '\0' || strpbrk(h->value, "\r\n"))
			return web_fail(
			    x, WEB_BAD_URL, err, "a header has a name or value that would begin another one");
		/* "Name;" is a header without a value for curl; "Name:" would remove it. */
		char *line = xasprintf(*h->value != '\0' ? "%s: %s" : "%s;%s", h->name, h->value);
		curl_list_add(&x->headers, line);
		free(line);
	}
	curl_list_add(&x->headers, "Expect:");
	set(x, curl_easy_setopt(x->easy, CURLOPT_HTTPHEADER, x->headers));
	return 0;
}

static void set_method(struct web_transfer *x)
{
	const struct web_request *req = x->req;
	const char *method = x->drop_body && !web_method_is_safe(req->method) ? "GET" : req->method;

	if (strcmp(method, "HEAD") == 0) {
		set(x, curl_easy_setopt(x->easy, CURLOPT_NOBODY, 1L));
		return;
	}
	if (req->body && !x->drop_body) {
		set(x, curl_easy_setopt(x->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)req->body_len));
		set(x, curl_easy_setopt(x->easy, CURLOPT_POSTFIELDS, req->body));
	} else if (strcmp(method, "POST") == 0) {
		set(x, curl_easy_setopt(x->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)0));
		set(x, curl_easy_setopt(x->easy, CURLOPT_POSTFIELDS, ""));
	}
	set(x, curl_easy_setopt(x->easy, CURLOPT_CUSTOMREQUEST, method));
	/* curl itself sends again when a pooled connection turns out to be dead. */
	set(x, curl_easy_setopt(x->easy, CURLOPT_FRESH_CONNECT, web_method_is_safe(method) ? 0L : 1L));
}

int web_setup(struct web_transfer *x, struct error *err)
{
	if (!(x->easy = curl_easy_init()))
		mem_exhausted(0);
	set_policy(x);
	set_callbacks(x);
	set_method(x);
	if (set_headers(x, err) < 0)
		return -1;
	if (x->result != CURLE_OK)
		return web_fail(x, WEB_BAD_URL, err, "%s", curl_easy_strerror(x->result));
	return 0;
}

void web_setup_clear(struct web_transfer *x)
{
	curl_easy_cleanup(x->easy);
	x->easy = NULL;
	curl_slist_free_all(x->headers);
	x->headers = NULL;
}
