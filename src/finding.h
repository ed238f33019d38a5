#ifndef FINDING_H
#define FINDING_H
/* What was looked at and how it was found: [{"level", "about", "text", "do"?}], for /doctor and `myna
 * doctor`. */
#include <stdbool.h>

struct buf;
struct json_object;

enum finding_level {
	FINDING_OK,
	FINDING_WARNING, /* somebody should look at it some day */
	FINDING_BAD      /* it does not work */
};

/* advice: what a person does about it, NULL: nothing. */
void finding_add(struct json_object *list, enum finding_level level, const char *about, const char *text,
    const char *advice);
/* Each line of a text alone; empty ones are left out. */
void finding_add_lines(struct json_object *list, enum finding_level level, const char *about,
    const char *text, const char *advice);
bool finding_any_bad(struct json_object *list);
/* As lines that a person reads; all: with what is in order. */
void finding_describe(struct json_object *list, bool all, struct buf *out);

#endif
