#ifndef OPS_DIAGNOSIS_H
#define OPS_DIAGNOSIS_H
/* What was looked at and how it was found: [{"level", "about", "text", "do"?}], for /doctor and `myna
 * doctor`. */
#include <stdbool.h>

struct buf;
struct json_object;

enum diagnosis_level {
	DIAGNOSIS_OK,
	DIAGNOSIS_WARNING, /* somebody should look at it some day */
	DIAGNOSIS_BAD      /* it does not work */
};

/* advice: what a person does about it, NULL: nothing. */
void diagnosis_add(struct json_object *list, enum diagnosis_level level, const char *about, const char *text,
    const char *advice);
/* Each line of a text alone; empty ones are left out. */
void diagnosis_add_lines(struct json_object *list, enum diagnosis_level level, const char *about,
    const char *text, const char *advice);
bool diagnosis_any_bad(struct json_object *list);
/* As lines that a person reads; all: with what is in order. */
void diagnosis_describe(struct json_object *list, bool all, struct buf *out);

#endif
