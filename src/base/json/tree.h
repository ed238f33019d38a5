#ifndef BASE_JSON_TREE_H
#define BASE_JSON_TREE_H
/* Builds the tree of json-c from the list of positions: less than half the work of json-c's own parser, which
 * takes a text byte by byte. The tree is the same. */
#include <stddef.h>

struct json_flat;
struct json_object;

/* Returns the outermost value, an object or an array; with names, which end with NULL, only the members that
 * have one of them, at any level. */
struct json_object *json_tree(const struct json_flat *f, const char *const *names);

#endif
