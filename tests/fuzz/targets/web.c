/* net/web_guard: what the web client may reach. Whatever is allowed on top, a cloud's metadata is not;
 * without that, nothing but public addresses is. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "net/web/address.h"
#include "net/web/guard.h"

/* As the registries have them, said another way than the table of the guard. */
static bool is_public_four(uint32_t a)
{
	const uint32_t b = a >> 16, top = a >> 24;

	if (top == 0 || top == 10 || top == 127 || top >= 224 || b == 0xc0a8 || b == 0xa9fe ||
	    (b & 0xfff0) == 0xac10)
		return false;
	if ((b & 0xffc0) == 0x6440 || (b & 0xfffe) == 0xc612)
		return false;
	return a >> 8 != 0xc00000 && a >> 8 != 0xc00002 && a >> 8 != 0xc05863 && a >> 8 != 0xc63364 &&
	    a >> 8 != 0xcb0071;
}

static uint32_t four_at(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* One that holds another is that. Once: what is inside 6to4 is an address of IPv4. */
static bool is_public(const unsigned char *p)
{
	static const unsigned char zeros[16], nat64[12] = {0, 0x64, 0xff, 0x9b};

	if (memcmp(p, zeros, 10) == 0 && p[10] == 0xff && p[11] == 0xff)
		return is_public_four(four_at(p + 12));
	if (memcmp(p, nat64, sizeof(nat64)) == 0)
		return is_public_four(four_at(p + 12));
	if (p[0] == 0x20 && p[1] == 0x02)
		return is_public_four(four_at(p + 2));
	if ((p[0] & 0xe0) != 0x20 || (p[0] == 0x20 && p[1] == 0x01 && p[2] < 2))
		return false;
	return !(p[0] == 0x20 && p[1] == 0x01 && p[2] == 0x0d && p[3] == 0xb8) &&
	    !(p[0] == 0x3f && p[1] == 0xff && p[2] < 0x10);
}

static bool is_metadata(const unsigned char *p)
{
	static const unsigned char four[12] = {[10] = 0xff, [11] = 0xff}, six[4] = {0xfd, 0x00, 0x0e, 0xc2};

	return (memcmp(p, four, sizeof(four)) == 0 && p[12] == 169 && p[13] == 254) ||
	    memcmp(p, six, sizeof(six)) == 0;
}

static void check_address(const struct web_guard *g, const unsigned char *bytes, const char *host)
{
	static const struct web_guard none;
	struct sockaddr_in6 sa = {.sin6_family = AF_INET6};
	char text[INET6_ADDRSTRLEN];

	memcpy(&sa.sin6_addr, bytes, 16);
	inet_ntop(AF_INET6, bytes, text, sizeof(text));
	bool taken = web_guard_permits(&none, host, 443, (struct sockaddr *)&sa);
	HOLDS(!taken || is_public(bytes));
	HOLDS(taken == web_guard_permits_text(&none, host, 443, text));
	HOLDS(!web_guard_permits(&none, host, 8080, (struct sockaddr *)&sa));
	HOLDS(!is_metadata(bytes) || !web_guard_permits(g, host, 443, (struct sockaddr *)&sa));
}

void fuzz_web(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	unsigned char bytes[16];
	struct web_guard g = {0};
	struct error err = {0};
	size_t len;

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)fuzz_byte(&in);
	/* Often enough one of IPv4. */
	if (bytes[0] == 'v')
		memcpy(bytes, "\0\0\0\0\0\0\0\0\0\0\xff\xff", 12);
	char *host = fuzz_until(&in, '\n', &len), *allowed = fuzz_rest(&in, &len);
	if (web_guard_allow(&g, allowed, &err) < 0)
		fuzz_hold_sentence(err.text);
	HOLDS(g.count <= 1);
	check_address(&g, bytes, host);
	web_guard_permits_text(&g, host, 443, allowed);
	web_guard_clear(&g);
	free(host);
	free(allowed);
}

FUZZ_PROGRAM(fuzz_web)
