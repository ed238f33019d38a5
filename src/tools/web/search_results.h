#ifndef TOOLS_WEB_SEARCH_RESULTS_H
#define TOOLS_WEB_SEARCH_RESULTS_H
/* Reads the results in a search engine's answer. Pure. */
#include <stdbool.h>
#include <stddef.h>

struct json_object;
struct web_engine;
struct web_search_settings;

/* Returns true when the URL's host is one of these hosts or a subdomain of one. hosts is an array of
 * strings, whose schemes and paths are ignored; NULL for none. */
bool web_url_has_host(const char *url, struct json_object *hosts);
/* Returns [{title, url, snippet}], at most that many, from allowed hosts (NULL: all) and no blocked ones,
 * each URL once; texts without the engine's markup. NULL: the answer has no list in the expected place. */
struct json_object *web_results(struct json_object *answer, const struct web_engine *engine,
    const struct web_search_settings *s, struct json_object *allowed, struct json_object *blocked,
    size_t most);

#endif
