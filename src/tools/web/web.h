#ifndef TOOLS_WEB_WEB_H
#define TOOLS_WEB_WEB_H
/* What web_fetch and web_search share: their settings, and their error texts. */
#include <stdbool.h>
#include <stddef.h>

#include "base/config/config.h"
#include "net/web/guard.h"
#include "net/web/web.h"

struct buf;
struct config;
struct error;
struct json_object;
struct targets;
struct task;

/* How to query a search engine, and where its answer holds what. A path consists of names separated by
 * dots. */
struct web_engine {
	const char *name;
	const char *address; /* default address; NULL: one must be configured */
	const char *ending;  /* appended to the address; {query} and {count} are replaced */
	const char *key_header;
	const char *results, *title, *url, *snippet;
	bool sites; /* supports site:HOST in a query */
};

struct web_search_settings {
	int engine; /* index; 0: none configured */
	char *url, *key_header, *results, *title, *link, *snippet;
	const char *key;
};

struct web_settings {
	struct config_strings allow, ports;
	int64_t body_bytes, time_ms;
};

struct web_tools {
	struct web_settings settings;
	struct web_search_settings search;
	struct web_guard guard;        /* for web_fetch */
	struct web_guard engine_guard; /* for web_search: only the configured host */
};

extern const struct config_section web_section;        /* "tools.web" */
extern const struct config_section web_search_section; /* "tools.search" */

/* Reports errors to cfg. */
struct web_tools *web_tools_new(struct config *cfg);
void web_tools_free(struct web_tools *web);
/* Returns the configured engine; NULL for none. */
const struct web_engine *web_engine_of(const struct web_tools *web);

/* Returns the failure of a request: the start of its sentence ("Failed to fetch URL") and the reason from
 * web_perform. */
struct json_object *web_failure_of(
    const char *tool, const char *what, const struct web_response *res, const char *reason);

/* page_text.c: Turns an answer from the web into text for a model. */

/* Appends the text: HTML as readable text; JSON, XML and other text verbatim, all in UTF-8; of anything
 * else the type and size. raw: HTML verbatim too. A helper program reads HTML and text in other encodings.
 * Returns -1 when that failed, or t was cancelled. */
int web_text(struct task *t, const struct web_response *res, bool raw, struct buf *out, struct error *err);

/* search_results.c: Reads the results in a search engine's answer. Pure. */

/* Returns true when the URL's host is one of these hosts or a subdomain of one. hosts is an array of
 * strings, whose schemes and paths are ignored; NULL for none. */
bool web_url_has_host(const char *url, struct json_object *hosts);
/* Returns [{title, url, snippet}], at most that many, from allowed hosts (NULL: all) and no blocked ones,
 * each URL once; texts without the engine's markup. NULL: the answer has no list in the expected place. */
struct json_object *web_results(struct json_object *answer, const struct web_engine *engine,
    const struct web_search_settings *s, struct json_object *allowed, struct json_object *blocked,
    size_t most);

#endif
