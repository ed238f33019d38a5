#ifndef NET_RESOLVE_H
#define NET_RESOLVE_H
/*
 * Names to addresses without blocking the loop: uv_getaddrinfo, one lookup per name in
 * flight however many ask, answers kept 60 s (failures 5 s, an old answer is used up
 * to 10 min when a new lookup fails or takes more than 2 s). Feeds curl (CURLOPT_RESOLVE) and libwebsockets.
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

/* A literal address (IPv6 also in brackets, as in a URL) or "localhost" (127.0.0.1 and ::1) is answered
 * without a lookup, and without suspending. ERROR_NETWORK when the name does not resolve within 10 s. */
int resolve_name(struct task *t, const char *host, struct resolve_answer *answer, struct error *err);
bool resolve_is_literal(const char *host);
/* Is it a loopback host name or address: localhost, 127.0.0.0/8, ::1? */
bool resolve_is_loopback(const char *host);
void resolve_forget_all(void);

#endif
