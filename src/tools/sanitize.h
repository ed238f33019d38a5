#ifndef TOOLS_SANITIZE_H
#define TOOLS_SANITIZE_H
/* What a model may see of a text: valid UTF-8 without control codes, secrets redacted. */
#include <stddef.h>

struct buf;
struct json_object;

/* Appends s so cleaned; how many bad bytes were replaced. On any thread. Before any cut: half a secret is not
 * found. */
size_t sanitize_text(struct buf *out, const char *s, size_t len);
/* o with every text and name in it cleaned: a new reference, which may share parts with o. */
struct json_object *sanitize_json(struct json_object *o);

#endif
