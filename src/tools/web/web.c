#include "tools/web/web.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "net/http/url.h"
#include "net/resolve.h"
#include "tools/tools.h"

static const struct web_engine engines[] = {
    {.name = "none"},
    {.name = "brave",
	.address = "https://api.search.brave.com/res/v1/web/search",
	.ending = "?q={query}&count={count}",
	.key_header = "X-Subscription-Token",
	.results = "web.results",
	.title = "title",
	.url = "url",
	.snippet = "description",
	.sites = true},
    {.name = "json",
	.ending = "",
	.key_header = "Authorization",
	.results = "results",
	.title = "title",
	.url = "url",
	.snippet = "snippet"},
    {.name = "searxng",
	.ending = "/search?q={query}&format=json",
	.key_header = "Authorization",
	.results = "results",
	.title = "title",
	.url = "url",
	.snippet = "content",
	.sites = true},
};

static const char *const engine_names[] = {"none", "brave", "json", "searxng", NULL};

static const struct config_key web_keys[] = {
    {.name = "allow",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct web_settings, allow),
	.help = "Hosts that web_fetch may reach although they are not public: HOST, ADDRESS or NETWORK/BITS, "
		"each with :PORT, or for the ports 80 and 443. Everybody who may use web_fetch can reach "
		"them; `myna check` names them. A NETWORK never includes this machine itself, and link-local "
		"addresses, where clouds keep credentials, cannot be allowed."},
    {.name = "body_limit",
	.type = CONFIG_SIZE,
	.offset = offsetof(struct web_settings, body_bytes),
	.fallback = "1 MiB",
	.min = 1024,
	.max = 5 * 1024 * 1024,
	.help = "Maximum size of a body that web_fetch reads, after decoding."},
    {.name = "ports",
	.type = CONFIG_STRINGS,
	.offset = offsetof(struct web_settings, ports),
	.help = "More ports of public hosts that web_fetch may reach, besides 80 and 443: [\"8080\"]."},
    {.name = "time_limit",
	.type = CONFIG_DURATION,
	.offset = offsetof(struct web_settings, time_ms),
	.fallback = "30 s",
	.min = 100,
	.max = 300 * 1000,
	.help = "Time limit of one fetch or search, redirects included."},
};

const struct config_section web_section = {
    .path = "tools.web",
    .keys = web_keys,
    .key_count = ARRAY_LEN(web_keys),
    .help = "What the web tools may reach, and their limits. See the page on the [web](web.md).",
};

static const struct config_key search_keys[] = {
    {.name = "api",
	.type = CONFIG_ENUM,
	.offset = offsetof(struct web_search_settings, engine),
	.fallback = "none",
	.choices = engine_names,
	.help = "The search engine behind web_search: `searxng` (your own instance), `brave` (Brave "
		"Search API), or `json` (any endpoint that returns JSON)."},
    {.name = "key",
	.type = CONFIG_SECRET,
	.offset = offsetof(struct web_search_settings, key),
	.help = "The engine's API key, if it needs one. It is sent to the engine's host only."},
    {.name = "key_header",
	.type = CONFIG_STRING,
	.offset = offsetof(struct web_search_settings, key_header),
	.help = "The header that carries the key; in Authorization, \"Bearer\" precedes it. Default: the "
		"engine's own."},
    {.name = "link_path",
	.type = CONFIG_STRING,
	.offset = offsetof(struct web_search_settings, link),
	.help = "The path of a result's URL: names separated by dots. Default: the engine's own; for `json`, "
		"url."},
    {.name = "results_path",
	.type = CONFIG_STRING,
	.offset = offsetof(struct web_search_settings, results),
	.help =
	    "The path of the list of results in the answer. Default: the engine's own; for `json`, results."},
    {.name = "snippet_path",
	.type = CONFIG_STRING,
	.offset = offsetof(struct web_search_settings, snippet),
	.help = "The path of a result's text. Default: the engine's own; for `json`, snippet."},
    {.name = "title_path",
	.type = CONFIG_STRING,
	.offset = offsetof(struct web_search_settings, title),
	.help = "The path of a result's title. Default: the engine's own; for `json`, title."},
    {.name = "url",
	.type = CONFIG_STRING,
	.offset = offsetof(struct web_search_settings, url),
	.help =
	    "The engine's URL: for `searxng` its address, such as \"http://127.0.0.1:8888\"; for `json` the "
	    "full URL with {query} and, optionally, {count}. Only this host and port may be private."},
};

const struct config_section web_search_section = {
    .path = "tools.search",
    .keys = search_keys,
    .key_count = ARRAY_LEN(search_keys),
    .help = "The search engine that web_search uses. See the page on the [web](web.md).",
};

const struct web_engine *web_engine_of(const struct web_tools *web)
{
	return web->search.engine > 0 ? &engines[web->search.engine] : NULL;
}

static void read_allowed(struct web_tools *web, struct config *cfg)
{
	const struct config_strings *allow = &web->settings.allow, *ports = &web->settings.ports;
	struct error err = {0};

	for (size_t i = 0; i < allow->count; i++) {
		char *path = xasprintf("tools.web.allow[%zu]", i);
		if (web_guard_allow(&web->guard, allow->items[i], &err) < 0)
			config_error(cfg, path, "%s.", err.text);
		else
			config_warning(cfg, path, "%s, which is not public, can be reached with web_fetch.",
			    allow->items[i]);
		free(path);
	}
	for (size_t i = 0; i < ports->count; i++) {
		char *path = xasprintf("tools.web.ports[%zu]", i);
		if (web_guard_allow_port(&web->guard, ports->items[i], &err) < 0)
			config_error(cfg, path, "%s.", err.text);
		free(path);
	}
}

/* The engine's own host and port may be anywhere, private networks included. */
static void read_engine(struct web_tools *web, struct config *cfg)
{
	const struct web_engine *engine = web_engine_of(web);
	const char *address = web->search.url ? web->search.url : engine->address;
	struct error err = {0};
	struct http_url url;

	if (!address) {
		config_error(
		    cfg, "tools.search", "url is missing: %s has no address of its own.", engine->name);
		return;
	}
	if (http_url_parse(address, &url, &err) < 0) {
		config_error(cfg, "tools.search.url", "%s.", err.text);
		return;
	}
	if (web->search.key && !url.https && !resolve_is_loopback(url.host))
		config_error(cfg, "tools.search.url",
		    "A key is sent over https:// only, unless the engine runs on this machine.");
	if (engine->ending[0] == '\0' && !strstr(address, "{query}"))
		config_error(cfg, "tools.search.url", "{query} is missing, which becomes what is searched.");
	if (strcmp(engine->name, "brave") == 0 && !web->search.key)
		config_error(cfg, "tools.search", "key is missing: Brave Search wants one.");
	char *allowed = xasprintf("%s:%u", url.host, url.port);
	if (web_guard_allow(&web->engine_guard, allowed, &err) < 0)
		config_error(cfg, "tools.search.url", "%s.", err.text);
	free(allowed);
}

struct web_tools *web_tools_new(struct config *cfg)
{
	struct web_tools *web = xcalloc(1, sizeof(*web));

	config_read(cfg, "tools.web", &web_section, &web->settings);
	config_read(cfg, "tools.search", &web_search_section, &web->search);
	read_allowed(web, cfg);
	if (web_engine_of(web))
		read_engine(web, cfg);
	return web;
}

void web_tools_free(struct web_tools *web)
{
	if (!web)
		return;
	config_settings_clear(web_keys, ARRAY_LEN(web_keys), &web->settings);
	config_settings_clear(search_keys, ARRAY_LEN(search_keys), &web->search);
	web_guard_clear(&web->guard);
	web_guard_clear(&web->engine_guard);
	free(web);
}

struct json_object *web_failure_of(
    const char *tool, const char *what, const struct web_response *res, const char *reason)
{
	static const struct {
		const char *code, *cause, *advice;
	} rows[] = {
	    [WEB_FINE] = {"IO_ERROR", "PROTOCOL", "Check the address or try later"},
	    [WEB_BAD_URL] = {"INVALID_ARGUMENT", "INVALID_URL", "Give a whole http:// or https:// URL"},
	    [WEB_REFUSED] = {"ACCESS_DENIED", "ADDRESS_REFUSED", "Only public hosts can be fetched"},
	    [WEB_LATE] = {"TIMEOUT", NULL, "Try later, or ask for something smaller"},
	    [WEB_NO_NAME] = {"IO_ERROR", "RESOLVE", "Check the address or try later"},
	    [WEB_NO_CONNECTION] = {"IO_ERROR", "CONNECT", "Check the address or try later"},
	    [WEB_NO_TLS] = {"IO_ERROR", "TLS", "Check the address or try later"},
	    [WEB_NO_HTTP] = {"IO_ERROR", "PROTOCOL", "Check the address or try later"},
	    [WEB_CANCELLED] = {"INTERRUPTED", "STOPPED", "Nothing came of it"},
	};

	return tool_failure(tool, rows[res->failure].code, rows[res->failure].cause, "%s: %s. %s.", what,
	    reason, rows[res->failure].advice);
}
