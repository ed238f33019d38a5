#ifndef PLAYGROUND_MODEL_SCRIPT_TEMPLATE_H
#define PLAYGROUND_MODEL_SCRIPT_TEMPLATE_H
/*
 * Templates in the texts and arguments of a script. Between {{ and }} stand alternatives
 * separated by |; the first that has a value is put in, nothing when none has.
 *   1 … 9               a group of the rule's pattern
 *   user                what the person said
 *   count               how many messages people have written
 *   steps               how many answers followed the newest of them
 *   result              the newest tool results, a line each
 *   result.0.content    the first result; of a JSON one, that member (numbers index arrays)
 *   images              what is seen on the images of the person, or of the results: "640x480 PNG"
 *   recall.name         what the rule remembers under that name
 *   calc 1              groups 1, 2 and 3 as number, operator, number
 *   numbers 1           counting to the number in group 1
 *   story 9000          a text of so many characters
 *   'text'              itself
 */
#include <stddef.h>

struct buf;
struct conversation;
struct json_object;

#define TEMPLATE_GROUPS 10

struct template_values {
	const struct conversation *conversation;
	struct {
		const char *text; /* NULL: the group did not match */
		size_t len;
	} groups[TEMPLATE_GROUPS];
	struct json_object *recalled; /* an object of strings; may be NULL */
};

void template_expand(const char *text, const struct template_values *v, struct buf *out);
/* Returns a copy of o with every string expanded; the caller puts it. */
struct json_object *template_expand_json(struct json_object *o, const struct template_values *v);

#endif
