#ifndef PLAYGROUND_MEMBERS_H
#define PLAYGROUND_MEMBERS_H
/* Members of the objects that come to /control; ids are taken as strings and as numbers. */
struct error;
struct json_object;

/* Refuses members that names (NULL-terminated) does not list. */
int members_check(struct json_object *in, const char *const *names, struct error *err);
/* A member that is a string or a whole number, as a string kept in the object; NULL when absent or empty. */
const char *members_string(struct json_object *in, const char *key);

#endif
