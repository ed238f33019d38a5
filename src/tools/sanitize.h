#ifndef TOOLS_SANITIZE_H
#define TOOLS_SANITIZE_H
/* Sanitizes text for a model: valid UTF-8 without control characters, secrets redacted. */
#include <stddef.h>

struct buf;
struct json_object;

/* Appends s sanitized. Returns the number of bad bytes replaced. On any thread. Sanitize before cutting:
 * half a secret is not recognised. */
size_t sanitize_text(struct buf *out, const char *s, size_t len);
/* Returns o with every string and name sanitized: a new reference, which may share parts with o. */
struct json_object *sanitize_json(struct json_object *o);

#endif
