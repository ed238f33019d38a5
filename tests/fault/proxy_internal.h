#ifndef TESTS_FAULT_PROXY_INTERNAL_H
#define TESTS_FAULT_PROXY_INTERNAL_H
/* Parts of the proxy: proxy.c has the faults and records, proxy_conn.c forwards the bytes. */
#include <netinet/in.h>
#include <uv.h>

#include "base/buf.h"
#include "base/time/clock.h"
#include "base/list.h"
#include "tests/fault/proxy.h"

struct proxy_conn;

struct proxy {
	uv_tcp_t *listener;
	struct sockaddr_in self, upstream;
	char url[32];
	struct list conns, rules;
	size_t accepted, struck;
	unsigned close_next;
	bool close_reset;
	struct proxy_exchange *exchanges;
	size_t count;
};

/* Ends the process with a sentence unless rc is 0. */
void proxy_must(int rc, const char *what);
/* Takes the fault for this side of an exchange; request is its text. Returns false when there is none. */
bool proxy_take_fault(struct proxy *p, const struct proxy_exchange *x, const char *request,
    enum proxy_side side, struct proxy_fault *out);
/* The listener's callback. */
void proxy_conn_accept(uv_stream_t *listener, int status);
void proxy_conn_end(struct proxy_conn *c, bool reset);
bool proxy_conn_is_idle(const struct proxy_conn *c);
struct proxy_conn *proxy_conn_of(struct list *link);

#endif
