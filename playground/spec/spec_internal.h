#ifndef PLAYGROUND_SPEC_SPEC_INTERNAL_H
#define PLAYGROUND_SPEC_SPEC_INTERNAL_H
/* The tables while they are read and used. */
#include "playground/spec/judge.h"
#include "playground/spec/spec.h"

/* The tables while they are read. */

struct spec_list {
	void **items;
	size_t count, cap;
};

struct spec {
	struct block *blocks;
	struct spec_list methods, types;
	/* while it is read */
	struct spec_list named; /* struct spec_type that wait for their records */
	struct spec_list members, errors;
	struct spec_record *record;
	const char *file;
	unsigned line;
	struct error *err;
};

/* Memory that lives as long as the tables, zeroed. */
void *spec_take(struct spec *s, size_t size);
void spec_list_add(struct spec_list *l, void *item);
/* Sets the error of this line; returns -1. name may be NULL. */
int spec_wrong(struct spec *s, const char *what, const char *name);

/* Takes a text in quotes from *p, without them. */
int spec_read_text(struct spec *s, char **p, const char **out);
/* Reads a type; NULL after an error. */
struct spec_type *spec_read_type(struct spec *s, char *text);

/* Which alternative of a type a value is of, and what it is there. */

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
