#ifndef NET_WEB_GUARD_H
#define NET_WEB_GUARD_H
/*
 * The hosts that the web client may access: public addresses at ports 80 and 443, and what the operator
 * allowed. Checks addresses, never names, both when a connection is opened and when an open one is used
 * again.
 */
#include <stdbool.h>
#include <stddef.h>

struct error;
struct sockaddr;
struct web_allowed;

struct web_guard { /* zeroed before first use */
	struct web_allowed *allowed;
	size_t count;
	unsigned *ports;
	size_t port_count;
};

/* Allows hosts that are not public: HOST, ADDRESS or NETWORK/BITS, each with :PORT, or without for 80 and
 * 443; an IPv6 address with a port is in brackets. A network never includes this machine itself;
 * link-local, multicast and reserved addresses cannot be allowed. Returns -1 for invalid text. */
int web_guard_allow(struct web_guard *g, const char *text, struct error *err);
/* Allows one more port on public hosts. */
int web_guard_allow_port(struct web_guard *g, const char *text, struct error *err);
void web_guard_clear(struct web_guard *g);

/* Returns true when a URL with this host and port might be fetched. */
bool web_guard_permits_port(const struct web_guard *g, const char *host, unsigned port);
/* Returns true when the URL's host may be accessed at this address. */
bool web_guard_permits(const struct web_guard *g, const char *host, unsigned port, const struct sockaddr *sa);
/* The same for an address as text. */
bool web_guard_permits_text(const struct web_guard *g, const char *host, unsigned port, const char *address);

#endif
