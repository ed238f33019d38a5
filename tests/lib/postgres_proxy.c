#include "lib/postgres_proxy.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"

#define PAIRS  64
#define SOCKET ".s.PGSQL.5432"
/* From here on a first message asks for encryption, which is refused. */
#define ENCRYPTION 80877103

struct pair {
	int client, server; /* client -1: free */
	bool begun;         /* the first message, which has no type, has passed */
	bool dropping;      /* the answer is lost */
	bool frozen;
	struct buf in, batch, out;
};

struct postgres_proxy {
	pthread_t thread;
	int listener, wake[2];
	char *server_path, *path;
	unsigned server_port; /* 0: a PostgreSQL server, at its path */
	struct pair pairs[PAIRS];
	pthread_mutex_t lock; /* guards the fields below */
	unsigned nth, requests;
	char holds[64], freezes[64];
	enum postgres_cut cut;
	bool has_cut, has_frozen, refuse, refuse_after_cut, stall, stop;
	bool refuses; /* the thread knows of refuse */
	pthread_cond_t known;
	char *move_to; /* a server's path: all go there from now on; NULL: they have */
};

static struct sockaddr_un address_of(const char *path)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};

	str_copy(sun.sun_path, sizeof(sun.sun_path), path);
	return sun;
}

static void pair_close(struct pair *pair)
{
	close(pair->client);
	close(pair->server);
	buf_clear(&pair->in);
	buf_clear(&pair->batch);
	buf_clear(&pair->out);
	pair->client = -1;
}

static int connect_server(const struct postgres_proxy *p)
{
	struct sockaddr_un sun = address_of(p->server_port > 0 ? "" : p->server_path);
	struct sockaddr_in sin = {.sin_family = AF_INET,
	    .sin_port = htons((uint16_t)p->server_port),
	    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct sockaddr *to = p->server_port > 0 ? (struct sockaddr *)&sin : (struct sockaddr *)&sun;
	int server = socket(to->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (connect(server, to, p->server_port > 0 ? sizeof(sin) : sizeof(sun)) == 0)
		return server;
	close(server);
	return -1;
}

static void take_client(struct postgres_proxy *p)
{
	int client = accept4(p->listener, NULL, NULL, SOCK_CLOEXEC), server = -1;
	struct pair *pair = p->pairs;
	bool refuse;

	/* Parts of an answer do not wait for each other; a Unix socket knows no such thing. */
	setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
	pthread_mutex_lock(&p->lock);
	refuse = p->refuse;
	pthread_mutex_unlock(&p->lock);
	while (pair < p->pairs + PAIRS && pair->client >= 0)
		pair++;
	if (!refuse && pair < p->pairs + PAIRS)
		server = connect_server(p);
	if (server < 0) {
		close(client);
		return;
	}
	*pair = (struct pair){
	    .client = client, .server = server, .in = BUF_INIT, .batch = BUF_INIT, .out = BUF_INIT};
}

static bool send_all(int fd, const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		data += n;
		len -= (size_t)n;
	}
	return true;
}

static uint32_t number_at(const char *data)
{
	const unsigned char *b = (const unsigned char *)data;

	return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* Bytes of the message at the front; 0: not all of it is there. */
static size_t message_len(const struct buf *b, bool typed)
{
	size_t head = typed ? 5 : 4, len;

	if (b->len < head)
		return 0;
	len = number_at(b->data + head - 4) + (typed ? 1 : 0);
	return b->len < len ? 0 : len;
}

/* Is this the request to cut? */
static bool strikes(struct postgres_proxy *p, const struct buf *batch, enum postgres_cut *cut)
{
	bool counts, found;

	pthread_mutex_lock(&p->lock);
	counts = p->holds[0] == '\0' || memmem(batch->data, batch->len, p->holds, strlen(p->holds));
	p->requests += counts;
	found = counts && p->requests == p->nth;
	if (found) {
		p->has_cut = true;
		p->refuse |= p->refuse_after_cut;
	}
	*cut = p->cut;
	pthread_mutex_unlock(&p->lock);
	return found;
}

static bool freezes(struct postgres_proxy *p, const struct buf *batch)
{
	bool found;

	pthread_mutex_lock(&p->lock);
	found = p->freezes[0] != '\0' && memmem(batch->data, batch->len, p->freezes, strlen(p->freezes));
	p->has_frozen |= found;
	pthread_mutex_unlock(&p->lock);
	return found;
}

/* The batch is a whole request. */
static void pass_request(struct postgres_proxy *p, struct pair *pair)
{
	enum postgres_cut cut;
	bool strike = strikes(p, &pair->batch, &cut);

	if (freezes(p, &pair->batch)) {
		pair->frozen = true;
		return;
	}
	if (strike && cut == POSTGRES_BEFORE) {
		pair_close(pair);
		return;
	}
	if (!send_all(pair->server, pair->batch.data, pair->batch.len) ||
	    (strike && cut == POSTGRES_MIDDLE)) {
		pair_close(pair);
		return;
	}
	pair->dropping |= strike;
	buf_reset(&pair->batch);
}

static bool read_more(int fd, struct buf *to)
{
	char chunk[65536];
	ssize_t n = recv(fd, chunk, sizeof(chunk), 0);

	if (n <= 0)
		return false;
	buf_add(to, chunk, (size_t)n);
	return true;
}

/* Both ports have five digits. */
static void rename_port(struct buf *b, unsigned from, unsigned to)
{
	char old[32], new[32], *at = b->data;
	size_t len = (size_t)snprintf(old, sizeof(old), "127.0.0.1:%u", from);

	snprintf(new, sizeof(new), "127.0.0.1:%u", to);
	while (at && (at = memmem(at, b->len - (size_t)(at - b->data), old, len)))
		memcpy(at, new, len);
}

static void pass_bytes(struct postgres_proxy *p, struct pair *pair, bool from_client)
{
	struct buf *b = from_client ? &pair->in : &pair->out;
	unsigned own = postgres_proxy_port(p);

	if (!read_more(from_client ? pair->client : pair->server, b)) {
		pair_close(pair);
		return;
	}
	rename_port(b, from_client ? own : p->server_port, from_client ? p->server_port : own);
	if (send_all(from_client ? pair->server : pair->client, b->data, b->len))
		buf_reset(b);
	else
		pair_close(pair);
}

static void from_client(struct postgres_proxy *p, struct pair *pair)
{
	size_t len;

	if (p->server_port > 0) {
		pass_bytes(p, pair, true);
		return;
	}
	if (!read_more(pair->client, &pair->in)) {
		pair_close(pair);
		return;
	}
	while (pair->client >= 0 && !pair->frozen && (len = message_len(&pair->in, pair->begun)) > 0) {
		char type = pair->begun ? pair->in.data[0] : '\0';

		if (!pair->begun && len == 8 && number_at(pair->in.data + 4) >= ENCRYPTION) {
			buf_consume(&pair->in, len);
			if (!send_all(pair->client, "N", 1))
				pair_close(pair);
			continue;
		}
		buf_add(&pair->batch, pair->in.data, len);
		buf_consume(&pair->in, len);
		if (pair->begun && strchr("QScf", type)) {
			pass_request(p, pair);
		} else if (!pair->begun || type == 'p' || type == 'X') {
			pair->begun = true;
			if (send_all(pair->server, pair->batch.data, pair->batch.len))
				buf_reset(&pair->batch);
			else
				pair_close(pair);
		}
	}
}

static void from_server(struct postgres_proxy *p, struct pair *pair)
{
	size_t len;

	if (p->server_port > 0) {
		pass_bytes(p, pair, false);
		return;
	}
	if (!read_more(pair->server, &pair->out)) {
		pair_close(pair);
		return;
	}
	while (pair->client >= 0 && (len = message_len(&pair->out, true)) > 0) {
		bool ready = pair->out.data[0] == 'Z' || pair->out.data[0] == 'G';

		if (pair->dropping && ready)
			pair_close(pair);
		else if (!pair->dropping && !send_all(pair->client, pair->out.data, len))
			pair_close(pair);
		else
			buf_consume(&pair->out, len);
	}
}

static void *proxy_main(void *arg)
{
	struct postgres_proxy *p = arg;

	for (bool stall = false;;) {
		struct pollfd fds[2 + 2 * PAIRS] = {
		    {.fd = p->wake[0], .events = POLLIN}, {.fd = stall ? -1 : p->listener, .events = POLLIN}};
		bool stop, refuse, refuses, thaw;
		char byte;

		for (size_t i = 0; i < PAIRS; i++) {
			bool open = p->pairs[i].client >= 0 && !p->pairs[i].frozen && !stall;

			fds[2 + 2 * i] =
			    (struct pollfd){.fd = open ? p->pairs[i].client : -1, .events = POLLIN};
			fds[3 + 2 * i] =
			    (struct pollfd){.fd = open ? p->pairs[i].server : -1, .events = POLLIN};
		}
		poll(fds, 2 + 2 * PAIRS, -1);
		if (fds[0].revents && read(p->wake[0], &byte, 1) < 0)
			break;
		pthread_mutex_lock(&p->lock);
		stop = p->stop;
		refuse = refuses = p->refuse;
		stall = p->stall;
		thaw = p->freezes[0] == '\0';
		if (p->move_to) {
			free(p->server_path);
			p->server_path = p->move_to;
			p->move_to = NULL;
			refuse = true;
		}
		pthread_mutex_unlock(&p->lock);
		if (stop)
			break;
		for (size_t i = 0; i < PAIRS; i++) {
			struct pair *pair = &p->pairs[i];

			if (pair->client >= 0 && (refuse || (pair->frozen && thaw)))
				pair_close(pair);
			if (pair->client >= 0 && fds[2 + 2 * i].revents)
				from_client(p, pair);
			if (pair->client >= 0 && fds[3 + 2 * i].revents)
				from_server(p, pair);
		}
		pthread_mutex_lock(&p->lock);
		p->refuses = refuses;
		pthread_cond_signal(&p->known);
		pthread_mutex_unlock(&p->lock);
		if (fds[1].revents)
			take_client(p);
	}
	for (size_t i = 0; i < PAIRS; i++)
		if (p->pairs[i].client >= 0)
			pair_close(&p->pairs[i]);
	return NULL;
}

static void wake(struct postgres_proxy *p)
{
	if (write(p->wake[1], "", 1) < 0)
		abort();
}

static bool listen_in(struct postgres_proxy *p)
{
	struct sockaddr_un sun = address_of(p->path ? p->path : "");
	struct sockaddr_in any = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	const struct sockaddr *at = p->path ? (struct sockaddr *)&sun : (struct sockaddr *)&any;

	p->listener = socket(at->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	return bind(p->listener, at, p->path ? sizeof(sun) : sizeof(any)) == 0;
}

unsigned postgres_proxy_port(const struct postgres_proxy *p)
{
	struct sockaddr_in sin = {0};
	socklen_t len = sizeof(sin);

	getsockname(p->listener, (struct sockaddr *)&sin, &len);
	return ntohs(sin.sin_port);
}

/* Takes the paths. */
static struct postgres_proxy *proxy_start(char *server_path, unsigned server_port, char *path)
{
	struct postgres_proxy *p = xcalloc(1, sizeof(*p));

	p->server_path = server_path;
	p->server_port = server_port;
	p->path = path;
	for (size_t i = 0; i < PAIRS; i++)
		p->pairs[i].client = -1;
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->known, NULL);
	if (pipe2(p->wake, O_CLOEXEC) != 0 || !listen_in(p) || listen(p->listener, 16) != 0 ||
	    pthread_create(&p->thread, NULL, proxy_main, p) != 0) {
		perror("postgres_proxy");
		abort();
	}
	return p;
}

struct postgres_proxy *postgres_proxy_new(const char *server_dir, const char *dir)
{
	return proxy_start(xasprintf("%s/" SOCKET, server_dir), 0, dir ? xasprintf("%s/" SOCKET, dir) : NULL);
}

struct postgres_proxy *postgres_proxy_new_port(unsigned port)
{
	return proxy_start(NULL, port, NULL);
}

void postgres_proxy_free(struct postgres_proxy *p)
{
	pthread_mutex_lock(&p->lock);
	p->stop = true;
	pthread_mutex_unlock(&p->lock);
	wake(p);
	pthread_join(p->thread, NULL);
	close(p->listener);
	close(p->wake[0]);
	close(p->wake[1]);
	if (p->path)
		unlink(p->path);
	pthread_cond_destroy(&p->known);
	pthread_mutex_destroy(&p->lock);
	free(p->server_path);
	free(p->path);
	free(p);
}

void postgres_proxy_cut(struct postgres_proxy *p, unsigned nth, const char *holds, enum postgres_cut cut)
{
	pthread_mutex_lock(&p->lock);
	p->nth = nth;
	p->cut = cut;
	str_copy(p->holds, sizeof(p->holds), holds ? holds : "");
	p->requests = 0;
	p->has_cut = p->refuse_after_cut = false;
	pthread_mutex_unlock(&p->lock);
}

unsigned postgres_proxy_requests(struct postgres_proxy *p)
{
	unsigned requests;

	pthread_mutex_lock(&p->lock);
	requests = p->requests;
	pthread_mutex_unlock(&p->lock);
	return requests;
}

bool postgres_proxy_has_cut(struct postgres_proxy *p)
{
	bool has_cut;

	pthread_mutex_lock(&p->lock);
	has_cut = p->has_cut;
	pthread_mutex_unlock(&p->lock);
	return has_cut;
}

void postgres_proxy_refuse(struct postgres_proxy *p, bool refuse)
{
	pthread_mutex_lock(&p->lock);
	p->refuse = refuse;
	wake(p);
	while (p->refuses != refuse)
		pthread_cond_wait(&p->known, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void postgres_proxy_refuse_after_cut(struct postgres_proxy *p)
{
	pthread_mutex_lock(&p->lock);
	p->refuse_after_cut = true;
	pthread_mutex_unlock(&p->lock);
}

void postgres_proxy_stall(struct postgres_proxy *p, bool stall)
{
	pthread_mutex_lock(&p->lock);
	p->stall = stall;
	pthread_mutex_unlock(&p->lock);
	wake(p);
}

void postgres_proxy_freeze(struct postgres_proxy *p, const char *holds)
{
	pthread_mutex_lock(&p->lock);
	str_copy(p->freezes, sizeof(p->freezes), holds ? holds : "");
	p->has_frozen = false;
	pthread_mutex_unlock(&p->lock);
	wake(p);
}

bool postgres_proxy_has_frozen(struct postgres_proxy *p)
{
	bool frozen;

	pthread_mutex_lock(&p->lock);
	frozen = p->has_frozen;
	pthread_mutex_unlock(&p->lock);
	return frozen;
}

void postgres_proxy_move(struct postgres_proxy *p, const char *server_dir)
{
	pthread_mutex_lock(&p->lock);
	free(p->move_to);
	p->move_to = xasprintf("%s/" SOCKET, server_dir);
	pthread_mutex_unlock(&p->lock);
	wake(p);
}
