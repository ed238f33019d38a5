#ifndef NET_WEB_ADDRESS_H
#define NET_WEB_ADDRESS_H
/* Classifies IP addresses. An IPv6 address with an embedded IPv4 address (mapped, NAT64, 6to4) is
 * classified by that. */
#include <stdbool.h>

struct sockaddr;

enum web_zone {
	WEB_PUBLIC,
	WEB_PRIVATE,  /* private networks: can be allowed */
	WEB_LOOPBACK, /* this machine: can be allowed by name or by exactly this address */
	/* Link-local (cloud metadata), multicast, documentation, reserved: never allowed. */
	WEB_NEVER
};

/* IPv6, or IPv4 as ::ffff:a.b.c.d. */
struct web_address {
	unsigned char bytes[16];
};

/* Returns false unless it is an IPv4 or IPv6 address. An embedded IPv4 address is extracted. */
bool web_address_read(const struct sockaddr *sa, struct web_address *out);
/* The same from text; brackets are allowed. Unusual notations are refused. */
bool web_address_parse(const char *text, struct web_address *out);
enum web_zone web_address_zone(const struct web_address *a);
/* Returns true when the first bits are equal. bits counts as in IPv6: 96 more than in IPv4. */
bool web_address_within(const struct web_address *a, const struct web_address *network, unsigned bits);
bool web_address_is_four(const struct web_address *a);
/* Returns true when an interface of this machine has the address. */
bool web_address_is_own(const struct web_address *a);

#endif
