#ifndef PLAYGROUND_WORLD_JSON_MEMBERS_H
#define PLAYGROUND_WORLD_JSON_MEMBERS_H
/* Accessors for members of request objects; ids may be strings or numbers. */
#include <stdbool.h>
#include <stddef.h>

struct error;
struct json_object;

/* Returns the first member that names (NULL-terminated) does not list, borrowed; NULL: none. */
const char *members_other(struct json_object *o, const char *const *names);
/* Is it one of the words, which stand between blanks? */
bool members_has_word(const char *words, const char *name);
/* Refuses members whose names are not among the words. */
int members_check(struct json_object *in, const char *words, struct error *err);
/* Returns a string or integer member as a string owned by the object; NULL if absent or empty. */
const char *members_string(struct json_object *in, const char *key);
/* Sets a member to len bytes in base64. data NULL: zeros. */
void members_set_bytes(struct json_object *out, const char *key, const void *data, size_t len);

#endif
