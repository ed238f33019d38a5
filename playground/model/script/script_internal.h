#ifndef PLAYGROUND_MODEL_SCRIPT_SCRIPT_INTERNAL_H
#define PLAYGROUND_MODEL_SCRIPT_SCRIPT_INTERNAL_H
/* The script while it is read and played. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/json/json.h"
#include "base/mem.h"
#include "playground/model/script/script.h"
#include "playground/server/fault.h"
#include "playground/world/pattern.h"

/* A parsed script. */

struct recall {
	const char *name; /* borrowed from the JSON */
	struct pattern *pattern;
};

struct rule {
	struct json_object *json, *steps;
	struct pattern *when; /* NULL: always matches */
	struct recall *recalls;
	size_t recall_count;
	int64_t failed; /* requests in a row that got the error of a step with "times" */
};

struct script {
	struct json_object *json;
	struct rule *rules; /* the last one is "else" */
	size_t rule_count;
	struct pattern *skip; /* prefix of user messages to ignore; NULL: none */
};

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

#define TEMPLATE_GROUPS 10

struct template_values {
	const struct conversation *conversation;
	struct pattern_group groups[TEMPLATE_GROUPS];
	struct json_object *recalled; /* an object of strings; may be NULL */
};

void template_expand(const char *text, const struct template_values *v, struct buf *out);
/* Returns a copy of o with every string expanded; the caller puts it. */
struct json_object *template_expand_json(struct json_object *o, const struct template_values *v);

/* Generates long texts for scripts. */

/* "a op b = result", op one of + - * x /. */
void generate_calculation(const char *a, char op, const char *b, struct buf *out);
/* "1, 2, … n", at most 1,000. */
void generate_numbers(unsigned long n, struct buf *out);
/* Appends numbered paragraphs of at least that many characters (at most 100,000). The numbers reveal lost
 * and repeated parts. */
void generate_story(unsigned long chars, struct buf *out);

/*
 * A model that obeys every text. An order "CALL NAME {JSON}" counts wherever it stands: in the system prompt,
 * in tool descriptions, in the newest user message with its quotes, and in tool results, also inside JSON
 * strings. The tool need not be offered. The JSON may be in round brackets.
 */

/* Returns the number of calls that the newest texts order; the caller owns the array. New tool results are
 * searched alone. */
size_t injection_find_calls(const struct conversation *d, struct script_call **calls);

/* Validates the JSON of a script. Unknown members are errors. */

int script_check(struct json_object *script, struct error *err);

#endif
