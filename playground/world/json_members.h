#ifndef PLAYGROUND_WORLD_JSON_MEMBERS_H
#define PLAYGROUND_WORLD_JSON_MEMBERS_H
/* Members of the objects that are sent to the playground; ids are taken as strings and as numbers. */
#include <stddef.h>

struct error;
struct json_object;

/* The first member that names (NULL-terminated) does not list, NULL when it lists all. Borrowed. */
const char *members_other(struct json_object *o, const char *const *names);
/* Refuses members that names (NULL-terminated) does not list. */
int members_check(struct json_object *in, const char *const *names, struct error *err);
/* A member that is a string or a whole number, as a string kept in the object; NULL when absent or empty. */
const char *members_string(struct json_object *in, const char *key);
/* Sets a member to len bytes in base64: a file's content. No data stands for zeros. */
void members_set_bytes(struct json_object *out, const char *key, const void *data, size_t len);

#endif
