#ifndef PLAYGROUND_DISCORD_HTTP_ERRORS_H
#define PLAYGROUND_DISCORD_HTTP_ERRORS_H
/* Judges request bodies, queries and gateway payloads by the tables, and keeps the error tree that Discord
 * returns for an invalid one (code 50035, "Invalid Form Body"). What Discord ignores is a remark.
 *
 * Undocumented: the codes and words in that tree, but for examples; these are what clients have logged. Also
 * that lengths count code points: discord/discord-api-docs#1315. */
#include "playground/spec/judge.h"

struct exchange;

struct cord_errors {                 /* zero-initialised */
	struct judge judge;          /* its place is where errors are added */
	struct json_object *tree;    /* NULL: no errors */
	struct json_object *remarks; /* texts; NULL: none */
	bool parts;                  /* what is judged are parts of a multipart body */
};

/* Judges a value and converts it to its types: numeric strings become numbers. Nulls stay. */
void cord_judge(struct cord_errors *e, const struct spec_type *t, struct json_object *v);
/* The same for the members of an object, or for a query. */
void cord_judge_members(struct cord_errors *e, const struct spec_record *r, struct json_object *o);
/* Adds the remarks to the request's record. */
void cord_errors_remark(struct cord_errors *e, struct exchange *ex);

void cord_errors_enter(struct cord_errors *e, const char *key);
void cord_errors_enter_index(struct cord_errors *e, size_t index);
void cord_errors_leave(struct cord_errors *e);
/* Adds an error at the current path, or at its member key if that is not NULL. */
__attribute__((format(printf, 4, 5))) void cord_errors_add(
    struct cord_errors *e, const char *key, const char *code, const char *fmt, ...);
void cord_errors_clear(struct cord_errors *e);

/* Runs the checks that the tables cannot express, on an object whose members are valid. */
void cord_check_object(struct judge *j, const struct spec_record *r, struct json_object *o);

#endif
