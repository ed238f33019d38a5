#ifndef NET_WEB_ADDRESS_H
#define NET_WEB_ADDRESS_H
/* What kind of place an IP address is. Addresses of IPv6 that hold one of IPv4 (mapped, NAT64, 6to4) are
 * judged by that. Private to the web client. */
#include <stdbool.h>

struct sockaddr;

enum web_zone {
	WEB_PUBLIC,
	WEB_PRIVATE,  /* networks of one's own: can be allowed */
	WEB_LOOPBACK, /* this machine: can be allowed by name or as just this address */
	WEB_NEVER /* link-local (the metadata of clouds), multicast, documentation, reserved: no host to fetch
		     from */
};

/* IPv6, or IPv4 as ::ffff:a.b.c.d. */
struct web_address {
	unsigned char bytes[16];
};

/* False for what is no address of IPv4 or IPv6. What holds an address of IPv4 becomes that. */
bool web_address_read(const struct sockaddr *sa, struct web_address *out);
/* The same from text; brackets are fine. Other forms than the usual one are no address. */
bool web_address_parse(const char *text, struct web_address *out);
enum web_zone web_address_zone(const struct web_address *a);
/* Do the first bits agree? bits count as in IPv6: 96 more than in IPv4. */
bool web_address_within(const struct web_address *a, const struct web_address *network, unsigned bits);
bool web_address_is_four(const struct web_address *a);
/* Is it one that an interface of this machine has? */
bool web_address_is_own(const struct web_address *a);

#endif
