#include "flow/security/wire.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/mem.h"

/* One connection; its thread's. */
struct pair {
	int client, server, record;
	char self[16], upstream[16]; /* ":PORT", of one length */
};

static struct sockaddr_in loopback(int port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return a;
}

static int port_of(int fd)
{
	struct sockaddr_in a = {0};
	socklen_t len = sizeof(a);

	getsockname(fd, (struct sockaddr *)&a, &len);
	return ntohs(a.sin_port);
}

static int write_all(int fd, const char *data, ssize_t len)
{
	for (ssize_t n; len > 0; data += n, len -= n)
		if ((n = send(fd, data, (size_t)len, MSG_NOSIGNAL)) < 0)
			return -1;
	return 0;
}

/* The playground answers only those who name it. */
static void name_upstream(const struct pair *p, char *data, size_t len)
{
	char host[64];
	size_t n = (size_t)snprintf(host, sizeof(host), "\r\nHost: 127.0.0.1%s\r\n", p->self);
	char *at = memmem(data, len, host, n);

	if (at)
		memcpy(at + n - 2 - strlen(p->self), p->upstream, strlen(p->upstream));
}

/* Moves what is there; false at the end of this direction. */
static bool move(const struct pair *p, bool up)
{
	char chunk[65536];
	ssize_t n = read(up ? p->client : p->server, chunk, sizeof(chunk));

	if (n <= 0)
		return false;
	if (up) {
		if (write(p->record, chunk, (size_t)n) != n)
			return false;
		name_upstream(p, chunk, (size_t)n);
	}
	return write_all(up ? p->server : p->client, chunk, n) == 0;
}

static void *relay(void *arg)
{
	struct pair *p = arg;
	struct pollfd fds[2] = {{.fd = p->client, .events = POLLIN}, {.fd = p->server, .events = POLLIN}};

	while ((fds[0].fd >= 0 || fds[1].fd >= 0) && poll(fds, 2, -1) > 0)
		for (size_t i = 0; i < 2; i++) {
			if (fds[i].fd < 0 || fds[i].revents == 0 || move(p, i == 0))
				continue;
			shutdown(i == 0 ? p->server : p->client, SHUT_WR);
			fds[i].fd = -1;
		}
	close(p->client);
	close(p->server);
	free(p);
	return NULL;
}

static void take(int listener, int record, int port)
{
	struct sockaddr_in to = loopback(port);
	struct pair *p = xcalloc(1, sizeof(*p));
	pthread_t thread;

	p->client = accept(listener, NULL, NULL);
	p->server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	p->record = record;
	snprintf(p->self, sizeof(p->self), ":%d", port_of(listener));
	snprintf(p->upstream, sizeof(p->upstream), ":%d", port);
	if (p->client >= 0 && connect(p->server, (struct sockaddr *)&to, sizeof(to)) == 0 &&
	    pthread_create(&thread, NULL, relay, p) == 0) {
		pthread_detach(thread);
		return;
	}
	close(p->client);
	close(p->server);
	free(p);
}

__attribute__((noreturn)) static void serve(const int *listeners, const int *records, size_t count, int port)
{
	struct pollfd fds[WIRE_MAX];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < count; i++)
		fds[i] = (struct pollfd){.fd = listeners[i], .events = POLLIN};
	while (poll(fds, count, -1) > 0)
		for (size_t i = 0; i < count; i++)
			if (fds[i].revents & POLLIN)
				take(listeners[i], records[i], port);
	_exit(1);
}

static int listen_on_any(char url[64])
{
	struct sockaddr_in a = loopback(0);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 64), 0);
	snprintf(url, 64, "http://127.0.0.1:%d", port_of(fd));
	return fd;
}

void wire_start(struct wire *w, const char *dir, const char *upstream, const char *const *names, size_t count)
{
	int listeners[WIRE_MAX], records[WIRE_MAX];
	char path[128];

	assert_true(count <= WIRE_MAX);
	*w = (struct wire){.count = count};
	snprintf(path, sizeof(path), "%s/wire", dir);
	mkdir(path, 0700);
	for (size_t i = 0; i < count; i++) {
		w->names[i] = names[i];
		snprintf(path, sizeof(path), "%s/wire/%s", dir, names[i]);
		records[i] = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
		assert_true(records[i] >= 0);
		listeners[i] = listen_on_any(w->urls[i]);
		assert_int_equal(strlen(w->urls[i]), strlen(upstream));
	}
	w->pid = fork();
	if (w->pid == 0)
		serve(listeners, records, count, (int)strtol(strrchr(upstream, ':') + 1, NULL, 10));
	for (size_t i = 0; i < count; i++) {
		close(listeners[i]);
		close(records[i]);
	}
	assert_true(w->pid > 0);
}

void wire_stop(struct wire *w)
{
	if (w->pid <= 0)
		return;
	kill(w->pid, SIGKILL);
	waitpid(w->pid, NULL, 0);
	w->pid = 0;
}

const char *wire_url(const struct wire *w, const char *name)
{
	for (size_t i = 0; i < w->count; i++)
		if (strcmp(w->names[i], name) == 0)
			return w->urls[i];
	fail_msg("there is no relay %s", name);
	return NULL;
}
