#ifndef NET_RESOLVE_H
#define NET_RESOLVE_H
/*
 * Resolves names without blocking the loop: uv_getaddrinfo, with one lookup per name at a time. Answers
 * are cached for 60 s, failures for 5 s; a stale answer is used for up to 10 min when a new lookup fails
 * or takes more than 2 s. Serves curl (CURLOPT_RESOLVE) and libwebsockets.
 */
#include <stdbool.h>
#include <stddef.h>

struct error;
struct task;

#define RESOLVE_MAX 8

struct resolve_answer {
	size_t count;
	char address[RESOLVE_MAX][46]; /* numeric IPv4 or IPv6 */
};

/* Resolves a host. A literal address (IPv6 also in brackets, as in a URL) and "localhost" (127.0.0.1 and
 * ::1) need no lookup and do not suspend. ERROR_NETWORK when the name does not resolve within 10 s. */
int resolve_name(struct task *t, const char *host, struct resolve_answer *answer, struct error *err);
bool resolve_is_literal(const char *host);
/* Returns true for localhost, 127.0.0.0/8 and ::1. */
bool resolve_is_loopback(const char *host);
void resolve_forget_all(void);

#endif
