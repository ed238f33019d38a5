#include "playground/page.h"

#include <string.h>

#include "net/server.h"
#include "playground/embedded.h"

/* Nothing is loaded from elsewhere, and nobody may frame the page. */
#define PAGE_HEADERS                                                                                                   \
	"Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "         \
	"connect-src 'self'; frame-ancestors 'none'\r\nCache-Control: no-store\r\n"

void page_serve(struct server_request *req)
{
	static const char missing[] = "There is nothing at this path.\n", only_get[] = "This page is for reading.\n";

	if (strcmp(server_path(req), "/") != 0)
		server_respond(req, 404, "text/plain; charset=utf-8", NULL, missing, sizeof(missing) - 1);
	else if (strcmp(server_method(req), "GET") != 0)
		server_respond(req, 405, "text/plain; charset=utf-8", "Allow: GET\r\n", only_get, sizeof(only_get) - 1);
	else
		server_respond(req, 200, "text/html; charset=utf-8", PAGE_HEADERS, embedded_page,
			       strlen(embedded_page));
}
