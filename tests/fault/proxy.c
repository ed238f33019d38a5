#include "tests/fault/proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/task.h"
#include "tests/fault/proxy_internal.h"

#define BACKLOG 128

struct rule {
	struct list link;
	struct proxy_fault fault;
	unsigned skip, times;
};

void proxy_must(int rc, const char *what)
{
	if (rc == 0)
		return;
	fprintf(stderr, "fault proxy: %s: %s\n", what, uv_strerror(rc));
	abort();
}

static bool matches(const struct proxy_exchange *x, const char *method)
{
	return !method || strcmp(x->method, method) == 0;
}

bool proxy_take_fault(struct proxy *p, const struct proxy_exchange *x, const char *request,
    enum proxy_side side, struct proxy_fault *out)
{
	list_each(&p->rules, it, tmp) {
		struct rule *r = list_entry(it, struct rule, link);

		if (r->fault.side != side || !matches(x, r->fault.method))
			continue;
		if (r->fault.holds && !strstr(request, r->fault.holds))
			continue;
		if (r->skip > 0) {
			r->skip--;
			continue;
		}
		*out = r->fault;
		if (--r->times == 0) {
			list_remove(&r->link);
			free(r);
		}
		return true;
	}
	return false;
}

static void free_handle(uv_handle_t *handle)
{
	free(handle);
}

void proxy_listen(struct proxy *p, bool on)
{
	int len = sizeof(p->self);

	if (!on && p->listener) {
		uv_close((uv_handle_t *)p->listener, free_handle);
		p->listener = NULL;
	}
	if (!on || p->listener)
		return;
	p->listener = xcalloc(1, sizeof(*p->listener));
	p->listener->data = p;
	proxy_must(uv_tcp_init(uv_default_loop(), p->listener), "a socket");
	proxy_must(uv_tcp_bind(p->listener, (struct sockaddr *)&p->self, 0), "its address");
	proxy_must(uv_listen((uv_stream_t *)p->listener, BACKLOG, proxy_conn_accept), "listening");
	proxy_must(uv_tcp_getsockname(p->listener, (struct sockaddr *)&p->self, &len), "its address");
}

struct proxy *proxy_new(const char *upstream)
{
	struct proxy *p = xcalloc(1, sizeof(*p));
	const char *port = strrchr(upstream, ':') + 1;

	list_init(&p->conns);
	list_init(&p->rules);
	proxy_must(uv_ip4_addr("127.0.0.1", (int)strtol(port, NULL, 10), &p->upstream), "its upstream");
	proxy_must(uv_ip4_addr("127.0.0.1", 0, &p->self), "its address");
	proxy_listen(p, true);
	snprintf(p->url, sizeof(p->url), "http://127.0.0.1:%u", ntohs(p->self.sin_port));
	return p;
}

void proxy_free(struct task *t, struct proxy *p)
{
	proxy_listen(p, false);
	list_each(&p->conns, it, tmp)
		proxy_conn_end(proxy_conn_of(it), true);
	while (!list_is_empty(&p->conns))
		task_yield(t, NULL);
	proxy_forget_faults(p);
	free(p->exchanges);
	free(p);
}

const char *proxy_url(const struct proxy *p)
{
	return p->url;
}

void proxy_add(struct proxy *p, const struct proxy_fault *fault)
{
	struct rule *r = xcalloc(1, sizeof(*r));

	r->fault = *fault;
	r->skip = fault->skip;
	r->times = fault->times != 0 ? fault->times : 1;
	list_append(&p->rules, &r->link);
}

void proxy_forget_faults(struct proxy *p)
{
	list_each(&p->rules, it, tmp) {
		list_remove(it);
		free(list_entry(it, struct rule, link));
	}
}

size_t proxy_struck(const struct proxy *p)
{
	return p->struck;
}

void proxy_close_next(struct proxy *p, unsigned count, bool reset)
{
	p->close_next = count;
	p->close_reset = reset;
}

void proxy_drop_idle(struct proxy *p, bool reset)
{
	list_each(&p->conns, it, tmp) {
		if (proxy_conn_is_idle(proxy_conn_of(it)))
			proxy_conn_end(proxy_conn_of(it), reset);
	}
}

size_t proxy_count(const struct proxy *p, const char *method)
{
	size_t n = 0;

	for (size_t i = 0; i < p->count; i++)
		n += matches(&p->exchanges[i], method);
	return n;
}

const struct proxy_exchange *proxy_last(const struct proxy *p, const char *method)
{
	for (size_t i = p->count; i > 0; i--) {
		if (matches(&p->exchanges[i - 1], method))
			return &p->exchanges[i - 1];
	}
	return NULL;
}
