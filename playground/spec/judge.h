#ifndef PLAYGROUND_SPEC_JUDGE_H
#define PLAYGROUND_SPEC_JUDGE_H
/* Judges JSON by the tables: what clients send, and what the playground itself answers. It reports faults;
 * what follows from one, and in which words, is the platform's. */
#include <stdbool.h>
#include <stddef.h>

#include "playground/spec/spec.h"

struct buf;
struct json_object;

enum judge_fault {
	JUDGE_CHOICE,   /* none of the values that the type allows */
	JUDGE_LEFT_OUT, /* not simulated; with SPEC_NO_EFFECT it is accepted */
	JUDGE_LONG,     /* or too large */
	JUDGE_MISSING,
	JUDGE_SHORT, /* or too small */
	JUDGE_TYPE,
	JUDGE_UNKNOWN /* the platform has no such member */
};

enum judge_rule {
	/* Texts stand for numbers and booleans. Values are converted to their types in place. */
	JUDGE_TEXTS = 1,
	/* And numbers and booleans for texts, as all of them are texts in a form. */
	JUDGE_FORM = 2,
	/* A parameter may be a text that holds the JSON of an array or object. */
	JUDGE_JSON_IN_TEXT = 4,
	/* Objects among the parameters are parts of a multipart body. */
	JUDGE_PARTS = 8,
	/* Limits are judged, too. */
	JUDGE_LIMITS = 16,
	/* An empty text counts as missing. */
	JUDGE_EMPTY_IS_MISSING = 32,
	/* For what is no request: null is a value like others, and nothing is changed. Else null may stand
	 * for any member, as if it were absent, and is removed; so is an element whose type has null. A
	 * parameter whose type has null keeps it. */
	JUDGE_STRICT = 64,
	/* Nothing stands for a boolean inside of an object. */
	JUDGE_BOOLS = 128
};

#define JUDGE_DEPTH 32

struct judge {
	unsigned rules;
	/* m: the member, NULL for an element or the whole; t: its type, or the alternative that comes
	 * closest; v may be NULL. judge_place says where it is. */
	void (*fault)(struct judge *j, enum judge_fault fault, const struct spec_member *m,
	    const struct spec_type *t, struct json_object *v);
	/* Judges what the tables cannot say of an object, once its members are right. NULL: nothing. */
	void (*object)(struct judge *j, const struct spec_record *r, struct json_object *o);
	size_t faults;
	bool trial; /* faults are counted alone, and nothing is converted */
	/* The place: names of members (index is 0), and indexes of elements (name is NULL). */
	struct {
		const char *name;
		size_t index;
	} place[JUDGE_DEPTH];
	size_t depth;
};

/* Judges the members of an object, or the parameters of a method. Returns the number of faults that it found.
 */
size_t judge_members(struct judge *j, const struct spec_record *r, struct json_object *o);
/* Judges a value. Returns it in its type, for the caller to put; NULL when it is of another type. */
struct json_object *judge_value(
    struct judge *j, const struct spec_member *m, const struct spec_type *t, struct json_object *v);

/* Is it what a client sends that means nothing by it: null, false, 0, or an empty text, array or object? */
bool judge_is_nothing(struct json_object *v);

void judge_enter(struct judge *j, const char *name, size_t index);
void judge_leave(struct judge *j);
/* Appends the place as a JSON pointer. */
void judge_place(const struct judge *j, struct buf *out);
/* Appends the types as a phrase: "an integer or a string". */
void judge_type_name(const struct spec_type *t, struct buf *out);
/* Appends a fault as a sentence, for which a platform has no words of its own. */
void judge_sentence(
    const struct judge *j, enum judge_fault fault, const struct spec_type *t, struct buf *out);

#endif
