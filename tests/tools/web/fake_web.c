#include "config.h"
#include "tools/web/fake_web.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "net/child/child.h"
#include "net/loop.h"
#include "net/fake_dns.h"
#include "net/web/web.h"

static atomic_uint tls_port, plain_port;

int connect(int fd, const struct sockaddr *address, socklen_t len)
{
	struct sockaddr_in to;

	if (address->sa_family != AF_INET)
		return (int)syscall(SYS_connect, fd, address, len);
	memcpy(&to, address, sizeof(to));
	if (to.sin_addr.s_addr == inet_addr(WEB_HOST_PUBLIC) && to.sin_port == htons(443))
		to.sin_port = htons((uint16_t)tls_port);
	else if (to.sin_addr.s_addr == inet_addr(WEB_HOST_PUBLIC) && to.sin_port == htons(80))
		to.sin_port = htons((uint16_t)plain_port);
	return (int)syscall(SYS_connect, fd, &to, sizeof(to));
}

void fake_web_open(struct fake_web *world, web_host_fn *fn, const char *settings, const char *web)
{
	static const char *const addresses[] = {WEB_HOST_PUBLIC, NULL};
	char *text = xasprintf("%s web: { allow = [\"docs.rs\", \"github.com\", \"api.github.com\", "
			       "\"api.example.com\", \"other.example.com\"]; %s };",
	    settings, web);

	loop_init();
	helper_set_folder(BUILD_DIR);
	fake_dns_set(addresses, 0, false);
	world->tls = web_host_new(true, fn, world);
	world->plain = web_host_new(false, fn, world);
	tls_port = web_host_port(world->tls);
	plain_port = web_host_port(world->plain);
	tools_fixture_init(&world->w);
	tools_fixture_open(&world->w, "", text, NULL);
	free(text);
}

void fake_web_clear(struct fake_web *world)
{
	web_finish();
	tools_fixture_clear(&world->w);
	loop_finish();
	web_host_free(world->tls);
	web_host_free(world->plain);
}

void assert_begins(struct json_object *o, const char *key, const char *want)
{
	const char *have = json_get_str(o, key);

	if (!have || strncmp(have, want, strlen(want)) != 0)
		fail_msg("%s does not begin with \"%s\": %s", key, want, json_object_to_json_string(o));
}
