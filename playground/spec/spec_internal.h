#ifndef PLAYGROUND_SPEC_SPEC_INTERNAL_H
#define PLAYGROUND_SPEC_SPEC_INTERNAL_H
/* The tables while they are read. */
#include "playground/spec/spec.h"

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

#endif
