#ifndef PLAYGROUND_WORLD_JSON_FORMAT_H
#define PLAYGROUND_WORLD_JSON_FORMAT_H
/*
 * JSON as it will look, with the values after it, which the compiler checks as printf's:
 *
 *	json_newf("{type: 'message', ts: %s, edits: %d, hidden: %i, item: {channel: %s}}", …)
 *
 * Names of members need no quotes, and texts have single ones. A value is also %s a string, %d an int, %jd an
 * int64_t, %zu a size_t, %i a bool, and %p a value, which is taken. A string that is NULL is left out with
 * its member; a value that is NULL is null. A wrong format aborts.
 */
struct json_object;

__attribute__((format(printf, 1, 2))) struct json_object *json_newf(const char *fmt, ...);
/* Sets members of o: the format is what stands between the braces. */
__attribute__((format(printf, 2, 3))) void json_setf(struct json_object *o, const char *fmt, ...);

#endif
