#ifndef TOOLS_WEB_WEB_H
#define TOOLS_WEB_WEB_H
/* What web_fetch and web_search share: their settings, and what went wrong in words. */
#include "base/config/config.h"
#include "net/web/web.h"
#include "net/web/guard.h"

struct config;
struct json_object;
struct targets;

/* How a search engine is asked, and where in its answer what stands. A path is of names, parted by dots. */
struct web_engine {
	const char *name;
	const char *address; /* that it has when none is set; NULL: one must be set */
	const char *ending;  /* put behind the address; {query} and {count} become what they say */
	const char *key_header;
	const char *results, *title, *url, *snippet;
	bool sites; /* takes site:HOST in a query */
};

struct web_search_settings {
	int engine; /* index; 0: none is set */
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
	struct web_guard guard;        /* of web_fetch */
	struct web_guard engine_guard; /* of web_search: the one host that is set */
};

extern const struct config_section web_section;        /* "tools.web" */
extern const struct config_section web_search_section; /* "tools.search" */

/* Mistakes are reported to cfg. */
struct web_tools *web_tools_new(struct config *cfg);
void web_tools_free(struct web_tools *web);
/* What is set; NULL: nothing. */
const struct web_engine *web_engine_of(const struct web_tools *web);

/* The failure of a request: what begins its sentence ("Failed to fetch URL"), the reason as web_perform says
 * it. */
struct json_object *web_failure_of(
    const char *tool, const char *what, const struct web_response *res, const char *reason);

#endif
