#ifndef PLAYGROUND_SPEC_JUDGE_INTERNAL_H
#define PLAYGROUND_SPEC_JUDGE_INTERNAL_H
/* Which alternative of a type a value is of, and what it is there. */
#include "playground/spec/judge.h"

bool judge_is_text(struct json_object *v);
bool judge_is_number(struct json_object *v);
/* By the rules, a text may be one. Return false for other values. */
bool judge_read_int(const struct judge *j, struct json_object *v, int64_t *n);
bool judge_read_number(const struct judge *j, struct json_object *v, double *n);
bool judge_read_bool(const struct judge *j, struct json_object *v, bool *b);

/* How many kinds of objects can there be? */
size_t judge_count_objects(const struct spec_type *t);
/* The alternative that the value is of; NULL: of none. */
const struct spec_type *judge_choose(struct judge *j, const struct spec_type *t, struct json_object *v);

#endif
