#include "net/server/peer.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>
#include <cmocka.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/task.h"

#define PATIENCE_MS 30000

/* One turn of the loop, then up to 1 ms of waiting for fd, which may be -1. */
static void turn(int fd, short events, uint64_t start)
{
	struct pollfd pfd = {.fd = fd, .events = events};

	uv_run(uv_default_loop(), UV_RUN_NOWAIT);
	if (uv_hrtime() / 1000000 - start > PATIENCE_MS)
		fail_msg("nothing came within %d ms", PATIENCE_MS);
	poll(&pfd, 1, 1);
}

static uint64_t now(void)
{
	return uv_hrtime() / 1000000;
}

static bool peer_connect(struct peer *p, const struct sockaddr *addr, socklen_t len)
{
	*p = (struct peer){.fd = socket(addr->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0)};
	buf_init(&p->in);
	assert_true(p->fd >= 0);
	if (connect(p->fd, addr, len) < 0) {
		p->error = errno;
		peer_close(p);
		return false;
	}
	return true;
}

void peer_open(struct peer *p, unsigned port)
{
	struct sockaddr_in addr = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(peer_connect(p, (struct sockaddr *)&addr, sizeof(addr)));
}

bool peer_open_unix(struct peer *p, const char *path)
{
	struct sockaddr_un addr = {.sun_family = AF_UNIX};

	assert_int_equal(str_copy(addr.sun_path, sizeof(addr.sun_path), path), 0);
	return peer_connect(p, (struct sockaddr *)&addr, sizeof(addr));
}

void peer_close(struct peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	buf_clear(&p->in);
}

void peer_send(struct peer *p, const void *data, size_t len)
{
	uint64_t start = now();
	size_t done = 0;

	while (done < len) {
		ssize_t n = send(p->fd, (const char *)data + done, len - done, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n > 0) {
			done += (size_t)n;
			uv_run(uv_default_loop(), UV_RUN_NOWAIT);
		} else if (errno == EAGAIN) {
			turn(p->fd, POLLOUT, start);
		} else {
			p->error = errno;
			return;
		}
	}
}

void peer_say(struct peer *p, const char *text)
{
	peer_send(p, text, strlen(text));
}

/* False when there is nothing to read now. */
static bool read_some(struct peer *p)
{
	char data[65536];
	ssize_t n = recv(p->fd, data, sizeof(data), MSG_DONTWAIT);

	if (n > 0) {
		buf_add(&p->in, data, (size_t)n);
		return true;
	}
	if (n < 0 && errno == EAGAIN)
		return false;
	p->ended = true;
	p->error = n < 0 ? errno : 0;
	return true;
}

void peer_read(struct peer *p, size_t len)
{
	uint64_t start = now();

	while (!p->ended && p->in.len < len)
		if (!read_some(p))
			turn(p->fd, POLLIN, start);
}

void peer_read_end(struct peer *p)
{
	peer_read(p, SIZE_MAX);
}

static const char *header_of(const char *head, const char *name)
{
	const char *at = strcasestr(head, name);

	return at ? at + strlen(name) : NULL;
}

/* Up to and with the first end after what was taken. */
static size_t read_through(struct peer *p, const char *end)
{
	char *at;

	while (!(at = memmem(p->in.data, p->in.len, end, strlen(end)))) {
		assert_false(p->ended);
		peer_read(p, p->in.len + 1);
	}
	return (size_t)(at - p->in.data) + strlen(end);
}

static void take(struct peer *p, struct buf *out, size_t len)
{
	peer_read(p, len);
	assert_true(p->in.len >= len);
	buf_add(out, p->in.data, len);
	buf_consume(&p->in, len);
}

static void take_chunks(struct peer *p, struct buf *out)
{
	size_t size;

	do {
		struct buf end = BUF_INIT;
		size_t line = read_through(p, "\r\n");

		size = strtoul(p->in.data, NULL, 16);
		buf_consume(&p->in, line);
		take(p, out, size);
		take(p, &end, 2);
		assert_string_equal(end.data, "\r\n");
		buf_clear(&end);
	} while (size > 0);
}

void peer_answer(struct peer *p, struct answer *a, bool has_body)
{
	const char *length;

	buf_init(&a->head);
	buf_init(&a->body);
	take(p, &a->head, read_through(p, "\r\n\r\n"));
	assert_memory_equal(a->head.data, "HTTP/1.1 ", 9);
	a->status = (int)strtol(a->head.data + 9, NULL, 10);
	length = header_of(a->head.data, "\r\nContent-Length: ");
	if (has_body && length)
		take(p, &a->body, strtoul(length, NULL, 10));
	else if (has_body && header_of(a->head.data, "\r\nTransfer-Encoding: chunked\r\n"))
		take_chunks(p, &a->body);
}

void answer_clear(struct answer *a)
{
	buf_clear(&a->head);
	buf_clear(&a->body);
}

int peer_ask(unsigned port, const char *text, struct answer *a)
{
	struct peer p;
	struct answer own;
	int status;

	peer_open(&p, port);
	peer_say(&p, text);
	peer_answer(&p, &own, true);
	status = own.status;
	if (a)
		*a = own;
	else
		answer_clear(&own);
	peer_close(&p);
	return status;
}

void run_until(const bool *flag)
{
	uint64_t start = now();

	while (!*flag)
		turn(-1, 0, start);
}

void run_until_count(const size_t *count, size_t wanted)
{
	uint64_t start = now();

	while (*count != wanted)
		turn(-1, 0, start);
}

void run_for(unsigned ms)
{
	uint64_t start = now();

	while (now() - start < ms)
		turn(-1, 0, start);
}

size_t open_files(void)
{
	DIR *d = opendir("/proc/self/fd");
	size_t n = 0;

	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

struct server *serve(server_handler *handler, void *arg, const struct server_options *options)
{
	struct server_options o = options ? *options : (struct server_options){0};
	struct error err;
	struct server *s;

	if (!o.listen)
		o.listen = "127.0.0.1:0";
	o.handler = handler;
	o.arg = arg;
	s = server_new(&o, &err);
	if (!s)
		fail_msg("%s", err.text);
	return s;
}

static void end_task(struct task *t, void *arg)
{
	server_free(t, arg);
}

void serve_end(struct server *s)
{
	task_run("end of the server", end_task, s);
}
