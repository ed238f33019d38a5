#include "playground/server/page.h"

#include <string.h>

#include "base/mem.h"
#include "net/server/server.h"
#include "playground/embedded.h"

/* The page loads nothing from elsewhere, no text can become markup or script, and no site can frame it. */
#define PAGE_HEADERS                                                                                         \
	"Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' "  \
	"blob:; "                                                                                            \
	"media-src blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; " \
	"require-trusted-types-for 'script'\r\n"                                                             \
	"X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\n"
#define TEXT_TYPE "text/plain; charset=utf-8"

static const struct {
	const char *ending, *type;
} types[] = {
    {".css", "text/css; charset=utf-8"},
    {".html", "text/html; charset=utf-8"},
    {".js", "text/javascript; charset=utf-8"},
    {".svg", "image/svg+xml"},
};

static const char *type_of(const char *name)
{
	const char *ending = strrchr(name, '.');

	for (size_t i = 0; ending && i < ARRAY_LEN(types); i++)
		if (strcmp(types[i].ending, ending) == 0)
			return types[i].type;
	return TEXT_TYPE;
}

/* "/" is page.html, "/page/NAME" any file of the page. */
static const struct embedded_file *find_file(const char *path)
{
	const char *name = "page.html";

	if (strncmp(path, "/page/", 6) == 0)
		name = path + 6;
	else if (strcmp(path, "/") != 0)
		return NULL;
	for (const struct embedded_file *f = embedded_page; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

void page_serve(struct server_request *req)
{
	static const char missing[] =
	    "There is nothing at this path. Bots find Telegram at /telegram, Slack at /slack/api/, "
	    "Discord at /discord/api.\n",
			  only_get[] = "This page is for reading.\n";
	const struct embedded_file *f = find_file(server_path(req));

	if (!f)
		server_respond(req, 404, TEXT_TYPE, NULL, missing, sizeof(missing) - 1);
	else if (strcmp(server_method(req), "GET") != 0)
		server_respond(req, 405, TEXT_TYPE, "Allow: GET\r\n", only_get, sizeof(only_get) - 1);
	else
		server_respond(req, 200, type_of(f->name), PAGE_HEADERS, f->text, strlen(f->text));
}
