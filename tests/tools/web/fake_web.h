#ifndef TESTS_TOOLS_WEB_FAKE_WEB_H
#define TESTS_TOOLS_WEB_FAKE_WEB_H
/*
 * A fake web for tests of tools: one TLS server of the test answers for every host name. In programs that
 * link this, connect redirects the ports 80 and 443 of WEB_HOST_PUBLIC to it.
 */
#include "net/web/web_host.h"
#include "tools/tools_fixture.h"

struct fake_web {
	struct tools_fixture w;
	struct web_host *tls, *plain;
};

/* Opens tools that may reach docs.rs, github.com, api.github.com and the hosts below example.com that the
 * tests name; more goes to tools, and to tools.web. */
void fake_web_open(struct fake_web *world, web_host_fn *fn, const char *settings, const char *web);
void fake_web_clear(struct fake_web *world);
/* The value at key must begin with this, such as "Failed to fetch URL: ". */
void assert_begins(struct json_object *o, const char *key, const char *want);

#endif
