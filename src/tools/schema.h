#ifndef TOOLS_SCHEMA_H
#define TOOLS_SCHEMA_H
/*
 * Arguments against a tool's schema: the part of JSON Schema that tools need, which is type,
 * required, enum, minimum, maximum, minLength, maxLength (in code points), minItems, maxItems
 * and items.type. Members that no property names are refused.
 */
#include <stdbool.h>

struct error;
struct json_object;
struct tool;

/* Can this be a tool's schema: an object, whose properties each have a type that is known and a description?
 * A foreign one (TOOL_UNTRUSTED_SCHEMA) must be an object only, whose properties are objects. */
int schema_check(struct json_object *schema, bool foreign, struct error *err);
/* Renames aliases, drops nulls, converts strings that are wholly a number or boolean, checks, clamps; args is
 * changed in place. NULL when in order; *clamped gets an object of the clamped values, or stays NULL.
 * Otherwise the failure to answer. */
struct json_object *schema_apply(const struct tool *tool, struct json_object *schema,
    struct json_object *args, struct json_object **clamped);

#endif
