#ifndef BASE_JSON_JSON_H
#define BASE_JSON_JSON_H
/*
 * json-c with strict parsing and safe defaults (0.16: depth 32 by default, trailing bytes ignored,
 * slashes escaped, "12abc" read as 12; even its strict mode accepts 'x', NaN, "1." and raw control
 * characters, and truncates integers beyond 64 bits). Objects are json-c's own; free them with
 * json_object_put. Everything that json_get returns is borrowed. A tree is for one thread at a time,
 * even for reading.
 */
#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf;
struct error;

/* The deepest that a platform sends are 16 lists within each other in a rich message of Telegram: 4 levels
 * each, a dozen around and inside. */
#define JSON_DEPTH 128

/* Parses one value by RFC 8259: nothing but white space after it, valid UTF-8, depth at most JSON_DEPTH,
 * integers within 64 bits. Otherwise returns NULL with err set to ERROR_OURS: a caller that reads a peer's
 * text changes the kind. A top-level null is an error. */
struct json_object *json_parse(const char *text, size_t len, struct error *err);
/* Like json_parse; also an error unless the value is an object. */
struct json_object *json_parse_object(const char *text, size_t len, struct error *err);
/* Like json_parse_object, for an answer of which little is read: may leave out members, at any level, that
 * have none of the names, which end with NULL. */
struct json_object *json_parse_members(const char *text, size_t len, const char *const *names);

/* A tree takes far more memory than its text, up to 800 bytes for two bytes: these limits keep it to about
 * 100 MB. */
#define JSON_CONTAINERS_MAX 100000
#define JSON_VALUES_MAX     1000000
/* Like json_parse and json_parse_object, for what somebody else's program sends: also an error with more
 * values, or more arrays and objects among them. */
struct json_object *json_parse_foreign_value(const char *text, size_t len, struct error *err);
struct json_object *json_parse_foreign(const char *text, size_t len, struct error *err);

/* Member lookups on an object (or NULL). They return NULL, the fallback or false when the member is absent
 * or of another type. A string with a NUL inside counts as absent. */
struct json_object *json_get(struct json_object *o, const char *key);
struct json_object *json_get_object(struct json_object *o, const char *key);
struct json_object *json_get_array(struct json_object *o, const char *key);
const char *json_get_str(struct json_object *o, const char *key);
int64_t json_get_int(struct json_object *o, const char *key, int64_t fallback);
double json_get_double(struct json_object *o, const char *key, double fallback); /* any number */
bool json_get_bool(struct json_object *o, const char *key, bool fallback);

/* The length of an array; NULL: 0. */
static inline size_t json_count(struct json_object *array)
{
	return array ? json_object_array_length(array) : 0;
}
static inline struct json_object *json_at(struct json_object *array, size_t i)
{
	return json_object_array_get_idx(array, i);
}
/* Returns whether one of the array's values is this text. array may be NULL. */
bool json_array_has(struct json_object *array, const char *text);
/* Where the values of an array begin and end, for json_each. */
static inline struct json_object **json_begin(struct json_object *array)
{
	return array ? (struct json_object **)(void *)json_object_get_array(array)->array : NULL;
}
static inline struct json_object **json_end(struct json_object *array)
{
	return array ? json_begin(array) + json_count(array) : NULL;
}
/* Each value of an array; NULL has none. The body does not change the array, which is read twice. */
#define json_each(array, item)                                                                          \
	for (struct json_object **item##_at = json_begin(array), **item##_end = json_end(array), *item; \
	     item##_at < item##_end && (item = *item##_at, true); item##_at++)

/* Set members; the object owns them. A NULL string adds nothing; invalid UTF-8 is sanitized. */
void json_set_str(struct json_object *o, const char *key, const char *value);
void json_set_int(struct json_object *o, const char *key, int64_t value);
void json_set_bool(struct json_object *o, const char *key, bool value);
void json_set(struct json_object *o, const char *key, struct json_object *value); /* takes it */

/* Write compact text without escaped slashes; NULL is null. The caller frees the result of json_text. */
void json_write(struct buf *out, struct json_object *o);
char *json_text(struct json_object *o);
/* Appends "s" quoted and escaped; every bad byte becomes U+FFFD. */
void json_quote(struct buf *out, const char *s, size_t len);

#endif
