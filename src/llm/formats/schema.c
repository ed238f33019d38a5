#include "llm/formats/schema.h"

#include <string.h>

#include "base/json/json.h"
#include "base/mem.h"

/* Maximum depth, which ends recursive schemas. */
#define DEPTH_MAX 12
#define NODES_MAX 2000
/* What is copied counts, too: a part of the schema is copied as often as it is referred to. */
#define NODE_BYTES 128
#define NODE_NAMES 16
/* Alternatives, and types, of one node that are looked at. */
#define ALTERNATIVES_MAX 64

/* Members that are copied unchanged. */
static const char *const kept[] = {"description", "maxItems", "maximum", "minItems", "minimum"};

struct rewrite {
	struct json_object *root;
	int depth, nodes;
};

static struct json_object *plain(struct rewrite *w, struct json_object *node);

/* "#/$defs/Point" */
static struct json_object *find_reference(struct json_object *root, const char *ref)
{
	struct json_object *o = root;

	if (*ref++ != '#')
		return NULL;
	while (o && *ref == '/') {
		size_t len = strcspn(++ref, "/");
		char *name = xstrndup(ref, len);
		o = json_get(o, name);
		free(name);
		ref += len;
	}
	return o;
}

static bool is_null(struct json_object *node)
{
	const char *type = json_get_str(node, "type");

	return type && strcmp(type, "null") == 0;
}

/* Returns the schema for a node: the target of its reference, or the first of its alternatives. */
static struct json_object *stands_for(struct json_object *node, struct json_object *root)
{
	static const char *const alternatives[] = {"anyOf", "oneOf", "allOf"};
	const char *ref = json_get_str(node, "$ref");

	if (ref)
		return find_reference(root, ref);
	for (size_t i = 0; i < ARRAY_LEN(alternatives); i++) {
		struct json_object *list = json_get_array(node, alternatives[i]);
		size_t count = json_count(list);
		for (size_t k = 0; k < count && k < ALTERNATIVES_MAX; k++)
			if (!is_null(json_object_array_get_idx(list, k)))
				return json_object_array_get_idx(list, k);
	}
	return NULL;
}

static const char *type_of(struct json_object *node)
{
	struct json_object *list = json_get_array(node, "type");
	const char *type = json_get_str(node, "type");

	size_t count = json_count(list);
	for (size_t i = 0; !type && i < count && i < ALTERNATIVES_MAX; i++) {
		const char *one = json_object_get_string(json_object_array_get_idx(list, i));
		type = one && strcmp(one, "null") != 0 ? one : NULL;
	}
	if (type)
		return type;
	return json_get(node, "properties") ? "object" : json_get(node, "items") ? "array" : "string";
}

static void copy(struct rewrite *w, struct json_object *out, const char *name, struct json_object *value)
{
	/* What the tool's own parameters say has as much room again. */
	if (!value || w->nodes >= (w->depth > 2 ? NODES_MAX : 2 * NODES_MAX))
		return;
	w->nodes += (int)(strlen(json_object_to_json_string(value)) / NODE_BYTES);
	json_object_object_add(out, name, json_object_get(value));
}

static void add_properties(struct rewrite *w, struct json_object *out, struct json_object *node)
{
	struct json_object *given = json_get_object(node, "properties"),
			   *required = json_get_array(node, "required");
	struct json_object *properties = json_object_new_object(), *names = json_object_new_array();

	if (given) {
		json_object_object_foreach(given, name, value) {
			/* The tool's own parameters are all kept. */
			if (w->depth > 1 && w->nodes >= NODES_MAX)
				break;
			json_object_object_add(properties, name, plain(w, value));
		}
	}
	w->nodes += (int)(json_count(required) / NODE_NAMES);
	for (size_t i = 0; required && i < json_object_array_length(required); i++) {
		struct json_object *name = json_object_array_get_idx(required, i);
		if (json_object_is_type(name, json_type_string) &&
		    json_get(properties, json_object_get_string(name)))
			json_object_array_add(names, json_object_get(name));
	}
	json_object_object_add(out, "properties", properties);
	if (json_object_array_length(names) > 0)
		json_object_object_add(out, "required", names);
	else
		json_object_put(names);
}

/* Only strings are copied. */
static void add_choices(struct rewrite *w, struct json_object *out, struct json_object *node)
{
	struct json_object *choices = json_get_array(node, "enum"), *one = json_get(node, "const");
	size_t count = json_count(choices);

	if (w->nodes >= 2 * NODES_MAX)
		return;
	w->nodes += (int)(count / NODE_NAMES);
	for (size_t i = 0; i < count; i++)
		if (!json_object_is_type(json_object_array_get_idx(choices, i), json_type_string))
			return;
	if (choices) {
		copy(w, out, "enum", choices);
	} else if (json_object_is_type(one, json_type_string)) {
		choices = json_object_new_array();
		json_object_array_add(choices, json_object_get(one));
		copy(w, out, "enum", choices);
		json_object_put(choices);
	}
}

static void add_members(
    struct rewrite *w, struct json_object *out, struct json_object *node, const char *type)
{
	w->depth++;
	if (strcmp(type, "object") == 0)
		add_properties(w, out, node);
	else if (strcmp(type, "array") == 0)
		json_object_object_add(out, "items", plain(w, json_get(node, "items")));
	else if (strcmp(type, "string") == 0)
		add_choices(w, out, node);
	w->depth--;
}

static struct json_object *plain(struct rewrite *w, struct json_object *node)
{
	struct json_object *out = json_object_new_object(), *other;

	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		copy(w, out, kept[i], json_get(node, kept[i]));
	for (int steps = 0; steps < DEPTH_MAX && (other = stands_for(node, w->root)); steps++)
		node = other;
	bool room = w->nodes++ < NODES_MAX && w->depth < DEPTH_MAX;
	const char *type = room ? type_of(node) : "string";
	json_set_str(out, "type", type);
	if (!json_get(out, "description"))
		copy(w, out, "description", json_get(node, "description"));
	add_members(w, out, node, type);
	return out;
}

void llm_schema_plain(struct buf *out, const char *schema)
{
	struct json_object *root = json_parse_object(schema, strlen(schema), NULL);
	struct rewrite w = {.root = root};
	struct json_object *clean = plain(&w, root);

	json_set_str(clean, "type", "object");
	if (!json_get(clean, "properties"))
		add_properties(&w, clean, NULL);
	json_write(out, clean);
	json_object_put(clean);
	json_object_put(root);
}
