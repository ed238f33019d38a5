#include "tools/web/web.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "net/http/url.h"

#define SNIPPET_MAX 2000
#define TITLE_MAX   300

static const struct {
	const char *name;
	char sign;
} entities[] = {
    {"&amp;", '&'},
    {"&lt;", '<'},
    {"&gt;", '>'},
    {"&quot;", '"'},
    {"&#39;", '\''},
    {"&#x27;", '\''},
    {"&nbsp;", ' '},
};

/* Extracts the host from what a person wrote: "https://www.x.org/a", "*.x.org" and ".x.org" are accepted,
 * too. */
static char *host_of(const char *text)
{
	const char *at = strstr(text, "://");

	text = at ? at + 3 : text;
	text += strspn(text, "*.");
	return xstrndup(text, strcspn(text, "/:?#"));
}

static bool is_below(const char *host, const char *domain)
{
	size_t len = strlen(host), n = strlen(domain);

	len -= len > 0 && host[len - 1] == '.';
	n -= n > 0 && domain[n - 1] == '.';
	if (n == 0 || len < n || strncasecmp(host + len - n, domain, n) != 0)
		return false;
	return len == n || host[len - n - 1] == '.';
}

bool web_url_has_host(const char *url, struct json_object *hosts)
{
	struct http_url parts;
	bool among = false;

	if (!hosts || http_url_parse(url, &parts, NULL) < 0)
		return false;
	for (size_t i = 0; i < json_object_array_length(hosts) && !among; i++) {
		char *domain = host_of(json_object_get_string(json_object_array_get_idx(hosts, i)));
		among = is_below(parts.host, domain);
		free(domain);
	}
	return among;
}

/* Follows a path of names separated by dots; "" is o itself. */
static struct json_object *at_path(struct json_object *o, const char *path)
{
	while (o && *path) {
		char *name = xstrndup(path, strcspn(path, "."));
		o = json_get(o, name);
		path += strlen(name);
		path += *path == '.';
		free(name);
	}
	return o;
}

static const char *text_at(struct json_object *o, const char *path)
{
	struct json_object *value = at_path(o, path);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

static size_t add_entity(struct buf *out, const char *s)
{
	for (size_t i = 0; i < ARRAY_LEN(entities); i++) {
		size_t len = strlen(entities[i].name);
		if (strncmp(s, entities[i].name, len) == 0) {
			buf_addch(out, entities[i].sign);
			return len;
		}
	}
	buf_addch(out, *s);
	return 1;
}

/* Returns the length of a highlight mark or another tag; "a < b" has none. */
static size_t tag_len(const char *s)
{
	size_t name = s[1] == '/' ? 2 : 1;
	const char *end = s + 1 + strcspn(s + 1, "<>");

	return *end == '>' && ((s[name] >= 'a' && s[name] <= 'z') || (s[name] >= 'A' && s[name] <= 'Z')) ?
	    (size_t)(end - s) + 1 :
	    0;
}

static void set_words(struct json_object *o, const char *name, const char *s, size_t most)
{
	struct buf words = BUF_INIT;

	while (*s) {
		size_t tag = *s == '<' ? tag_len(s) : 0;
		s += tag > 0 ? tag : add_entity(&words, s);
	}
	buf_truncate(&words, utf8_cut(words.data, words.len, most, UTF8_BYTES));
	json_set_str(o, name, words.data);
	buf_clear(&words);
}

static bool has_url(struct json_object *list, const char *url)
{
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (strcmp(json_get_str(json_object_array_get_idx(list, i), "url"), url) == 0)
			return true;
	return false;
}

struct json_object *web_results(struct json_object *answer, const struct web_engine *engine,
    const struct web_search_settings *s, struct json_object *allowed, struct json_object *blocked,
    size_t most)
{
	struct json_object *found = at_path(answer, s->results ? s->results : engine->results), *list;

	if (!json_object_is_type(found, json_type_array))
		return NULL;
	list = json_object_new_array();
	for (size_t i = 0; i < json_object_array_length(found) && json_object_array_length(list) < most;
	     i++) {
		struct json_object *row = json_object_array_get_idx(found, i), *o;
		const char *url = text_at(row, s->link ? s->link : engine->url);
		if (*url == '\0' || has_url(list, url) || web_url_has_host(url, blocked) ||
		    (allowed && !web_url_has_host(url, allowed)))
			continue;
		o = json_object_new_object();
		set_words(o, "title", text_at(row, s->title ? s->title : engine->title), TITLE_MAX);
		json_set_str(o, "url", url);
		set_words(o, "snippet", text_at(row, s->snippet ? s->snippet : engine->snippet), SNIPPET_MAX);
		json_object_array_add(list, o);
	}
	return list;
}
