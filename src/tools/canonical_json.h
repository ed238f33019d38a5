#ifndef TOOLS_CANONICAL_JSON_H
#define TOOLS_CANONICAL_JSON_H
/* JSON for a person to read and to say yes to. */
struct buf;
struct json_object;

/* Appends the value with its members sorted, each on a line of its own. What cannot be seen, or changes how
 * the rest is seen (controls, blanks but the ordinary one, marks of direction or of no width, backquotes,
 * which would end a block of code), stands as \uXXXX: the same value for a reader of JSON. Equal values give
 * equal texts, others others. */
void canonical_json_write(struct buf *out, struct json_object *value);

#endif
