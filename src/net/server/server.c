#include <stdlib.h>

#include "base/error.h"
#include "base/log.h"
#include "base/mem.h"
#include "net/server/server_internal.h"

#define DEFAULT_UNIX_MODE       0600
#define DEFAULT_MAX_BODY        (1024 * 1024)
#define DEFAULT_MAX_REQUESTS    1024
#define DEFAULT_MAX_CONNECTIONS 2048
/* How long server_free waits for the last answers to be sent. */
#define FAREWELL_MS 500

static void on_accept(int fd, void *arg)
{
	server_connection_new(arg, fd);
}

static void options_complete(struct server_options *o)
{
	if (o->unix_mode == 0)
		o->unix_mode = DEFAULT_UNIX_MODE;
	if (o->max_body == 0)
		o->max_body = DEFAULT_MAX_BODY;
	if (o->max_requests == 0)
		o->max_requests = DEFAULT_MAX_REQUESTS;
	if (o->max_connections == 0)
		o->max_connections = DEFAULT_MAX_CONNECTIONS;
}

struct server *server_new(const struct server_options *options, struct error *err)
{
	struct server *s = xcalloc(1, sizeof(*s));

	s->options = *options;
	options_complete(&s->options);
	s->address = xstrdup(options->listen);
	s->options.listen = s->address;
	s->tls = options->certificate;
	list_init(&s->connections);
	task_group_init(&s->tasks);
	if (server_listen(&s->listener, s->address, s->options.unix_mode, on_accept, s, err) < 0)
		goto free_server;
	if (server_vhost_new(s, err) < 0)
		goto close_listener;
	log_debug("net.server", "listening address=%s port=%u", s->address, server_port(s));
	return s;
close_listener:
	server_listen_close(&s->listener);
free_server:
	free(s->address);
	free(s);
	return NULL;
}

static bool server_has_unsent(struct server *s)
{
	list_each(&s->connections, link, tmp)
		if (server_connection_is_sending(list_entry(link, struct server_connection, link)))
			return true;
	return false;
}

static void server_close_connections(struct task *t, struct server *s)
{
	uint64_t due = clock_now() + FAREWELL_MS;

	s->closer = t;
	while (server_has_unsent(s) && task_wait_until(t, due, NULL) == 0)
		;
	list_each(&s->connections, link, tmp)
		server_connection_close(list_entry(link, struct server_connection, link), false);
	while (s->socket_count > 0)
		task_wait(t, NULL);
}

void server_free(struct task *t, struct server *s)
{
	if (!s)
		return;
	s->closing = true;
	server_listen_close(&s->listener);
	task_group_finish(t, &s->tasks);
	task_shield(t);
	server_close_connections(t, s);
	task_unshield(t);
	server_vhost_free(s);
	free(s->address);
	free(s);
}

unsigned server_port(const struct server *s)
{
	return s->listener.port;
}
