#ifndef TOOLS_RESULT_LIMIT_H
#define TOOLS_RESULT_LIMIT_H
/* Limits the size of a tool result for a model. */
#include <stddef.h>

struct json_object;

/* The minimum for result_limit_apply. */
#define RESULT_LIMIT_MIN 512

/* Returns the size of the text inside a JSON string. */
size_t result_limit_escaped_size(const char *s, size_t len);
/* Returns the largest number of bytes of s that takes at most room inside a JSON string and ends between
 * two code points. */
size_t result_limit_cut(const char *s, size_t len, size_t room);

/* Returns the sanitized result as valid JSON text of at most max bytes: lists lose entries at their end
 * (with count adjusted), content is cut at a line end, stdout and stderr keep head and tail, other text its
 * head, and truncated: true is added. A result that cannot be cut so becomes {truncated, bytes, text}; a
 * failure stays one. Changes result. */
char *result_limit_apply(struct json_object *result, size_t max);

#endif
