#ifndef TOOLS_CANONICAL_JSON_H
#define TOOLS_CANONICAL_JSON_H
/* JSON for a person to read and approve. */
struct buf;
struct json_object;

/* Appends the value with sorted members, each on its own line. Characters that are invisible or change how
 * the rest is displayed (controls, unusual blanks, direction and zero-width marks, backquotes, which would
 * end a code block) become \uXXXX: the same value for a JSON parser. Equal values give equal texts,
 * different ones different texts. */
void canonical_json_write(struct buf *out, struct json_object *value);

#endif
