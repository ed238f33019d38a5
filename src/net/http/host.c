#include "net/http/multi.h"

#include <assert.h>
#include <strings.h>

#include "base/mem.h"
#include "net/http/url.h"

#define UNUSED_MAX 64

/* Unused hosts, kept because they speak only HTTP/1, in the order of their last use. */
static struct list hosts = LIST_INIT(hosts);
static size_t unused;

static void host_free(struct http_host *host)
{
	list_remove(&host->link);
	free(host->host);
	free(host);
}

static struct http_host *host_find(const struct http_url *url)
{
	list_each(&hosts, it, next) {
		struct http_host *host = list_entry(it, struct http_host, link);

		if (host->port == url->port && strcasecmp(host->host, url->host) == 0)
			return host;
	}
	return NULL;
}

struct http_host *http_host_get(const struct http_url *url)
{
	struct http_host *host = host_find(url);

	if (!host) {
		host = xcalloc(1, sizeof(*host));
		host->host = xstrdup(url->host);
		host->port = url->port;
		list_append(&hosts, &host->link);
	} else if (host->users == 0) {
		unused--;
	}
	host->users++;
	return host;
}

static void forget_oldest_unused(void)
{
	list_each(&hosts, it, next) {
		struct http_host *host = list_entry(it, struct http_host, link);

		if (host->users == 0) {
			host_free(host);
			unused--;
			return;
		}
	}
}

void http_host_put(struct http_host *host)
{
	if (--host->users > 0)
		return;
	if (!host->http1) {
		host_free(host);
		return;
	}
	list_remove(&host->link);
	list_append(&hosts, &host->link);
	if (++unused > UNUSED_MAX)
		forget_oldest_unused();
}

void http_host_forget_all(void)
{
	list_each(&hosts, it, next) {
		struct http_host *host = list_entry(it, struct http_host, link);

		assert(host->users == 0);
		host_free(host);
	}
	unused = 0;
}
