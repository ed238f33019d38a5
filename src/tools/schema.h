#ifndef TOOLS_SCHEMA_H
#define TOOLS_SCHEMA_H
/*
 * Validates arguments against a tool's schema: the part of JSON Schema that tools need, which is type,
 * required, enum, minimum, maximum, minLength, maxLength (in code points), minItems, maxItems and
 * items.type. Unknown members are refused.
 */
#include <stdbool.h>

struct error;
struct json_object;
struct tool;

/* Checks that this can be a tool's schema: an object whose properties each have a known type and a
 * description. A foreign one (TOOL_UNTRUSTED_SCHEMA) need only be an object whose properties are
 * objects. */
int schema_check(struct json_object *schema, bool foreign, struct error *err);
/* Is that member required? */
bool schema_requires(struct json_object *schema, const char *name);
/* Renames aliases, drops nulls, converts strings that are entirely a number or boolean, validates and
 * clamps; changes args in place. Returns NULL when valid; *clamped gets an object of the clamped values, or
 * stays NULL. Otherwise returns the failure to answer. */
struct json_object *schema_apply(const struct tool *tool, struct json_object *schema,
    struct json_object *args, struct json_object **clamped);

#endif
