#include "channels/shared/base_url.h"

#include <string.h>

#include "base/mem.h"

char *base_url_trim(const char *url)
{
	size_t len = strlen(url);

	while (len > 0 && url[len - 1] == '/')
		len--;
	return xstrndup(url, len);
}

char *base_url_host(const char *url)
{
	const char *host = strstr(url, "://"), *at;
	size_t len;

	host = host ? host + 3 : url;
	len = strcspn(host, "/?#");
	at = memrchr(host, '@', len);
	if (at) {
		len -= (size_t)(at + 1 - host);
		host = at + 1;
	}
	return xstrndup(host, len);
}
