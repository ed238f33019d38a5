#ifndef TESTS_TOOLS_WEB_FAKE_WEB_H
#define TESTS_TOOLS_WEB_FAKE_WEB_H
/*
 * The web, for tests of tools: every host name is one server of the test's, over TLS. connect of the program
 * that links this leads the ports 80 and 443 of WEB_HOST_PUBLIC to it.
 */
#include "net/web/web_host.h"
#include "tools/tools_fixture.h"

struct fake_web {
	struct tools_fixture w;
	struct web_host *tls, *plain;
};

/* Tools that may reach docs.rs, github.com, api.github.com and those below example.com that the tests name;
 * more settings in tools, and in tools.web. */
void fake_web_open(struct fake_web *world, web_host_fn *fn, const char *settings, const char *web);
void fake_web_clear(struct fake_web *world);
/* "Failed to fetch URL: " and the like begin it. */
void assert_begins(struct json_object *o, const char *key, const char *want);

#endif
