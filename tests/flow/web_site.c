#include "flow/web_site.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/buf.h"
#include "base/mem.h"

static int nobodys = -1, site = -1;
static unsigned nobodys_at, site_at, connections;
static pthread_t thread;
static atomic_uint writes;
static char *page;

static int listen_somewhere(unsigned *port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(a);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(fd, 64), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	*port = ntohs(a.sin_port);
	return fd;
}

static void answer_one(int fd)
{
	struct buf in = BUF_INIT, out = BUF_INIT;
	char chunk[4096];
	ssize_t n;

	while ((in.len == 0 || !strstr(in.data, "\r\n\r\n")) && (n = read(fd, chunk, sizeof(chunk))) > 0)
		buf_add(&in, chunk, (size_t)n);
	if (in.len > 0 && strncmp(in.data, "GET ", 4) != 0)
		atomic_fetch_add(&writes, 1);
	if (in.len > 0 && strncmp(in.data, "GET /away", 9) == 0)
		buf_addf(&out,
		    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:%u/\r\nContent-Length: 0\r\n",
		    nobodys_at);
	else
		buf_addstr(&out, "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n");
	buf_addf(&out, "Connection: close\r\n\r\nNews of the day.\n%s\n", page ? page : "");
	for (size_t at = 0; at < out.len && (n = write(fd, out.data + at, out.len - at)) > 0;)
		at += (size_t)n;
	close(fd);
	buf_clear(&in);
	buf_clear(&out);
}

static void *serve(void *arg)
{
	int fd;

	(void)arg;
	while ((fd = accept4(site, NULL, NULL, SOCK_CLOEXEC)) >= 0)
		answer_one(fd);
	return NULL;
}

void site_start(void)
{
	nobodys = listen_somewhere(&nobodys_at);
	fcntl(nobodys, F_SETFL, O_NONBLOCK);
	site = listen_somewhere(&site_at);
	writes = connections = 0;
	assert_int_equal(pthread_create(&thread, NULL, serve, NULL), 0);
}

void site_stop(void)
{
	shutdown(site, SHUT_RDWR);
	pthread_join(thread, NULL);
	close(site);
	close(nobodys);
	site_show(NULL);
}

unsigned site_port(void)
{
	return site_at;
}

unsigned site_nobodys_port(void)
{
	return nobodys_at;
}

void site_show(const char *text)
{
	free(page);
	page = xstrdup(text);
}

unsigned site_writes(void)
{
	return atomic_load(&writes);
}

unsigned site_connections(void)
{
	int fd;

	while ((fd = accept4(nobodys, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
		close(fd);
		connections++;
	}
	return connections;
}
