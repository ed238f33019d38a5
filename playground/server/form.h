#ifndef PLAYGROUND_SERVER_FORM_H
#define PLAYGROUND_SERVER_FORM_H
/* Parses client parameters: query, form and multipart bodies. */
#include <stdbool.h>
#include <stddef.h>

struct buf;
struct error;
struct json_object;

/* Is the Content-Type, which may be NULL, that one, whatever its parameters? */
bool form_has_type(const char *content_type, const char *type);
/* Adds each name=value of a query or urlencoded form to into, as strings. */
int form_read(struct json_object *into, const char *text, size_t len, struct error *err);
/* Adds the parts of a multipart/form-data body: fields as strings, files as {"filename","bytes","at"},
 * where at is the offset of the content in body. content_type is the complete header value. */
int form_read_multipart(
    struct json_object *into, const char *content_type, const char *body, size_t len, struct error *err);
/* Percent-decodes s; plus: "+" means a blank. Returns -1 on a bad escape or a NUL. */
int form_decode(struct buf *out, const char *s, size_t len, int plus);

#endif
