/* net/http_url: which URLs a configuration may name. Plain http goes to this machine only, whatever the
 * spelling. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "fuzz/fuzz.h"
#include "net/http/http.h"
#include "net/http/url.h"
#include "net/server/server.h"

/* Asks the C library; names other than localhost are somewhere else. */
static bool is_this_machine(const char *host)
{
	struct in6_addr six;
	struct in_addr four;
	char bare[256] = "";

	if (host[0] == '[')
		memcpy(bare, host + 1, strcspn(host + 1, "]"));
	if (bare[0] != '\0')
		return inet_pton(AF_INET6, bare, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
	if (inet_pton(AF_INET, host, &four) == 1)
		return ntohl(four.s_addr) >> 24 == 127;
	return strcasecmp(host, "localhost") == 0 || strcasecmp(host, "localhost.") == 0;
}

static void check_allowed(const char *text)
{
	struct error err = {0};
	struct http_url url;
	bool read = http_url_parse(text, &url, &err) == 0;

	if (!read)
		fuzz_hold_sentence(err.text);
	if (!http_url_allowed(text, &err)) {
		fuzz_hold_sentence(err.text);
		return;
	}
	HOLDS(read);
	HOLDS(url.host[0] != '\0' && url.port <= 65535);
	HOLDS(url.https || is_this_machine(url.host));
	HOLDS(strncasecmp(text, url.https ? "https:" : "http:", url.https ? 6 : 5) == 0);
}

/* Nothing is left that means something in a URL, and it comes back. */
static void check_encode(const char *text, size_t len)
{
	struct buf coded = BUF_INIT, plain = BUF_INIT;

	http_url_encode(&coded, text, len);
	HOLDS(coded.data[strcspn(coded.data, " /?#&=+:@\"<>\\^`{|}\r\n\t")] == '\0');
	if (server_decode(coded.data, coded.len, &plain))
		HOLDS(plain.len == len && memcmp(plain.data, text, len) == 0);
	else
		HOLDS(memchr(text, '\0', len));
	buf_clear(&coded);
	buf_clear(&plain);
}

void fuzz_url(const uint8_t *data, size_t size)
{
	struct fuzz_input in = fuzz_open(data, size);
	size_t len;
	char *text = fuzz_rest(&in, &len);

	check_allowed(text);
	check_encode(text, len);
	free(text);
}

FUZZ_PROGRAM(fuzz_url)
