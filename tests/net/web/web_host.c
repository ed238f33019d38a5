#include "net/web/web_host.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/web/web_certificate.h"

#define PEERS_MAX 4096

struct web_host {
	pthread_mutex_t lock;
	pthread_t thread, peers[PEERS_MAX];
	size_t peer_count;
	web_host_fn *fn;
	void *arg;
	SSL_CTX *tls;
	char certificate[32];
	int listener, stop, visits, strays;
	char *last;
};

struct visit {
	struct web_host *host;
	int fd;
	SSL *tls;
};

static void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "web_host: %s: %s\n", what, strerror(errno));
		abort();
	}
}

/* False when the server stops. */
static bool wait_for(const struct web_host *h, int fd)
{
	struct pollfd fds[] = {{.fd = h->stop, .events = POLLIN}, {.fd = fd, .events = POLLIN}};

	poll(fds, 2, -1);
	return fds[0].revents == 0;
}

static ssize_t visit_read(struct visit *v, char *out, size_t size)
{
	if (!v->tls)
		return wait_for(v->host, v->fd) ? recv(v->fd, out, size, 0) : -1;
	if (SSL_pending(v->tls) == 0 && !wait_for(v->host, v->fd))
		return -1;
	return SSL_read(v->tls, out, (int)size);
}

static bool visit_write(struct visit *v, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = v->tls ? SSL_write(v->tls, data, (int)len) : send(v->fd, data, len, MSG_NOSIGNAL);
		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

/* Bytes of the whole request at the front; 0: not there yet. */
static size_t request_len(const struct buf *in)
{
	const char *end = strstr(in->data, "\r\n\r\n"), *length = strcasestr(in->data, "\r\nContent-Length:");
	size_t len = end ? (size_t)(end - in->data) + 4 : 0;

	if (len > 0 && length && length < end)
		len += strtoul(length + 17, NULL, 10);
	return len <= in->len ? len : 0;
}

static void answer(struct visit *v, struct buf *in, size_t len, struct buf *out)
{
	struct web_host *h = v->host;
	char *request = xstrndup(in->data, len);

	pthread_mutex_lock(&h->lock);
	h->fn(out, request, h->arg);
	free(h->last);
	h->last = request;
	pthread_mutex_unlock(&h->lock);
	buf_consume(in, len);
}

static void *visit_main(void *arg)
{
	struct visit *v = arg;
	struct buf in = BUF_INIT, out = BUF_INIT;
	char chunk[4096];
	bool open = !v->tls || SSL_accept(v->tls) == 1;
	ssize_t n;

	while (open && (n = visit_read(v, chunk, sizeof(chunk))) > 0) {
		buf_add(&in, chunk, (size_t)n);
		for (size_t len; open && (len = request_len(&in)) > 0; buf_reset(&out)) {
			answer(v, &in, len, &out);
			open = visit_write(v, out.data, out.len);
		}
	}
	buf_clear(&in);
	buf_clear(&out);
	SSL_free(v->tls);
	close(v->fd);
	free(v);
	return NULL;
}

/* At which address of ours did it arrive? */
static bool is_stray(int fd)
{
	struct sockaddr_in6 own = {0};
	socklen_t len = sizeof(own);
	struct in_addr four;
	char text[INET_ADDRSTRLEN] = "";

	getsockname(fd, (struct sockaddr *)&own, &len);
	if (own.sin6_family == AF_INET)
		four = ((struct sockaddr_in *)&own)->sin_addr;
	else
		memcpy(&four, own.sin6_addr.s6_addr + 12, sizeof(four));
	if (own.sin6_family == AF_INET || IN6_IS_ADDR_V4MAPPED(&own.sin6_addr))
		inet_ntop(AF_INET, &four, text, sizeof(text));
	return strcmp(text, WEB_HOST_PUBLIC) != 0;
}

static void *host_main(void *arg)
{
	struct web_host *h = arg;
	int fd;

	while (wait_for(h, h->listener) && h->peer_count < PEERS_MAX &&
	    (fd = accept(h->listener, NULL, NULL)) >= 0) {
		struct visit *v = xcalloc(1, sizeof(*v));
		v->host = h;
		v->fd = fd;
		v->tls = h->tls ? SSL_new(h->tls) : NULL;
		if (v->tls)
			SSL_set_fd(v->tls, fd);
		pthread_mutex_lock(&h->lock);
		*(is_stray(fd) ? &h->strays : &h->visits) += 1;
		pthread_mutex_unlock(&h->lock);
		must(pthread_create(&h->peers[h->peer_count++], NULL, visit_main, v) == 0, "thread");
	}
	return NULL;
}

static void use_certificate(struct web_host *h)
{
	str_copy(h->certificate, sizeof(h->certificate), "/tmp/myna-web-XXXXXX");
	int fd = mkstemp(h->certificate);

	must(fd >= 0, "certificate");
	must(write(fd, web_certificate, strlen(web_certificate)) > 0, "certificate");
	close(fd);
	setenv("SSL_CERT_FILE", h->certificate, 1);
	h->tls = SSL_CTX_new(TLS_server_method());
	must(SSL_CTX_use_certificate_file(h->tls, h->certificate, SSL_FILETYPE_PEM) == 1, "certificate");
	must(SSL_CTX_use_PrivateKey_file(h->tls, h->certificate, SSL_FILETYPE_PEM) == 1, "key");
}

/* Both families, or IPv4 alone where there is no IPv6. */
static int listen_everywhere(void)
{
	struct sockaddr_in6 six = {.sin6_family = AF_INET6};
	struct sockaddr_in four = {.sin_family = AF_INET};
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0), off = 0;

	if (fd >= 0 && setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off)) == 0 &&
	    bind(fd, (struct sockaddr *)&six, sizeof(six)) == 0 && listen(fd, 64) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	must(bind(fd, (struct sockaddr *)&four, sizeof(four)) == 0 && listen(fd, 64) == 0, "listen");
	return fd;
}

struct web_host *web_host_new(bool tls, web_host_fn *fn, void *arg)
{
	struct web_host *h = xcalloc(1, sizeof(*h));

	pthread_mutex_init(&h->lock, NULL);
	h->fn = fn;
	h->arg = arg;
	h->stop = eventfd(0, EFD_CLOEXEC);
	h->listener = listen_everywhere();
	if (tls)
		use_certificate(h);
	must(pthread_create(&h->thread, NULL, host_main, h) == 0, "thread");
	return h;
}

void web_host_free(struct web_host *h)
{
	must(eventfd_write(h->stop, 1) == 0, "stop");
	pthread_join(h->thread, NULL);
	for (size_t i = 0; i < h->peer_count; i++)
		pthread_join(h->peers[i], NULL);
	if (h->tls) {
		unsetenv("SSL_CERT_FILE");
		unlink(h->certificate);
		SSL_CTX_free(h->tls);
	}
	close(h->listener);
	close(h->stop);
	pthread_mutex_destroy(&h->lock);
	free(h->last);
	free(h);
}

unsigned web_host_port(const struct web_host *h)
{
	struct sockaddr_in6 own = {0};
	socklen_t len = sizeof(own);

	getsockname(h->listener, (struct sockaddr *)&own, &len);
	return ntohs(own.sin6_port);
}

static int count(struct web_host *h, const int *what)
{
	pthread_mutex_lock(&h->lock);
	int n = *what;
	pthread_mutex_unlock(&h->lock);
	return n;
}

int web_host_visits(struct web_host *h)
{
	return count(h, &h->visits);
}

int web_host_strays(struct web_host *h)
{
	return count(h, &h->strays);
}

char *web_host_last(struct web_host *h)
{
	pthread_mutex_lock(&h->lock);
	char *last = xstrdup(h->last);
	pthread_mutex_unlock(&h->lock);
	return last;
}

void web_host_say(struct buf *out, const char *type, const char *body, size_t len)
{
	buf_addf(out, "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: %zu\r\n\r\n", type, len);
	buf_add(out, body, len);
}
