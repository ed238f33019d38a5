#ifndef TOOLS_WEB_SEARCH_RESULTS_H
#define TOOLS_WEB_SEARCH_RESULTS_H
/* The results in an answer of a search engine. Pure. */
#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct web_engine;
struct web_search_settings;

/* Is the URL's host one of these hosts, or below one of them? hosts is an array of strings; a scheme or path
 * in one does not count. NULL: there are none. */
bool web_url_has_host(const char *url, struct json_object *hosts);
/* [{title, url, snippet}], at most so many, from allowed hosts (NULL: all) and no blocked ones, each URL
 * once; texts without the engine's markup. NULL: the answer has no list where it should be. */
struct json_object *web_results(struct json_object *answer, const struct web_engine *engine,
    const struct web_search_settings *s, struct json_object *allowed, struct json_object *blocked,
    size_t most);

#endif
