#include "tests/channels/telegram/bot_api_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"

#define CONNECTIONS_MAX 256
#define CALLS_MAX       2048

struct call {
	char *method, *body;
	unsigned connection;
	uint64_t at;
};

struct script {
	struct script *next;
	char *method, *headers, *body;
	enum bot_how how;
	int status;
};

struct connection {
	struct bot_server *server;
	unsigned number;
	int fd;
	pthread_t thread;
};

struct bot_server {
	int listener;
	char base[64];
	pthread_t thread;
	pthread_mutex_t lock;
	bool stopping;
	struct script *scripts;
	struct call calls[CALLS_MAX];
	size_t call_count, messages;
	struct connection connections[CONNECTIONS_MAX];
	unsigned connection_count;
};

/* clock_now is the loop's thread's own. */
static uint64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static void send_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL);

		if (n <= 0)
			return;
		data += n;
		len -= (size_t)n;
	}
}

/* Reads one request; false at the end of the connection. */
static bool read_request(int fd, struct buf *in, char *method, size_t size, char **body)
{
	char chunk[65536];
	const char *end, *length;
	size_t head, want;

	for (;;) {
		ssize_t n;

		end = memmem(in->data, in->len, "\r\n\r\n", 4);
		if (end) {
			head = (size_t)(end - in->data) + 4;
			length = strcasestr(in->data, "\r\ncontent-length:");
			want = length ? strtoul(length + 17, NULL, 10) : 0;
			if (in->len >= head + want)
				break;
		}
		n = recv(fd, chunk, sizeof(chunk), 0);
		if (n <= 0)
			return false;
		buf_add(in, chunk, (size_t)n);
	}
	method[0] = '\0';
	if (strncmp(in->data, "GET /file/bot999:secret-token-of-the-test/", 42) == 0)
		str_copy(method, size, "file");
	else if (sscanf(in->data, "POST /bot999:secret-token-of-the-test/%63[A-Za-z] HTTP/1.1", method) != 1)
		str_copy(method, size, "wrong-url");
	*body = xstrndup(in->data + head, want);
	buf_consume(in, head + want);
	return true;
}

static struct script *take_script(struct bot_server *s, const char *method)
{
	for (struct script **at = &s->scripts; *at; at = &(*at)->next) {
		struct script *it = *at;

		if (strcmp(it->method, method) != 0)
			continue;
		*at = it->next;
		return it;
	}
	return NULL;
}

static void script_free(struct script *it)
{
	free(it->method);
	free(it->headers);
	free(it->body);
	free(it);
}

static void record(struct connection *c, const char *method, const char *body)
{
	struct bot_server *s = c->server;

	if (s->call_count == CALLS_MAX)
		abort();
	s->calls[s->call_count++] = (struct call){xstrdup(method), xstrdup(body), c->number, now_ms()};
}

/* Until the client goes away, or the server stops, or ms have passed. */
static void wait_client(struct connection *c, uint64_t ms)
{
	for (uint64_t end = now_ms() + ms; now_ms() < end;) {
		struct pollfd p = {.fd = c->fd, .events = POLLIN};
		char byte;

		if (poll(&p, 1, 10) > 0 && recv(c->fd, &byte, 1, MSG_PEEK) <= 0)
			return;
		pthread_mutex_lock(&c->server->lock);
		bool stopping = c->server->stopping;
		pthread_mutex_unlock(&c->server->lock);
		if (stopping)
			return;
	}
}

static char *default_result(struct connection *c, const char *method, const char *body)
{
	struct json_object *params;

	if (strcmp(method, "getMe") == 0)
		return xstrdup("{\"id\":999,\"is_bot\":true,\"first_name\":\"Bot\",\"username\":\"My_Bot\"}");
	if (strcmp(method, "sendMessage") == 0) {
		pthread_mutex_lock(&c->server->lock);
		size_t id = 100 + c->server->messages++;
		pthread_mutex_unlock(&c->server->lock);
		return xasprintf(
		    "{\"message_id\":%zu,\"date\":1790000001,\"chat\":{\"id\":77,\"type\":\"private\"}}", id);
	}
	if (strcmp(method, "getUpdates") != 0)
		return xstrdup("true");
	params = json_parse_object(body, strlen(body), NULL);
	wait_client(c, (uint64_t)json_get_int(params, "timeout", 0) * 1000);
	json_object_put(params);
	return xstrdup("[]");
}

static void send_answer(struct connection *c, int status, const char *headers, const char *body, size_t cut)
{
	struct buf out = BUF_INIT;

	buf_addf(&out, "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s\r\n%s",
	    status, strlen(body), headers ? headers : "", body);
	send_all(c->fd, out.data, cut != 0 && cut < out.len ? cut : out.len);
	buf_clear(&out);
}

/* False: the connection is to be closed. */
static bool answer(struct connection *c, const char *method, const char *body)
{
	struct script *it;
	char *result, *text;
	bool go_on;

	pthread_mutex_lock(&c->server->lock);
	record(c, method, body);
	it = take_script(c->server, method);
	pthread_mutex_unlock(&c->server->lock);
	if (!it) {
		result = default_result(c, method, body);
		text = xasprintf("{\"ok\":true,\"result\":%s}", result);
		send_answer(c, 200, NULL, text, 0);
		free(result);
		free(text);
		return true;
	}
	if (it->how == BOT_HANG)
		wait_client(c, 60000);
	else if (it->how != BOT_CUT)
		send_answer(c, it->status, it->headers, it->body,
		    it->how == BOT_HALF ? strlen(it->body) / 2 + 40 : 0);
	go_on = it->how == BOT_ANSWER;
	script_free(it);
	return go_on;
}

static void *serve_connection(void *arg)
{
	struct connection *c = arg;
	struct buf in = BUF_INIT;
	char method[64], *body;

	while (read_request(c->fd, &in, method, sizeof(method), &body)) {
		bool go_on = answer(c, method, body);

		free(body);
		if (!go_on)
			break;
	}
	buf_clear(&in);
	shutdown(c->fd, SHUT_RDWR);
	return NULL;
}

static void *serve(void *arg)
{
	struct bot_server *s = arg;
	int fd;

	while ((fd = accept(s->listener, NULL, NULL)) >= 0) {
		pthread_mutex_lock(&s->lock);
		if (s->connection_count == CONNECTIONS_MAX)
			abort();
		struct connection *c = &s->connections[s->connection_count];
		*c = (struct connection){.server = s, .number = s->connection_count++, .fd = fd};
		pthread_create(&c->thread, NULL, serve_connection, c);
		pthread_mutex_unlock(&s->lock);
	}
	return NULL;
}

struct bot_server *bot_server_new(void)
{
	struct bot_server *s = xcalloc(1, sizeof(*s));
	struct sockaddr_in sa = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(sa);

	pthread_mutex_init(&s->lock, NULL);
	s->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(s->listener, (struct sockaddr *)&sa, len) != 0 || listen(s->listener, 64) != 0 ||
	    getsockname(s->listener, (struct sockaddr *)&sa, &len) != 0)
		abort();
	snprintf(s->base, sizeof(s->base), "http://127.0.0.1:%u", ntohs(sa.sin_port));
	pthread_create(&s->thread, NULL, serve, s);
	return s;
}

void bot_server_free(struct bot_server *s)
{
	pthread_mutex_lock(&s->lock);
	s->stopping = true;
	pthread_mutex_unlock(&s->lock);
	shutdown(s->listener, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->listener);
	for (unsigned i = 0; i < s->connection_count; i++) {
		shutdown(s->connections[i].fd, SHUT_RDWR);
		pthread_join(s->connections[i].thread, NULL);
		close(s->connections[i].fd);
	}
	for (size_t i = 0; i < s->call_count; i++) {
		free(s->calls[i].method);
		free(s->calls[i].body);
	}
	while (s->scripts) {
		struct script *it = s->scripts;

		s->scripts = it->next;
		script_free(it);
	}
	pthread_mutex_destroy(&s->lock);
	free(s);
}

const char *bot_server_base(const struct bot_server *s)
{
	return s->base;
}

void bot_server_script(struct bot_server *s, const char *method, const struct bot_answer *a)
{
	struct script *it = xcalloc(1, sizeof(*it)), **at = &s->scripts;

	it->method = xstrdup(method);
	it->headers = xstrdup(a->headers);
	it->body = xstrdup(a->body ? a->body : "");
	it->how = a->how;
	it->status = a->status;
	pthread_mutex_lock(&s->lock);
	while (*at)
		at = &(*at)->next;
	*at = it;
	pthread_mutex_unlock(&s->lock);
}

void bot_server_result(struct bot_server *s, const char *method, const char *result)
{
	char *body = xasprintf("{\"ok\":true,\"result\":%s}", result);

	bot_server_script(s, method, &(struct bot_answer){.status = 200, .body = body});
	free(body);
}

void bot_server_refuse(
    struct bot_server *s, const char *method, int code, const char *description, int retry_after)
{
	char *parameters = retry_after != 0 ? xasprintf(","
							"\"parameters\":{\"retry_after\":%d}",
						  retry_after) :
					      xstrdup("");
	char *body = xasprintf("{\"ok\":false,\"error_code\":%d,"
			       "\"description\":\"%s\"%s}",
	    code, description, parameters);

	bot_server_script(s, method, &(struct bot_answer){.status = code, .body = body});
	free(parameters);
	free(body);
}

void bot_server_garbage(struct bot_server *s, const char *method, int status, const char *body)
{
	bot_server_script(s, method, &(struct bot_answer){.status = status, .body = body});
}

size_t bot_server_calls(struct bot_server *s, const char *method)
{
	size_t count = 0;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < s->call_count; i++)
		count += strcmp(s->calls[i].method, method) == 0;
	pthread_mutex_unlock(&s->lock);
	return count;
}

/* Aborts when there was no such call: the test then fails. */
static struct call nth(struct bot_server *s, const char *method, size_t n)
{
	struct call *found = NULL, copy;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; !found && i < s->call_count; i++) {
		if (strcmp(s->calls[i].method, method) == 0 && n-- == 0)
			found = &s->calls[i];
	}
	if (!found)
		abort();
	copy = *found;
	pthread_mutex_unlock(&s->lock);
	return copy;
}

char *bot_server_body(struct bot_server *s, const char *method, size_t n)
{
	return xstrdup(nth(s, method, n).body);
}

unsigned bot_server_connection(struct bot_server *s, const char *method, size_t n)
{
	return nth(s, method, n).connection;
}

bool bot_server_reused(struct bot_server *s, const char *method, size_t n)
{
	const struct call c = nth(s, method, n);
	size_t count = 0;

	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; s->calls[i].body != c.body; i++)
		count += s->calls[i].connection == c.connection;
	pthread_mutex_unlock(&s->lock);
	return count > 0;
}

uint64_t bot_server_time(struct bot_server *s, const char *method, size_t n)
{
	return nth(s, method, n).at;
}
