#include "net/http/url.h"

#include <curl/curl.h>

#include "base/error.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "net/http/http.h"
#include "net/resolve.h"

static bool part_is(CURLU *parts, CURLUPart what, const char *value)
{
	char *text = NULL;
	bool same = curl_url_get(parts, what, &text, 0) == CURLUE_OK && strcmp(text, value) == 0;

	curl_free(text);
	return same;
}

static int parts_copy(CURLU *parts, struct http_url *url)
{
	char *host = NULL, *port = NULL;
	int rc = -1;

	if (curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
	    curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK)
		rc = str_copy(url->host, sizeof(url->host), host);
	if (rc == 0)
		url->port = (unsigned)strtoul(port, NULL, 10);
	curl_free(host);
	curl_free(port);
	return rc;
}

static int parse(CURLU *parts, const char *text, struct http_url *url, struct error *err)
{
	CURLUcode code = curl_url_set(parts, CURLUPART_URL, text, CURLU_DISALLOW_USER);

	url->https = part_is(parts, CURLUPART_SCHEME, "https");
	if (code == CURLUE_USER_NOT_ALLOWED)
		return error_set(err, ERROR_OURS, "the URL holds a user name, which is not supported");
	if (code == CURLUE_UNSUPPORTED_SCHEME ||
	    (code == CURLUE_OK && !url->https && !part_is(parts, CURLUPART_SCHEME, "http")))
		return error_set(err, ERROR_OURS, "the URL must begin with https:// or http://");
	if (code != CURLUE_OK)
		return error_set(err, ERROR_OURS, "the URL is not valid: %s", curl_url_strerror(code));
	if (parts_copy(parts, url) != 0)
		return error_set(err, ERROR_OURS, "the host name of the URL is too long");
	return 0;
}

struct parsed {
	char *text;
	CURLU *parts;
	struct http_url url;
};

static void parsed_clear(struct parsed *p)
{
	free(p->text);
	curl_url_cleanup(p->parts);
}

/* A cache by hash, as the same URLs are requested again and again (on Discord one for each channel). NULL:
 * invalid. */
static const struct parsed *find(const char *text, struct error *err)
{
	static struct parsed last[256];
	struct parsed *p = &last[fnv_text(text) % ARRAY_LEN(last)], new = {0};

	if (p->text && strcmp(p->text, text) == 0)
		return p;
	new.text = xstrdup(text);
	new.parts = curl_url();
	if (!new.parts)
		mem_exhausted(0);
	if (parse(new.parts, text, &new.url, err) != 0) {
		parsed_clear(&new);
		return NULL;
	}
	parsed_clear(p);
	*p = new;
	return p;
}

int http_url_parse(const char *text, struct http_url *url, struct error *err)
{
	const struct parsed *p = find(text, err);

	if (!p)
		return -1;
	*url = p->url;
	return 0;
}

CURLU *http_url_parts(const char *text)
{
	const struct parsed *p = find(text, NULL);
	CURLU *parts = p ? curl_url_dup(p->parts) : NULL;

	if (p && !parts)
		mem_exhausted(0);
	return parts;
}

bool http_url_allowed(const char *url, struct error *err)
{
	struct http_url parts;

	if (http_url_parse(url, &parts, err) != 0)
		return false;
	if (!parts.https && !resolve_is_loopback(parts.host)) {
		error_set(err, ERROR_OURS,
		    "http:// is allowed for this machine (127.0.0.1, ::1, localhost) only: use https:// for "
		    "%s",
		    parts.host);
		return false;
	}
	return true;
}

void http_url_encode(struct buf *out, const char *s, size_t len)
{
	static const char unreserved[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

	for (size_t i = 0; i < len; i++) {
		if (s[i] != '\0' && strchr(unreserved, s[i]))
			buf_addch(out, s[i]);
		else
			buf_addf(out, "%%%02X", (unsigned char)s[i]);
	}
}
