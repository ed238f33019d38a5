#ifndef TOOLS_RESULT_LIMIT_H
#define TOOLS_RESULT_LIMIT_H
/* No more of a result than a model is to get of it. */
#include <stddef.h>

struct json_object;

/* The least that result_limit_apply can be asked for. */
#define RESULT_LIMIT_MIN 512

/* How many bytes the text takes inside a JSON string. */
size_t result_limit_escaped_size(const char *s, size_t len);
/* The most bytes of s that take at most room inside a JSON string and end between two code points. */
size_t result_limit_cut(const char *s, size_t len, size_t room);

/* The result, which is cleaned, as text of at most max bytes, still valid JSON: lists lose entries from their
 * end (count follows), content is cut at a line end, stdout and stderr keep head and tail, other text its
 * head, and truncated: true says so. What cannot be cut so becomes {truncated, bytes, text}; a failure stays
 * one. result is changed. */
char *result_limit_apply(struct json_object *result, size_t max);

#endif
