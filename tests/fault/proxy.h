#ifndef TESTS_FAULT_PROXY_H
#define TESTS_FAULT_PROXY_H
/*
 * A TCP proxy on loopback, on the one loop, that breaks what passes in it at an exact byte. It follows
 * HTTP/1.1 as far as it must: where a request begins and ends, so that bytes are counted from the start of a
 * request and of its answer, also on a connection that is used for several. It answers nothing itself,
 * changes nothing but the port in the Host header, and knows what it passed on.
 */
#include <stdbool.h>
#include <stddef.h>

struct proxy;
struct task;

enum proxy_side { PROXY_REQUEST, PROXY_ANSWER };

enum proxy_kind {
	PROXY_CUT,     /* both connections end */
	PROXY_DELAY,   /* waits once */
	PROXY_GARBAGE, /* other bytes in place of those that stand there */
	PROXY_INSERT,  /* other bytes before those that stand there */
	PROXY_STALL,   /* passes nothing more, and closes nothing */
	PROXY_TRICKLE  /* passes what follows in pieces */
};

struct proxy_fault {
	const char *method; /* the last part of the request's path; NULL: any. Borrowed */
	const char *holds;  /* stands in the request; NULL: anything. Borrowed */
	unsigned skip;      /* so many such requests are left alone before */
	unsigned times;     /* 0: once */
	enum proxy_side side;
	enum proxy_kind kind;
	size_t at;         /* so many bytes of the request, or of its answer, pass before */
	bool reset;        /* CUT: by RST instead of FIN */
	unsigned ms;       /* DELAY; TRICKLE: between pieces */
	size_t piece;      /* TRICKLE: bytes */
	const char *bytes; /* GARBAGE, INSERT. Borrowed */
};

/* One request and what came back. Bytes are those since its start. */
struct proxy_exchange {
	char method[32];    /* the last part of the path */
	size_t connection;  /* number of the connection, from 0 */
	size_t nth;         /* request on it, from 0 */
	size_t request_len; /* by its head */
	size_t received;    /* bytes of the request that the client sent */
	size_t passed;      /* and that the server was given */
	size_t answered;    /* bytes of the answer that the client was given */
	bool broken;        /* a fault was done to it */
};

/* Listens on a free port, and connects each connection to the port of upstream ("http://127.0.0.1:PORT"). */
struct proxy *proxy_new(const char *upstream);
void proxy_free(struct task *t, struct proxy *p);
/* "http://127.0.0.1:PORT" */
const char *proxy_url(const struct proxy *p);

/* Faults are tried in the order in which they were added; each is used up by what it was done to. */
void proxy_add(struct proxy *p, const struct proxy_fault *fault);
void proxy_forget_faults(struct proxy *p);
/* How often a fault was done. */
size_t proxy_struck(const struct proxy *p);
/* So many connections from now on are closed as soon as they are accepted. */
void proxy_close_next(struct proxy *p, unsigned count, bool reset);
/* false: connections are refused until true. */
void proxy_listen(struct proxy *p, bool on);
/* Ends the connections that wait for a next request, as a server that has enough of them does. */
void proxy_drop_idle(struct proxy *p, bool reset);

/* Exchanges so far of this method (NULL: all). */
size_t proxy_count(const struct proxy *p, const char *method);
/* The last one, NULL if there is none; good until the next begins. */
const struct proxy_exchange *proxy_last(const struct proxy *p, const char *method);

#endif
