#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <cmocka.h>

#include <glob.h>

#include "config.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/discord/http/endpoint.h"
#include "playground/discord/http/shapes.h"
#include "playground/world/file.h"

/* Discord's OpenAPI description: in $MYNA_SPECS, else in a folder beside the source tree. */
static struct json_object *load_spec(void)
{
	const char *dir = getenv("MYNA_SPECS");
	char *pattern = dir ? xasprintf("%s/discord-openapi.json", dir) :
			      xasprintf("%s/../*/reference/specs/discord-openapi.json", SOURCE_DIR);
	struct json_object *o = NULL;
	struct buf text = BUF_INIT;
	glob_t found;

	if (glob(pattern, 0, NULL, &found) == 0 && file_read(found.gl_pathv[0], &text, NULL) == 0)
		o = json_tokener_parse(text.data); /* deeper than ours may be */
	globfree(&found);
	buf_clear(&text);
	free(pattern);
	if (!o)
		skip();
	return o;
}

static struct json_object *operation(struct json_object *spec, const struct cord_endpoint *ep)
{
	struct json_object *path = json_get_object(json_get_object(spec, "paths"), ep->path);
	char method[8];

	str_copy(method, sizeof(method), ep->method);
	for (char *p = method; *p != '\0'; p++)
		*p |= 0x20;
	return json_get_object(path, method);
}

static void every_endpoint_is_the_platforms(void **state)
{
	struct json_object *spec = load_spec();

	(void)state;
	for (size_t i = 0; i < cord_endpoint_count; i++)
		if (!operation(spec, &cord_endpoints[i]))
			fail_msg(
			    "the platform has no %s %s", cord_endpoints[i].method, cord_endpoints[i].path);
	json_object_put(spec);
}

static bool has_query(struct json_object *params, const char *name)
{
	for (size_t i = 0; params && i < json_object_array_length(params); i++) {
		struct json_object *p = json_object_array_get_idx(params, i);

		if (strcmp(json_get_str(p, "in"), "query") == 0 && strcmp(json_get_str(p, "name"), name) == 0)
			return true;
	}
	return false;
}

static void queries_have_the_parameters_of_the_platform(void **state)
{
	struct json_object *spec = load_spec();

	(void)state;
	for (size_t i = 0; i < cord_endpoint_count; i++) {
		const struct cord_endpoint *ep = &cord_endpoints[i];
		struct json_object *params = json_get_array(operation(spec, ep), "parameters");

		for (size_t k = 0; params && k < json_object_array_length(params); k++) {
			const char *name = json_get_str(json_object_array_get_idx(params, k), "name");

			if (has_query(params, name) && (!ep->query || !cord_shape_field(ep->query, name)))
				fail_msg("%s has no parameter %s", ep->name, name);
		}
		for (size_t k = 0; ep->query && k < ep->query->count; k++)
			if (!has_query(params, ep->query->fields[k].name))
				fail_msg("%s: the platform has no parameter %s", ep->name,
				    ep->query->fields[k].name);
	}
	json_object_put(spec);
}

/* Where the table says otherwise on purpose. */
static const struct {
	const char *shape, *field;
	const char *why;
} exceptions[] = {
    {"MessageCreateRequest", "content", "2000 for bots, the description names what paying people may send"},
    {"MessageEditRequestPartial", "content", "as above"},
    {"CreatePrivateChannelRequest", "recipient_id", "required but for groups of people"},
    {"ApplicationCommandCreateRequest", "nsfw", "documented, not described"},
    {"ApplicationCommandPatchRequestPartial", "nsfw", "documented, not described"},
    {"ApplicationCommandUpdateRequest", "nsfw", "documented, not described"},
    {"RichEmbed", "type", "of any length that matters"},
};

static bool is_exception(const char *shape, const char *field)
{
	for (size_t i = 0; i < ARRAY_LEN(exceptions); i++)
		if (strcmp(exceptions[i].shape, shape) == 0 && strcmp(exceptions[i].field, field) == 0)
			return true;
	return false;
}

static bool is_required(struct json_object *schema, const char *name)
{
	struct json_object *list = json_get_array(schema, "required");

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(list, i)), name) == 0)
			return true;
	return false;
}

static void compare_field(
    const struct cord_shape *shape, const struct cord_field *f, struct json_object *theirs)
{
	static const char *const limits[] = {"maxLength", "maxItems", "maximum"};

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		int64_t max = json_get_int(theirs, limits[i], 0);

		/* 2^53 and the like stand for no limit. */
		if (max != 0 && f->max != 0 && max != f->max && f->type != CORD_NUMBER)
			fail_msg("%s.%s: at most %lld there, %lld here", shape->name, f->name, (long long)max,
			    (long long)f->max);
		if (max != 0 && max < 100000 && f->max == 0)
			fail_msg(
			    "%s.%s: at most %lld there, no limit here", shape->name, f->name, (long long)max);
	}
}

static void compare(const struct cord_shape *shape, struct json_object *schema)
{
	struct json_object *properties = json_get_object(schema, "properties");

	json_object_object_foreach(properties, name, theirs) {
		const struct cord_field *f = cord_shape_field(shape, name);

		if (is_exception(shape->name, name))
			continue;
		if (!f || (f->flags & CORD_PASSED_OVER))
			fail_msg("%s has no member %s", shape->name, name);
		if (is_required(schema, name) != ((f->flags & CORD_REQUIRED) != 0))
			fail_msg("%s.%s differs in being required", shape->name, name);
		compare_field(shape, f, theirs);
	}
	for (size_t i = 0; i < shape->count; i++)
		if (!(shape->fields[i].flags & CORD_PASSED_OVER) &&
		    !is_exception(shape->name, shape->fields[i].name) &&
		    !json_get(properties, shape->fields[i].name))
			fail_msg("%s: the platform has no member %s", shape->name, shape->fields[i].name);
}

static void bodies_have_the_members_of_the_platform(void **state)
{
	struct json_object *spec = load_spec(), *schemas;

	(void)state;
	schemas = json_get_object(json_get_object(spec, "components"), "schemas");
	for (size_t i = 0; cord_shapes[i]; i++) {
		struct json_object *schema = json_get_object(schemas, cord_shapes[i]->name);

		if (!schema)
			fail_msg("the platform has no %s", cord_shapes[i]->name);
		compare(cord_shapes[i], schema);
	}
	json_object_put(spec);
}

static void names_and_paths_are_there_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < cord_endpoint_count; i++)
		for (size_t k = 0; k < i; k++) {
			const struct cord_endpoint *a = &cord_endpoints[i], *b = &cord_endpoints[k];

			assert_string_not_equal(a->name, b->name);
			assert_false(strcmp(a->method, b->method) == 0 && strcmp(a->path, b->path) == 0);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_endpoint_is_the_platforms),
	    cmocka_unit_test(queries_have_the_parameters_of_the_platform),
	    cmocka_unit_test(bodies_have_the_members_of_the_platform),
	    cmocka_unit_test(names_and_paths_are_there_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
