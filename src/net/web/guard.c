#include "net/web/guard.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/mem.h"
#include "net/web/address.h"

#define WHOLE_BITS 128

struct web_allowed {
	char *host; /* NULL for a network */
	struct web_address network;
	unsigned bits;
	unsigned port; /* 0 for 80 and 443 */
};

/* Parses a port, or the rest of a text as one; 0 when it is invalid. */
static unsigned read_port(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long port = digits > 0 && digits < 6 && text[digits] == '\0' ? strtoul(text, NULL, 10) : 0;

	return port <= 65535 ? (unsigned)port : 0;
}

/* Cuts :PORT off. A text with several colons and no bracket is an address. Returns false for an invalid
 * port. */
static bool cut_port(char *text, unsigned *port)
{
	char *bracket = strchr(text, ']'), *colon = strchr(bracket ? bracket : text, ':');

	*port = 0;
	if (!colon || (!bracket && strchr(colon + 1, ':')))
		return true;
	*colon = '\0';
	*port = read_port(colon + 1);
	return *port != 0;
}

/* Cuts /BITS off; false when they are not a number in range. */
static bool read_network(char *text, struct web_allowed *a)
{
	char *slash = strchr(text, '/'), *end = NULL;
	unsigned long bits;

	if (slash)
		*slash = '\0';
	if (!web_address_parse(text, &a->network))
		return false;
	a->bits = WHOLE_BITS;
	if (!slash)
		return true;
	bits = slash[1] >= '0' && slash[1] <= '9' ? strtoul(slash + 1, &end, 10) : WHOLE_BITS + 1;
	if (bits > WHOLE_BITS || *end != '\0')
		return false;
	a->bits = (unsigned)bits + (web_address_is_four(&a->network) ? 96 : 0);
	return a->bits <= WHOLE_BITS;
}

static bool is_host(const char *text)
{
	return *text &&
	    text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._")] == '\0';
}

/* Parses a network, an address or a name, whose last label must contain a letter; 127.1 is none of them. */
static bool read_allowed(char *text, struct web_allowed *a)
{
	char *slash, *port = strrchr(text, ':');

	*a = (struct web_allowed){0};
	/* 10.0.0.0/8:8080 */
	if ((slash = strchr(text, '/')) && port > slash) {
		*port = '\0';
		if ((a->port = read_port(port + 1)) == 0)
			return false;
	} else if (!cut_port(text, &a->port)) {
		return false;
	}
	if (read_network(text, a))
		return true;
	if (slash || !is_host(text) || strspn(text, "0123456789.") == strlen(text))
		return false;
	a->host = xstrdup(text);
	return true;
}

int web_guard_allow(struct web_guard *g, const char *text, struct error *err)
{
	char *copy = xstrdup(text);
	struct web_allowed a;
	bool fine = read_allowed(copy, &a);

	free(copy);
	if (!fine)
		return error_set(err, ERROR_OURS,
		    "'%.100s' is not HOST, ADDRESS or NETWORK/BITS, with or without :PORT (an IPv6 address "
		    "with a port stands in brackets)",
		    text);
	g->allowed = xrealloc(g->allowed, (g->count + 1) * sizeof(*g->allowed));
	g->allowed[g->count++] = a;
	return 0;
}

int web_guard_allow_port(struct web_guard *g, const char *text, struct error *err)
{
	unsigned port = read_port(text);

	if (port == 0)
		return error_set(err, ERROR_OURS, "'%.20s' is not a port: 1 to 65535", text);
	g->ports = xrealloc(g->ports, (g->port_count + 1) * sizeof(*g->ports));
	g->ports[g->port_count++] = port;
	return 0;
}

void web_guard_clear(struct web_guard *g)
{
	for (size_t i = 0; i < g->count; i++)
		free(g->allowed[i].host);
	free(g->allowed);
	free(g->ports);
	*g = (struct web_guard){0};
}

/* A dot at the end only says that the name is complete. */
static bool is_same_host(const char *a, const char *b)
{
	size_t n = strlen(a), m = strlen(b);

	n -= n > 0 && a[n - 1] == '.';
	m -= m > 0 && b[m - 1] == '.';
	return n == m && strncasecmp(a, b, n) == 0;
}

static bool is_web_port(unsigned port)
{
	return port == 80 || port == 443;
}

static bool is_public_port(const struct web_guard *g, unsigned port)
{
	for (size_t i = 0; i < g->port_count; i++)
		if (g->ports[i] == port)
			return true;
	return is_web_port(port);
}

static bool has_port(const struct web_allowed *a, unsigned port)
{
	return a->port != 0 ? a->port == port : is_web_port(port);
}

bool web_guard_permits_port(const struct web_guard *g, const char *host, unsigned port)
{
	for (size_t i = 0; i < g->count; i++)
		if (has_port(&g->allowed[i], port) &&
		    (!g->allowed[i].host || is_same_host(g->allowed[i].host, host)))
			return true;
	return is_public_port(g, port);
}

static bool opens(const struct web_allowed *a, const char *host, unsigned port,
    const struct web_address *address, bool this_machine)
{
	if (!has_port(a, port))
		return false;
	if (a->host)
		return is_same_host(a->host, host);
	return web_address_within(address, &a->network, a->bits) && (a->bits == WHOLE_BITS || !this_machine);
}

static bool takes(
    const struct web_guard *g, const char *host, unsigned port, const struct web_address *address)
{
	enum web_zone zone = web_address_zone(address);
	bool this_machine;

	if (zone == WEB_NEVER)
		return false;
	this_machine = zone == WEB_LOOPBACK || web_address_is_own(address);
	for (size_t i = 0; i < g->count; i++)
		if (opens(&g->allowed[i], host, port, address, this_machine))
			return true;
	return zone == WEB_PUBLIC && !this_machine && is_public_port(g, port);
}

bool web_guard_permits(const struct web_guard *g, const char *host, unsigned port, const struct sockaddr *sa)
{
	struct web_address address;

	return web_address_read(sa, &address) && takes(g, host, port, &address);
}

bool web_guard_permits_text(const struct web_guard *g, const char *host, unsigned port, const char *text)
{
	struct web_address address;

	return web_address_parse(text, &address) && takes(g, host, port, &address);
}
