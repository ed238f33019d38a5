#ifndef BASE_JSON_JSON_H
#define BASE_JSON_JSON_H
/*
 * json-c with its sharp edges covered (0.16: depth 32 by default, trailing bytes
 * ignored, slashes escaped, "12abc" read as 12; even when strict it takes 'x', NaN, "1."
 * and raw control characters, and cuts what is beyond 64 bits). Objects are json-c's own;
 * free them with json_object_put. Everything that json_get returns is borrowed.
 * One thread at a time may use a tree, also for reading.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;

#define JSON_DEPTH 64

/* Strict: one value as RFC 8259 has it, nothing but white space after it, valid UTF-8,
 * depth at most JSON_DEPTH, integers within 64 bits. NULL with err set otherwise, as
 * ERROR_OURS: who read the text from a peer says so. A top-level null is an error. */
struct json_object *json_parse(const char *text, size_t len, struct error *err);
/* Also an error unless the value is an object. */
struct json_object *json_parse_object(const char *text, size_t len, struct error *err);

/* Member lookups on an object (or NULL): NULL, the fallback or false when the
 * member is absent or of another type. A string with a NUL inside counts as absent. */
struct json_object *json_get(struct json_object *o, const char *key);
struct json_object *json_get_object(struct json_object *o, const char *key);
struct json_object *json_get_array(struct json_object *o, const char *key);
const char *json_get_str(struct json_object *o, const char *key);
int64_t json_get_int(struct json_object *o, const char *key, int64_t fallback);
double json_get_double(struct json_object *o, const char *key, double fallback); /* any number */
bool json_get_bool(struct json_object *o, const char *key, bool fallback);

/* Members added in place; the object owns them. A NULL string adds nothing; one that is
 * not valid UTF-8 is cleaned. */
void json_set_str(struct json_object *o, const char *key, const char *value);
void json_set_int(struct json_object *o, const char *key, int64_t value);
void json_set_bool(struct json_object *o, const char *key, bool value);
void json_set(struct json_object *o, const char *key, struct json_object *value); /* takes it */

/* Compact text without escaped slashes, appended; NULL is null. json_text is the caller's
 * to free. */
void json_write(struct buf *out, struct json_object *o);
char *json_text(struct json_object *o);
/* Appends "s" quoted and escaped; every bad byte becomes U+FFFD. */
void json_quote(struct buf *out, const char *s, size_t len);

#endif
