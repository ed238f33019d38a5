#include "playground/server/origin.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "net/server/server.h"

/* Fetch Metadata: links to the page may be anywhere, and work. */
static bool follows_link(const struct server_request *req)
{
	const char *mode = server_header(req, "sec-fetch-mode"), *dest = server_header(req, "sec-fetch-dest");

	return strcmp(server_method(req), "GET") == 0 && strcmp(server_path(req), "/") == 0 && mode && dest &&
	    strcmp(mode, "navigate") == 0 && strcmp(dest, "document") == 0;
}

static int check(struct server_request *req, struct error *err)
{
	const char *site = server_header(req, "sec-fetch-site");

	if (server_check_host(req, err) != 0)
		return -1;
	if (strcmp(server_method(req), "OPTIONS") == 0)
		return error_set(
		    err, ERROR_REFUSED, "Pages of another site may not use this server (preflight).");
	if (site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0 && !follows_link(req))
		return error_set(
		    err, ERROR_REFUSED, "Pages of another site may not use this server (Sec-Fetch-Site).");
	return 0;
}

void origin_of(const struct server_request *req, char *out, size_t size)
{
	const char *host = server_header(req, "host");

	if (host)
		snprintf(out, size, "http%s://%.100s", server_is_tls(req) ? "s" : "", host);
}

int origin_check(struct server_request *req)
{
	struct error err = {0};
	struct buf out = BUF_INIT;

	if (check(req, &err) == 0)
		return 0;
	buf_addstr(&out, "{\"ok\":false,\"error\":");
	json_quote(&out, err.text, strlen(err.text));
	buf_addch(&out, '}');
	server_respond_json(req, 403, &out);
	buf_clear(&out);
	return -1;
}
