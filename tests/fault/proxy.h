#ifndef TESTS_FAULT_PROXY_H
#define TESTS_FAULT_PROXY_H
/*
 * A TCP proxy on loopback, in the same event loop, that injects faults at an exact byte. It parses HTTP/1.1
 * far enough to find requests and responses, so bytes count from the start of each, also on reused
 * connections. It answers nothing itself, changes only the port in the Host header, and records what it
 * forwarded.
 */
#include <stdbool.h>
#include <stddef.h>

struct proxy;
struct task;

enum proxy_side { PROXY_REQUEST, PROXY_ANSWER };

enum proxy_kind {
	PROXY_CUT,     /* both connections end */
	PROXY_DELAY,   /* waits once */
	PROXY_GARBAGE, /* replaces bytes */
	PROXY_INSERT,  /* inserts bytes */
	PROXY_STALL,   /* forwards nothing more and keeps the connection */
	PROXY_TRICKLE  /* forwards the rest in pieces */
};

struct proxy_fault {
	const char *method; /* last segment of the request's path; NULL: any. Borrowed */
	const char *holds;  /* text that the request contains; NULL: any. Borrowed */
	unsigned skip;      /* matching requests to skip first */
	unsigned times;     /* 0: once */
	enum proxy_side side;
	enum proxy_kind kind;
	size_t at;         /* bytes of the request or response that pass first */
	bool reset;        /* CUT: by RST instead of FIN */
	unsigned ms;       /* DELAY; TRICKLE: between pieces */
	size_t piece;      /* TRICKLE: bytes */
	const char *bytes; /* GARBAGE, INSERT. Borrowed */
};

/* One request and its response. Byte counts start at 0 for each. */
struct proxy_exchange {
	char method[32];    /* last segment of the path */
	size_t connection;  /* connection number, from 0 */
	size_t nth;         /* request number on it, from 0 */
	size_t request_len; /* from its head */
	size_t received;    /* bytes of the request received from the client */
	size_t passed;      /* bytes forwarded to the server */
	size_t answered;    /* bytes of the response forwarded to the client */
	bool broken;        /* a fault was applied */
};

/* Listens on a free port and forwards to the port of upstream ("http://127.0.0.1:PORT"). */
struct proxy *proxy_new(const char *upstream);
void proxy_free(struct task *t, struct proxy *p);
/* "http://127.0.0.1:PORT" */
const char *proxy_url(const struct proxy *p);

/* Adds a fault. Faults match in the order of addition; each is used once or `times`. */
void proxy_add(struct proxy *p, const struct proxy_fault *fault);
void proxy_forget_faults(struct proxy *p);
/* Returns how many faults were applied. */
size_t proxy_struck(const struct proxy *p);
/* Closes the next count connections right after accept. */
void proxy_close_next(struct proxy *p, unsigned count, bool reset);
/* false: refuses connections until true. */
void proxy_listen(struct proxy *p, bool on);
/* Closes idle keep-alive connections, as a busy server does. */
void proxy_drop_idle(struct proxy *p, bool reset);

/* Of so many bytes one is cut in a sample: lib/sample.h. */
#define PROXY_SAMPLE 7

/* Returns the number of exchanges of this method (NULL: all). */
size_t proxy_count(const struct proxy *p, const char *method);
/* Returns the last exchange, or NULL; valid until the next begins. */
const struct proxy_exchange *proxy_last(const struct proxy *p, const char *method);

#endif
