#include "net/server/server_internal.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"

#define BACKLOG 512
/* Connections accepted in one go, so that the rest of the loop gets its turn. */
#define ACCEPT_BURST    64
#define ACCEPT_PAUSE_MS 100

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

static int bad_address(struct error *err, const char *text)
{
	return error_set(err, ERROR_OURS,
	    "\"%s\" is no address to listen on: write HOST:PORT with a numeric host or localhost, or "
	    "unix:PATH.",
	    text);
}

static int parse_port(const char *text, unsigned *port)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	if (*text < '0' || *text > '9' || *end != '\0' || n > 65535)
		return -1;
	*port = (unsigned)n;
	return 0;
}

/* Splits at the last colon; the brackets of an IPv6 host are removed. */
static int parse_tcp(const char *text, union address *addr, socklen_t *len)
{
	const char *colon = strrchr(text, ':');
	char host[INET6_ADDRSTRLEN + 2];
	size_t n = colon ? (size_t)(colon - text) : 0;
	unsigned port;

	if (!colon || n >= sizeof(host) || parse_port(colon + 1, &port) < 0)
		return -1;
	memcpy(host, text, n);
	host[n] = '\0';
	if (n > 2 && host[0] == '[' && host[n - 1] == ']') {
		host[n - 1] = '\0';
		addr->in6 =
		    (struct sockaddr_in6){.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
		*len = sizeof(addr->in6);
		return inet_pton(AF_INET6, host + 1, &addr->in6.sin6_addr) == 1 ? 0 : -1;
	}
	addr->in = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	*len = sizeof(addr->in);
	if (strcmp(host, "localhost") == 0)
		addr->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	else if (inet_pton(AF_INET, host, &addr->in.sin_addr) != 1)
		return -1;
	return 0;
}

static int parse_unix(const char *path, union address *addr, socklen_t *len, struct error *err)
{
	addr->un = (struct sockaddr_un){.sun_family = AF_UNIX};
	*len = sizeof(addr->un);
	if (*path == '\0')
		return bad_address(err, "unix:");
	if (str_copy(addr->un.sun_path, sizeof(addr->un.sun_path), path) < 0)
		return error_set(err, ERROR_OURS,
		    "The socket path %s is longer than %zu bytes: choose a shorter one.", path,
		    sizeof(addr->un.sun_path) - 1);
	return 0;
}

int server_check_address(const char *text, struct error *err)
{
	union address addr;
	socklen_t len;

	if (strncmp(text, "unix:", 5) == 0)
		return parse_unix(text + 5, &addr, &len, err);
	return parse_tcp(text, &addr, &len) < 0 ? bad_address(err, text) : 0;
}

static int listen_failed(struct error *err, const char *address, const char *what)
{
	switch (errno) {
	case EADDRINUSE:
		return error_set(err, ERROR_OURS,
		    "%s is in use by another program: stop that one or choose another address.", address);
	case EADDRNOTAVAIL:
		return error_set(err, ERROR_OURS, "%s is not an address of this machine.", address);
	case EACCES:
	case EPERM:
		return error_set(err, ERROR_OURS, "No permission to listen on %s.", address);
	default:
		return error_set(
		    err, ERROR_OURS, "Cannot listen on %s: %s: %s.", address, what, strerror(errno));
	}
}

/* Removes an old socket at the path if nobody listens on it. */
static int unix_clear_path(const union address *addr, const char *address, struct error *err)
{
	const char *path = addr->un.sun_path;
	struct stat st;
	int fd, rc, saved;

	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : listen_failed(err, address, "look at the path");
	if (!S_ISSOCK(st.st_mode))
		return error_set(
		    err, ERROR_OURS, "%s is there and is no socket: remove it or choose another path.", path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return listen_failed(err, address, "socket");
	rc = connect(fd, &addr->any, sizeof(addr->un));
	saved = errno;
	close(fd);
	/* EAGAIN: somebody listens, but is busy. */
	if (rc == 0 || saved == EAGAIN)
		errno = EADDRINUSE;
	else if (saved == ECONNREFUSED && (unlink(path) == 0 || errno == ENOENT))
		return 0;
	else
		errno = saved == ECONNREFUSED ? errno : saved;
	return listen_failed(err, address, "replace the old socket");
}

/* Nobody can connect between bind and listen, so the mode is set in time. */
static int unix_set_mode(struct server_listener *l, const char *path, unsigned mode)
{
	struct stat st;

	if (chmod(path, mode) < 0 || lstat(path, &st) < 0)
		return -1;
	l->path = xstrdup(path);
	l->device = st.st_dev;
	l->inode = st.st_ino;
	return 0;
}

static int socket_open(struct server_listener *l, const union address *addr, socklen_t len,
    const char *address, struct error *err)
{
	int on = 1;

	l->fd = socket(addr->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (l->fd < 0)
		return listen_failed(err, address, "socket");
	if (addr->any.sa_family != AF_UNIX)
		setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (addr->any.sa_family == AF_INET6)
		setsockopt(l->fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
	if (bind(l->fd, &addr->any, len) < 0)
		return listen_failed(err, address, "bind");
	return 0;
}

static int socket_listen(struct server_listener *l, const union address *addr, unsigned mode,
    const char *address, struct error *err)
{
	union address bound;
	socklen_t len = sizeof(bound);

	if (addr->any.sa_family == AF_UNIX && unix_set_mode(l, addr->un.sun_path, mode) < 0)
		return listen_failed(err, address, "set the permissions of the socket");
	if (listen(l->fd, BACKLOG) < 0 || getsockname(l->fd, &bound.any, &len) < 0)
		return listen_failed(err, address, "listen");
	if (addr->any.sa_family == AF_INET)
		l->port = ntohs(bound.in.sin_port);
	else if (addr->any.sa_family == AF_INET6)
		l->port = ntohs(bound.in6.sin6_port);
	return 0;
}

static void on_pause_over(struct clock_timer *timer, void *arg);

/* Returns true when there may be more. */
static bool accept_one(struct server_listener *l)
{
	int fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC), on = 1;

	if (fd >= 0) {
		l->starved = false;
		if (l->port != 0)
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
		l->accept(fd, l->arg);
		return l->fd >= 0;
	}
	if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
		/* Otherwise the connection in the queue would wake the loop without end. */
		if (!l->starved)
			log_warn("net.server", "cannot take connections for now: %s", strerror(errno));
		l->starved = true;
		uv_poll_stop(l->poll);
		clock_timer_start(&l->pause, ACCEPT_PAUSE_MS, on_pause_over, l);
		return false;
	}
	return errno == ECONNABORTED || errno == EINTR;
}

static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct server_listener *l = poll->data;

	(void)status;
	(void)events;
	for (int i = 0; i < ACCEPT_BURST && accept_one(l); i++)
		;
}

static void on_pause_over(struct clock_timer *timer, void *arg)
{
	struct server_listener *l = arg;

	(void)timer;
	uv_poll_start(l->poll, UV_READABLE, on_readable);
}

static void on_poll_closed(uv_handle_t *handle)
{
	free(handle);
}

static int poll_start(struct server_listener *l, const char *address, struct error *err)
{
	l->poll = xcalloc(1, sizeof(*l->poll));
	if (uv_poll_init(uv_default_loop(), l->poll, l->fd) != 0) {
		free(l->poll);
		l->poll = NULL;
		return error_set(err, ERROR_OURS, "Cannot watch the socket of %s.", address);
	}
	l->poll->data = l;
	uv_poll_start(l->poll, UV_READABLE, on_readable);
	return 0;
}

int server_listen(struct server_listener *l, const char *address, unsigned mode, server_accept_fn *fn,
    void *arg, struct error *err)
{
	union address addr;
	socklen_t len;

	*l = (struct server_listener){.fd = -1, .accept = fn, .arg = arg};
	if (strncmp(address, "unix:", 5) == 0) {
		if (parse_unix(address + 5, &addr, &len, err) < 0 || unix_clear_path(&addr, address, err) < 0)
			return -1;
	} else if (parse_tcp(address, &addr, &len) < 0) {
		return bad_address(err, address);
	}
	if (socket_open(l, &addr, len, address, err) < 0 || socket_listen(l, &addr, mode, address, err) < 0 ||
	    poll_start(l, address, err) < 0) {
		server_listen_close(l);
		return -1;
	}
	return 0;
}

static void unix_remove(struct server_listener *l)
{
	struct stat st;

	/* Another process may have created its own socket there meanwhile. */
	if (lstat(l->path, &st) == 0 && st.st_dev == l->device && st.st_ino == l->inode)
		unlink(l->path);
	free(l->path);
	l->path = NULL;
}

void server_listen_close(struct server_listener *l)
{
	clock_timer_stop(&l->pause);
	if (l->path)
		unix_remove(l);
	if (l->poll) {
		uv_poll_stop(l->poll);
		uv_close((uv_handle_t *)l->poll, on_poll_closed);
		l->poll = NULL;
	}
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

int server_local_host(int fd, char *host, size_t size)
{
	union address addr;
	socklen_t len = sizeof(addr);
	char text[INET6_ADDRSTRLEN];
	bool v6;
	const void *bytes;

	if (getsockname(fd, &addr.any, &len) < 0)
		return -1;
	v6 = addr.any.sa_family == AF_INET6;
	bytes = v6 ? (const void *)&addr.in6.sin6_addr : (const void *)&addr.in.sin_addr;
	if (!inet_ntop(addr.any.sa_family, bytes, text, sizeof(text)))
		return -1;
	return (size_t)snprintf(host, size, v6 ? "[%s]" : "%s", text) < size ? 0 : -1;
}
