#include "net/web/address.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "base/mem.h"

#define FOUR_BITS 96

/* The first match counts. From the registries of special-purpose addresses (RFC 6890 and its successors) and
 * the addresses at which clouds serve credentials. */
static const struct {
	const char *network;
	unsigned bits;
	enum web_zone zone;
} ranges[] = {
    {"100.100.100.200", 128, WEB_NEVER}, /* metadata of Alibaba */
    {"0.0.0.0", 96 + 8, WEB_NEVER},
    {"10.0.0.0", 96 + 8, WEB_PRIVATE},
    {"100.64.0.0", 96 + 10, WEB_PRIVATE}, /* carriers, and overlay networks */
    {"127.0.0.0", 96 + 8, WEB_LOOPBACK},
    {"169.254.0.0", 96 + 16, WEB_NEVER}, /* link-local: metadata of most clouds */
    {"172.16.0.0", 96 + 12, WEB_PRIVATE},
    {"192.0.0.0", 96 + 24, WEB_NEVER},
    {"192.0.2.0", 96 + 24, WEB_NEVER},
    {"192.88.99.0", 96 + 24, WEB_NEVER},
    {"192.168.0.0", 96 + 16, WEB_PRIVATE},
    {"198.18.0.0", 96 + 15, WEB_PRIVATE},
    {"198.51.100.0", 96 + 24, WEB_NEVER},
    {"203.0.113.0", 96 + 24, WEB_NEVER},
    {"224.0.0.0", 96 + 4, WEB_NEVER},
    {"240.0.0.0", 96 + 4, WEB_NEVER},
    {"0.0.0.0", 96, WEB_PUBLIC},
    {"::1", 128, WEB_LOOPBACK},
    {"fd00:ec2::", 32, WEB_NEVER},    /* metadata of AWS */
    {"fd20:ce::254", 128, WEB_NEVER}, /* metadata of Google */
    {"fc00::", 7, WEB_PRIVATE},
    {"2001::", 23, WEB_NEVER}, /* Teredo and other protocols */
    {"2001:db8::", 32, WEB_NEVER},
    {"3fff::", 20, WEB_NEVER},
    {"2000::", 3, WEB_PUBLIC},
    {"::", 0, WEB_NEVER},
};

/* Where an IPv6 address contains an IPv4 address. */
static const struct {
	const char *network;
	unsigned bits, at;
} holders[] = {
    {"64:ff9b::", 96, 12},
    {"2002::", 16, 2},
};

static void set_four(struct web_address *a, const void *four)
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
	unsigned char copy[4];

	memcpy(copy, four, sizeof(copy));
	memcpy(a->bytes, mapped, sizeof(mapped));
	memcpy(a->bytes + sizeof(mapped), copy, sizeof(copy));
}

static bool read_plain(const char *text, struct web_address *out)
{
	struct in_addr four;

	if (inet_pton(AF_INET, text, &four) != 1)
		return inet_pton(AF_INET6, text, out->bytes) == 1;
	set_four(out, &four);
	return true;
}

bool web_address_within(const struct web_address *a, const struct web_address *network, unsigned bits)
{
	unsigned whole = bits / 8, rest = bits % 8;

	if (memcmp(a->bytes, network->bytes, whole) != 0)
		return false;
	return rest == 0 || ((a->bytes[whole] ^ network->bytes[whole]) & (0xff00 >> rest) & 0xff) == 0;
}

static bool is_within(const struct web_address *a, const char *network, unsigned bits)
{
	struct web_address n;

	return read_plain(network, &n) && web_address_within(a, &n, bits);
}

/* Nested addresses are unwrapped, too. */
static void unwrap(struct web_address *a)
{
	for (size_t i = 0; i < ARRAY_LEN(holders); i++)
		if (is_within(a, holders[i].network, holders[i].bits))
			set_four(a, a->bytes + holders[i].at);
}

bool web_address_read(const struct sockaddr *sa, struct web_address *out)
{
	struct sockaddr_in four;
	struct sockaddr_in6 six;

	if (sa->sa_family == AF_INET) {
		memcpy(&four, sa, sizeof(four));
		set_four(out, &four.sin_addr);
	} else if (sa->sa_family == AF_INET6) {
		memcpy(&six, sa, sizeof(six));
		memcpy(out->bytes, &six.sin6_addr, sizeof(out->bytes));
	} else {
		return false;
	}
	unwrap(out);
	return true;
}

bool web_address_parse(const char *text, struct web_address *out)
{
	char bare[INET6_ADDRSTRLEN];
	size_t len = strlen(text);

	if (len > 2 && text[0] == '[' && text[len - 1] == ']') {
		text++;
		len -= 2;
	}
	if (len >= sizeof(bare))
		return false;
	memcpy(bare, text, len);
	bare[len] = '\0';
	if (!read_plain(bare, out))
		return false;
	unwrap(out);
	return true;
}

enum web_zone web_address_zone(const struct web_address *a)
{
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
		if (is_within(a, ranges[i].network, ranges[i].bits))
			return ranges[i].zone;
	return WEB_NEVER;
}

bool web_address_is_four(const struct web_address *a)
{
	return is_within(a, "0.0.0.0", FOUR_BITS);
}

bool web_address_is_own(const struct web_address *a)
{
	struct ifaddrs *all;
	bool found = false;

	/* If the machine's own addresses are unknown, nothing is allowed. */
	if (getifaddrs(&all) != 0)
		return true;
	for (struct ifaddrs *i = all; i && !found; i = i->ifa_next) {
		struct web_address own;
		found =
		    i->ifa_addr && web_address_read(i->ifa_addr, &own) && memcmp(&own, a, sizeof(own)) == 0;
	}
	freeifaddrs(all);
	return found;
}
