#include "net/raw_server.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/list.h"
#include "base/mem.h"

struct raw_server {
	pthread_mutex_t lock;
	pthread_t thread;
	struct list peers;
	const struct raw_step *const *scripts;
	size_t script_count;
	int listener, stop;
	int connections, requests;
	struct buf last;
};

struct peer {
	struct list link;
	struct raw_server *server;
	const struct raw_step *script;
	pthread_t thread;
	int fd;
	struct buf in;
};

static void must(bool ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "raw_server: %s: %s\n", what, strerror(errno));
		abort();
	}
}

/* Waits for an event on fd (-1: for time to pass); false when the server stops. */
static bool wait_for(struct raw_server *s, int fd, short events, int ms)
{
	struct pollfd fds[] = {{.fd = s->stop, .events = POLLIN}, {.fd = fd, .events = events}};

	poll(fds, 2, ms);
	return fds[0].revents == 0;
}

static bool peer_fill(struct peer *p)
{
	char chunk[64 * 1024];
	ssize_t n;

	if (!wait_for(p->server, p->fd, POLLIN, -1))
		return false;
	n = recv(p->fd, chunk, sizeof(chunk), MSG_DONTWAIT);
	if (n < 0 && errno == EAGAIN)
		return true;
	if (n > 0)
		buf_add(&p->in, chunk, (size_t)n);
	return n > 0;
}

/* Bytes of the whole request at the front of the input; 0: not there yet. */
static size_t request_len(const struct buf *in)
{
	const char *end = memmem(in->data, in->len, "\r\n\r\n", 4), *length, *last;
	size_t head;

	if (!end)
		return 0;
	head = (size_t)(end - in->data) + 4;
	length = strcasestr(in->data, "\r\nContent-Length:");
	if (length && length < end) {
		size_t body = strtoul(length + 17, NULL, 10);

		return in->len >= head + body ? head + body : 0;
	}
	if (!strcasestr(in->data, "\r\nTransfer-Encoding: chunked"))
		return head;
	last = memmem(in->data + head - 2, in->len - head + 2, "\r\n0\r\n\r\n", 7);
	return last ? (size_t)(last - in->data) + 7 : 0;
}

static bool peer_read(struct peer *p, unsigned pause_ms)
{
	struct raw_server *s = p->server;
	size_t len, paused = 0;

	while ((len = request_len(&p->in)) == 0) {
		if (!peer_fill(p))
			return false;
		if (pause_ms > 0 && p->in.len - paused >= RAW_SLOW_STEP && p->in.len < RAW_SLOW_BYTES) {
			paused = p->in.len;
			wait_for(s, -1, 0, (int)pause_ms);
		}
	}
	pthread_mutex_lock(&s->lock);
	s->requests++;
	buf_reset(&s->last);
	buf_add(&s->last, p->in.data, len);
	pthread_mutex_unlock(&s->lock);
	buf_consume(&p->in, len);
	return true;
}

static bool peer_send(struct peer *p, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = send(p->fd, bytes, len, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && errno != EAGAIN)
			return false;
		if (n < 0 && !wait_for(p->server, p->fd, POLLOUT, -1))
			return false;
		if (n > 0) {
			bytes += n;
			len -= (size_t)n;
		}
	}
	return true;
}

static bool peer_trickle(struct peer *p, const struct raw_step *step, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (!peer_send(p, step->bytes + i, 1))
			return false;
		if (step->ms > 0 && !wait_for(p->server, -1, 0, (int)step->ms))
			return false;
	}
	return true;
}

static bool peer_hold(struct peer *p)
{
	while (peer_fill(p))
		;
	return false;
}

/* Whether the client has read all that it was sent, as the kernel tells: a socket of its own machine. */
static bool all_is_read(const struct peer *p)
{
	struct sockaddr_in own = {0}, client = {0};
	socklen_t len = sizeof(own);
	unsigned local, remote, unread;
	bool read = true;
	char line[256];
	FILE *f;

	if (getsockname(p->fd, (struct sockaddr *)&own, &len) != 0 || own.sin_family != AF_INET ||
	    getpeername(p->fd, (struct sockaddr *)&client, &len) != 0)
		return true;
	f = fopen("/proc/net/tcp", "re");
	must(f, "/proc/net/tcp");
	while (fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*[0-9A-F]:%x %*[0-9A-F]:%x %*s %*[0-9A-F]:%x", &local, &remote,
			&unread) == 3 &&
		    local == ntohs(client.sin_port) && remote == ntohs(own.sin_port))
			read = unread == 0;
	fclose(f);
	return read;
}

static bool peer_reset(struct peer *p)
{
	struct linger now = {.l_onoff = 1};
	int sent = 0;

	while (((ioctl(p->fd, SIOCOUTQ, &sent) == 0 && sent > 0) || !all_is_read(p)) &&
	    wait_for(p->server, -1, 0, 1))
		;
	setsockopt(p->fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
	return false;
}

/* False ends the script. */
static bool peer_step(struct peer *p, const struct raw_step *step)
{
	size_t len = step->len > 0 || !step->bytes ? step->len : strlen(step->bytes);

	switch (step->op) {
	case RAW_READ:
	case RAW_READ_SLOWLY:
		return peer_read(p, step->ms);
	case RAW_SEND:
		return peer_send(p, step->bytes, len);
	case RAW_TRICKLE:
		return peer_trickle(p, step, len);
	case RAW_SLEEP:
		return wait_for(p->server, -1, 0, (int)step->ms);
	case RAW_HOLD:
		return peer_hold(p);
	case RAW_RESET:
		return peer_reset(p);
	default:
		return false;
	}
}

static void *peer_main(void *arg)
{
	struct peer *p = arg;
	const struct raw_step *step = p->script;
	int on = 1;

	setsockopt(p->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	while (peer_step(p, step))
		step = step[1].op == RAW_AGAIN ? p->script : step + 1;
	close(p->fd);
	return NULL;
}

static void peer_start(struct raw_server *s, int fd)
{
	struct peer *p = xcalloc(1, sizeof(*p));
	size_t n;

	pthread_mutex_lock(&s->lock);
	n = (size_t)s->connections++;
	pthread_mutex_unlock(&s->lock);
	p->server = s;
	p->fd = fd;
	p->script = s->scripts[n < s->script_count ? n : s->script_count - 1];
	buf_init(&p->in);
	list_append(&s->peers, &p->link);
	must(pthread_create(&p->thread, NULL, peer_main, p) == 0, "thread");
}

static void *accept_main(void *arg)
{
	struct raw_server *s = arg;
	int fd;

	while (wait_for(s, s->listener, POLLIN, -1)) {
		fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0)
			peer_start(s, fd);
	}
	return NULL;
}

static int listen_on(const char *path)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	int fd = socket(path ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int small = 64 * 1024;

	must(fd >= 0, "socket");
	if (path) {
		must(str_copy(un.sun_path, sizeof(un.sun_path), path) == 0, "path");
		must(bind(fd, (struct sockaddr *)&un, sizeof(un)) == 0, "bind");
	} else {
		must(bind(fd, (struct sockaddr *)&in, sizeof(in)) == 0, "bind");
	}
	/* What waits in the kernel is no measure of how fast we read; connections inherit this. */
	must(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small)) == 0, "buffer");
	must(listen(fd, 1024) == 0, "listen");
	return fd;
}

struct raw_server *raw_server_new(const char *path, const struct raw_step *const *scripts, size_t count)
{
	struct raw_server *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	list_init(&s->peers);
	buf_init(&s->last);
	s->scripts = scripts;
	s->script_count = count;
	s->listener = listen_on(path);
	s->stop = eventfd(0, EFD_CLOEXEC);
	must(pthread_create(&s->thread, NULL, accept_main, s) == 0, "thread");
	return s;
}

void raw_server_free(struct raw_server *s)
{
	must(eventfd_write(s->stop, 1) == 0, "stop");
	pthread_join(s->thread, NULL);
	list_each(&s->peers, it, next) {
		struct peer *p = list_entry(it, struct peer, link);

		pthread_join(p->thread, NULL);
		buf_clear(&p->in);
		free(p);
	}
	close(s->listener);
	close(s->stop);
	buf_clear(&s->last);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

unsigned raw_server_port(const struct raw_server *s)
{
	struct sockaddr_in in;
	socklen_t len = sizeof(in);

	must(getsockname(s->listener, (struct sockaddr *)&in, &len) == 0, "getsockname");
	return ntohs(in.sin_port);
}

int raw_server_connections(struct raw_server *s)
{
	int n;

	pthread_mutex_lock(&s->lock);
	n = s->connections;
	pthread_mutex_unlock(&s->lock);
	return n;
}

int raw_server_requests(struct raw_server *s)
{
	int n;

	pthread_mutex_lock(&s->lock);
	n = s->requests;
	pthread_mutex_unlock(&s->lock);
	return n;
}

char *raw_server_last_request(struct raw_server *s, size_t *len)
{
	char *copy;

	pthread_mutex_lock(&s->lock);
	copy = xmemdup(s->last.data, s->last.len + 1);
	if (len)
		*len = s->last.len;
	pthread_mutex_unlock(&s->lock);
	return copy;
}

int raw_unused_port(unsigned *port)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(in);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	must(bind(fd, (struct sockaddr *)&in, len) == 0, "unused port");
	must(getsockname(fd, (struct sockaddr *)&in, &len) == 0, "unused port");
	*port = ntohs(in.sin_port);
	return fd;
}
