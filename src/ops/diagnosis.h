#ifndef OPS_DIAGNOSIS_H
#define OPS_DIAGNOSIS_H
/* Results of checks: [{"level", "about", "text", "do"?}], for /doctor and `myna doctor`. */
#include <stdbool.h>

struct buf;
struct json_object;

enum diagnosis_level {
	DIAGNOSIS_OK,
	DIAGNOSIS_WARNING, /* not urgent */
	DIAGNOSIS_BAD      /* does not work */
};

/* advice: what a person should do; NULL for none. */
void diagnosis_add(struct json_object *list, enum diagnosis_level level, const char *about, const char *text,
    const char *advice);
/* Adds each line of a text separately, without empty ones. */
void diagnosis_add_lines(struct json_object *list, enum diagnosis_level level, const char *about,
    const char *text, const char *advice);
bool diagnosis_any_bad(struct json_object *list);
/* Appends lines for people; all: includes checks without a problem. */
void diagnosis_describe(struct json_object *list, bool all, struct buf *out);

#endif
