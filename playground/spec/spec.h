#ifndef PLAYGROUND_SPEC_SPEC_H
#define PLAYGROUND_SPEC_SPEC_H
/*
 * What a platform publishes of its methods and types, read from the tables in the tree (*.table).
 *
 * A record is a line, and those that are indented below it:
 *
 *   method NAME [WORD...] [# what of it is simulated]     a word is a flag, or KEY=VALUE
 *   object NAME [like=OBJECT]                             has members, and those of the other that it has not
 *   type NAME TYPE                                        another name for a type
 *
 *   <tab>NAME TYPE [FLAG...] ["WORDS"] [# NOTE]           a parameter, or a member
 *
 *   <tab>! ERROR...                                       documented for the method; +ERROR is not
 *
 * like= of a method: it has the members of that object, too. simulated: it has a function; methods.awk says
 * which, and what the words by=, needs=, place= and waits are.
 *
 * TYPE is alternatives between |, each of which is one of: any, bool, bytes, file, id, int, null, number,
 * string, time, true, url, "text", 42, the NAME of an object or type, [TYPE] (an array), {TYPE} (any members
 * of that type). Limits follow: string(1..100) in characters, bytes(..64), int(0..9), [TYPE](..10),
 * {TYPE}(..3).
 *
 * WORDS are the platform's error for a value that is missing or wrong. Flags of a member: required,
 * may_be_empty (required, but "" will do), left_out (not simulated: refused), no_effect (not simulated, but
 * accepted), legacy (the platform still reads it),
 * extra (not in what the platform publishes), differs (here other than published), refused (an error: of
 * requests that are invalid, whatever the state).
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;

enum spec_kind {
	SPEC_ANY,
	SPEC_BOOL,
	SPEC_BYTES, /* a string with a limit in bytes */
	SPEC_FILE,  /* a part of a multipart body */
	SPEC_ID,    /* a snowflake */
	SPEC_INT,
	SPEC_LIST,
	SPEC_LITERAL, /* this string or number alone */
	SPEC_MAP,
	SPEC_NAMED, /* see record */
	SPEC_NULL,
	SPEC_NUMBER,
	SPEC_STRING,
	SPEC_TIME,
	SPEC_TRUE,
	SPEC_URL
};

/* One alternative of a type. */
struct spec_type {
	enum spec_kind kind;
	bool has_min, has_max;
	int64_t min, max;
	const char *text; /* of a literal string; NULL: it is the number */
	int64_t number;
	const struct spec_record *record; /* an object or a type */
	const struct spec_type *of;       /* elements of a list or map */
	const struct spec_type *next;     /* the next alternative */
};

enum spec_flag {
	SPEC_REQUIRED = 1,
	SPEC_MAY_BE_EMPTY = 2,
	SPEC_LEFT_OUT = 4,
	SPEC_LEGACY = 8,
	SPEC_EXTRA = 16,
	SPEC_NO_EFFECT = 64,
	SPEC_DIFFERS = 32,
	SPEC_REFUSED = 128
};

struct spec_member {
	const char *name;
	const struct spec_type *type;
	unsigned flags;
	const char *error_text; /* the platform's error for a bad value, or NULL */
};

struct spec_record {
	const char *name;
	const char *note;                       /* NULL: none */
	const struct spec_type *type;           /* of a type; else NULL */
	const struct spec_type *body, *returns; /* of a method: the words body= and returns=; NULL: none */
	const char *const *words;               /* of a method; NULL ends them */
	const char *const *errors;              /* likewise */
	const struct spec_member *members;      /* in the order of the table */
	const struct spec_member **by_name;
	size_t count;
	unsigned chain;   /* of a type: how many names it leads through */
	const char *like; /* an object; NULL: like no other */
};

struct spec;

struct spec_text {
	const char *name, *text;
};

/* Reads tables; a row of NULLs ends the list. Returns NULL with err set to a sentence that names file and
 * line. */
struct spec *spec_read(const struct spec_text *texts, struct error *err);
void spec_free(struct spec *s);
/* The tables of a platform that are built in; they stay. */
const struct spec *spec_of(const char *platform);

/* Methods are found in any case; NULL: there is none. */
const struct spec_record *spec_method(const struct spec *s, const char *name);
const struct spec_record *spec_type(const struct spec *s, const char *name);
/* All methods, by name. */
const struct spec_record *const *spec_methods(const struct spec *s, size_t *count);

const struct spec_member *spec_member(const struct spec_record *r, const char *name);
bool spec_has(const struct spec_record *method, const char *flag);
/* The VALUE of KEY, or NULL. */
const char *spec_value(const struct spec_record *method, const char *key);
/* Is this error documented for the method? */
bool spec_has_error(const struct spec_record *method, const char *error);

/* Adds the required members that an object lacks, with empty values: null where it is allowed, 0, "", [].
 * Does the same to the objects in it. */
void spec_fill(const struct spec_record *r, struct json_object *o);

#endif
