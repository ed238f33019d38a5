#ifndef BASE_JSON_TREE_H
#define BASE_JSON_TREE_H
/* Builds the tree of json-c from the list of positions: less than half the work of json-c's own parser, which
 * takes a text byte by byte. The tree is the same. */
#include <stddef.h>

struct json_flat;
struct json_object;

/* Returns the outermost value, an object or an array, without the members that are arrays or objects more
 * than that many levels deep; the outermost value is the first level. */
struct json_object *json_tree(const struct json_flat *f, size_t levels);

#endif
