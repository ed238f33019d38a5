#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "playground/discord/http/endpoint.h"

static struct cord_route *routes;
static size_t count;

static const struct cord_endpoint *endpoint_of(const struct spec_record *spec)
{
	const struct cord_endpoint *e = cord_endpoints;

	while (e->operation && strcmp(e->operation, spec->name) != 0)
		e++;
	return e->operation ? e : NULL;
}

/* Literal parts of paths precede variable ones: the first route that fits is taken. '{' is behind all
 * letters. */
static int compare(const void *a, const void *b)
{
	return strcmp(((const struct cord_route *)a)->path, ((const struct cord_route *)b)->path);
}

/* The name is that of the row, or the path without what is variable in it. */
static void set_name(struct cord_route *r)
{
	const char *given = spec_value(r->spec, "as"), *path = given ? given : r->path;
	size_t n = (size_t)snprintf(r->name, sizeof(r->name), "%s ", r->method);

	for (; *path != '\0' && n + 1 < sizeof(r->name); path++)
		if (strncmp(path, "/{", 2) == 0)
			path = strchr(path, '}');
		else
			r->name[n++] = *path;
	r->name[n] = '\0';
}

static void read_routes(void)
{
	static const struct {
		const char *key, *method;
	} methods[] = {
	    {"delete", "DELETE"}, {"get", "GET"}, {"patch", "PATCH"}, {"post", "POST"}, {"put", "PUT"}};
	const struct spec_record *const *all = spec_methods(spec_of("discord"), &count);

	routes = xcalloc(count, sizeof(*routes));
	for (size_t i = 0; i < count; i++) {
		routes[i].spec = all[i];
		routes[i].endpoint = endpoint_of(all[i]);
		for (size_t k = 0; k < ARRAY_LEN(methods); k++) {
			if (!spec_value(all[i], methods[k].key))
				continue;
			routes[i].method = methods[k].method;
			routes[i].path = spec_value(all[i], methods[k].key);
		}
		set_name(&routes[i]);
		routes[i].bucket = cord_bucket_named(spec_value(all[i], "limit"));
	}
	qsort(routes, count, sizeof(*routes), compare);
}

/* Does the path match the pattern? Its variable parts go to args. */
static bool path_fits(const char *pattern, const char *path, char args[][256])
{
	size_t n = 0;

	while (*pattern != '\0' && *path != '\0') {
		if (*pattern == '{') {
			size_t len = strcspn(path, "/");

			if (len == 0 || len > 255 || n == CORD_ARGS_MAX)
				return false;
			str_copy(args[n++], len + 1, path);
			pattern = strchr(pattern, '}') + 1;
			path += len;
		} else if (*pattern == '@' && strncmp(path, "%40", 3) == 0) {
			pattern++;
			path += 3;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return *pattern == '\0' && *path == '\0';
}

bool cord_route_is_for_people(const struct cord_route *r, const char **call)
{
	*call = spec_value(r->spec, "people");
	return r->endpoint && r->endpoint->place != CORD_NOWHERE && !*call;
}

const struct cord_route *cord_routes(size_t *n)
{
	if (!routes)
		read_routes();
	*n = count;
	return routes;
}

const struct cord_route *cord_route_find(const char *method, const char *path, char args[][256], bool *known)
{
	*known = false;
	if (!routes)
		read_routes();
	for (size_t i = 0; i < count; i++) {
		if (!path_fits(routes[i].path, path, args))
			continue;
		if (strcmp(routes[i].method, method) == 0)
			return &routes[i];
		*known = true;
	}
	return NULL;
}
