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
#include "playground/discord/discord.h"
#include "playground/discord/http/endpoint.h"
#include "playground/platform.h"
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

static struct json_object *operation(
    struct json_object *spec, const struct spec_record *op, const char **path)
{
	static const char *const methods[] = {"delete", "get", "patch", "post", "put"};

	for (size_t i = 0; i < ARRAY_LEN(methods); i++) {
		*path = spec_value(op, methods[i]);
		if (*path)
			return json_get_object(
			    json_get_object(json_get_object(spec, "paths"), *path), methods[i]);
	}
	return NULL;
}

static bool is_open(struct json_object *theirs)
{
	struct json_object *list = json_get_array(theirs, "security");

	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (json_object_object_length(json_object_array_get_idx(list, i)) == 0)
			return true;
	return false;
}

static void compare_queries(const struct spec_record *op, struct json_object *params)
{
	size_t seen = 0;

	for (size_t i = 0; params && i < json_object_array_length(params); i++) {
		struct json_object *p = json_object_array_get_idx(params, i);
		const struct spec_member *m = spec_member(op, json_get_str(p, "name"));

		if (strcmp(json_get_str(p, "in"), "query") != 0)
			continue;
		if (!m || json_get_bool(p, "required", false) != ((m->flags & SPEC_REQUIRED) != 0))
			fail_msg("%s differs in %s", op->name, json_get_str(p, "name"));
		seen++;
	}
	assert_int_equal(seen, op->count);
}

static void operations_are_the_platforms(void **state)
{
	struct json_object *spec = load_spec(), *theirs, *content;
	const struct spec_record *const *all;
	size_t count, there = 0;
	const char *path;

	(void)state;
	all = spec_methods(spec_of("discord"), &count);
	for (size_t i = 0; i < count; i++) {
		theirs = operation(spec, all[i], &path);
		if (!theirs || strcmp(json_get_str(theirs, "operationId"), all[i]->name) != 0)
			fail_msg("the platform has no %s", all[i]->name);
		if (is_open(theirs) != spec_has(all[i], "open"))
			fail_msg("%s differs in its authorization", all[i]->name);
		content = json_get_object(json_get_object(theirs, "requestBody"), "content");
		if ((content != NULL) != (all[i]->body != NULL) ||
		    (json_get(content, "multipart/form-data") != NULL) != spec_has(all[i], "uploads"))
			fail_msg("%s differs in its body", all[i]->name);
		compare_queries(all[i], json_get_array(theirs, "parameters"));
	}
	json_object_object_foreach(json_get_object(spec, "paths"), name, operations) {
		(void)name;
		there += (size_t)json_object_object_length(operations) -
		    (json_get(operations, "parameters") != NULL);
	}
	assert_int_equal(count, there);
	json_object_put(spec);
}

static bool is_required(struct json_object *schema, const char *name)
{
	struct json_object *list = json_get_array(schema, "required");

	for (size_t i = 0; list && i < json_object_array_length(list); i++)
		if (strcmp(json_object_get_string(json_object_array_get_idx(list, i)), name) == 0)
			return true;
	return false;
}

/* The limits, and the kind of what has one. */
static void compare_member(
    const struct spec_record *r, const struct spec_member *m, struct json_object *theirs)
{
	static const struct {
		const char *type;
		enum spec_kind kind;
	} kinds[] = {
	    {"array", SPEC_LIST}, {"boolean", SPEC_BOOL}, {"integer", SPEC_INT}, {"number", SPEC_NUMBER}};
	static const char *const limits[] = {"maxLength", "maxItems", "maximum", "maxProperties"};
	const char *type = json_get_str(theirs, "type");

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		int64_t max = json_get_int(theirs, limits[i], 0);

		/* 2^53 and the like stand for no limit. */
		if (max != 0 && max < 100000 && (!m->type->has_max || m->type->max != max))
			fail_msg("%s.%s: at most %lld there", r->name, m->name, (long long)max);
	}
	for (size_t i = 0; type && !json_get(theirs, "enum") && i < ARRAY_LEN(kinds); i++)
		if ((strcmp(kinds[i].type, type) == 0) != (kinds[i].kind == m->type->kind))
			fail_msg("%s.%s differs in type, the platform has %s", r->name, m->name, type);
}

static void compare(const struct spec_record *r, struct json_object *schema)
{
	struct json_object *properties = json_get_object(schema, "properties");

	json_object_object_foreach(properties, name, theirs) {
		const struct spec_member *m = spec_member(r, name);

		if (!m)
			fail_msg("%s has no member %s", r->name, name);
		if (m->flags & SPEC_DIFFERS)
			continue;
		if (is_required(schema, name) != ((m->flags & SPEC_REQUIRED) != 0))
			fail_msg("%s.%s differs in being required", r->name, name);
		compare_member(r, m, theirs);
	}
	for (size_t i = 0; i < r->count; i++)
		if (!(r->members[i].flags & SPEC_EXTRA) && !json_get(properties, r->members[i].name))
			fail_msg("%s: the platform has no member %s", r->name, r->members[i].name);
}

static void schemas_have_the_members_of_the_platform(void **state)
{
	struct json_object *spec = load_spec();
	size_t compared = 0;

	(void)state;
	json_object_object_foreach(
	    json_get_object(json_get_object(spec, "components"), "schemas"), name, schema) {
		const struct spec_record *r = spec_type(spec_of("discord"), name);

		if (!r && strcmp(name, "SnowflakeType") != 0)
			fail_msg("there is no %s", name);
		if (!json_get(schema, "properties") || json_get(schema, "additionalProperties"))
			continue;
		compare(r, schema);
		compared++;
	}
	assert_true(compared > 300);
	json_object_put(spec);
}

static void the_table_says_what_is_simulated(void **state)
{
	size_t count, simulated = 0, endpoints = 0;
	const struct cord_route *all = cord_routes(&count);

	(void)state;
	for (size_t i = 0; i < count; i++) {
		if (spec_has(all[i].spec, "simulated") != (all[i].endpoint != NULL))
			fail_msg("%s is simulated, or is not, other than its row says", all[i].spec->name);
		simulated += all[i].endpoint != NULL;
		for (size_t k = 0; k < i && all[i].endpoint; k++)
			if (all[k].endpoint && strcmp(all[k].name, all[i].name) == 0)
				fail_msg("%s and %s have one name", all[k].spec->name, all[i].spec->name);
	}
	for (const struct cord_endpoint *e = cord_endpoints; e->operation; e++, endpoints++)
		assert_non_null(spec_method(spec_of("discord"), e->operation));
	assert_int_equal(endpoints, simulated);
	assert_true(simulated >= 150);
}

static void rows_name_calls_that_people_have(void **state)
{
	size_t count, named = 0;
	const struct cord_route *all = cord_routes(&count);
	const char *call;

	(void)state;
	for (size_t i = 0; i < count; i++) {
		const struct platform_action *a = discord_platform.people_actions;

		if (cord_route_is_for_people(&all[i], &call) || !call)
			continue;
		while (a->name && strcmp(a->name, call) != 0)
			a++;
		if (!a->name)
			fail_msg("%s: there is no /control/%s", all[i].spec->name, call);
		named++;
	}
	assert_true(named > 10);
}

static void rows_say_how_calls_are_limited(void **state)
{
	char args[CORD_ARGS_MAX][256];
	const struct cord_route *r;
	bool known;

	(void)state;
	r = cord_route_find("POST", "/channels/1/messages", args, &known);
	assert_string_equal(r->name, "POST /channels/messages");
	assert_int_equal(r->bucket, CORD_BUCKET_SEND);
	r = cord_route_find("PUT", "/guilds/1/members/2/roles/3", args, &known);
	assert_string_equal(r->name, "PUT /guilds/members/roles");
	assert_int_equal(r->bucket, CORD_BUCKET_DEFAULT);
	r = cord_route_find("GET", "/channels/1/messages/2", args, &known);
	assert_string_equal(r->name, "GET /channels/messages/id");
	assert_int_equal(r->bucket, CORD_BUCKET_READ);
}

static void a_literal_path_goes_before_a_variable_one(void **state)
{
	static const struct {
		const char *method, *path, *operation;
	} paths[] = {
	    {"GET", "/guilds/1/members/search", "search_guild_members"},
	    {"GET", "/guilds/1/members/2", "get_guild_member"},
	    {"GET", "/users/@me", "get_my_user"},
	    {"GET", "/users/%40me", "get_my_user"},
	    {"GET", "/users/7", "get_user"},
	    {"DELETE", "/channels/1/messages/2/reactions/x/@me", "delete_my_message_reaction"},
	    {"DELETE", "/channels/1/messages/2/reactions/x/3", "delete_user_message_reaction"},
	};
	char args[CORD_ARGS_MAX][256];
	bool known;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		const struct cord_route *r = cord_route_find(paths[i].method, paths[i].path, args, &known);

		assert_non_null(r);
		assert_string_equal(r->spec->name, paths[i].operation);
	}
	assert_string_equal(args[3], "3");
	assert_null(cord_route_find("PUT", "/users/7", args, &known));
	assert_true(known);
	assert_null(cord_route_find("GET", "/nothing", args, &known));
	assert_false(known);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(operations_are_the_platforms),
	    cmocka_unit_test(schemas_have_the_members_of_the_platform),
	    cmocka_unit_test(the_table_says_what_is_simulated),
	    cmocka_unit_test(rows_name_calls_that_people_have),
	    cmocka_unit_test(rows_say_how_calls_are_limited),
	    cmocka_unit_test(a_literal_path_goes_before_a_variable_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
