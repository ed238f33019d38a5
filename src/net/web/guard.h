#ifndef NET_WEB_GUARD_H
#define NET_WEB_GUARD_H
/*
 * Which hosts the web client may talk to: public addresses at the ports 80 and 443, and what a person allowed
 * on top. An address is judged when a connection to it is opened, and again when one that is open is used; a
 * name never is.
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

/* Allows hosts that are not public: HOST, ADDRESS or NETWORK/BITS, each with :PORT, or for 80 and 443
 * without; an address of IPv6 with a port stands in brackets. A network never opens this machine itself;
 * nothing opens link-local, multicast and reserved addresses. -1: it is none of that. */
int web_guard_allow(struct web_guard *g, const char *text, struct error *err);
/* Allows one more port of public hosts. */
int web_guard_allow_port(struct web_guard *g, const char *text, struct error *err);
void web_guard_clear(struct web_guard *g);

/* Could a URL with this host and port be fetched at all? */
bool web_guard_takes_port(const struct web_guard *g, const char *host, unsigned port);
/* May the URL's host be reached at this address? */
bool web_guard_takes(const struct web_guard *g, const char *host, unsigned port, const struct sockaddr *sa);
/* The same for an address in text. */
bool web_guard_takes_text(const struct web_guard *g, const char *host, unsigned port, const char *address);

#endif
