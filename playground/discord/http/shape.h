#ifndef PLAYGROUND_DISCORD_HTTP_SHAPE_H
#define PLAYGROUND_DISCORD_HTTP_SHAPE_H
/*
 * Const rows that describe request bodies, queries and gateway payloads, and the error tree that Discord
 * returns for an invalid one (code 50035, "Invalid Form Body"). Unknown members are refused here, though
 * Discord ignores them.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

enum cord_type {
	CORD_ANY,
	CORD_BOOL,
	CORD_ID,     /* a snowflake */
	CORD_INT,    /* from min to max, unless max is 0 */
	CORD_LIST,   /* min to max objects of shape, or values of type each */
	CORD_MAP,    /* an object with any members */
	CORD_NUMBER, /* from min to max, unless max is 0 */
	CORD_OBJECT, /* of shape */
	CORD_STRING, /* min to max characters, unless max is 0 */
	CORD_TIME,   /* ISO 8601 */
	CORD_URL     /* http, https or attachment://; at most max characters */
};

enum cord_field_flag {
	CORD_REQUIRED = 1,
	CORD_NOT_SIMULATED = 2, /* known but not simulated: refused */
	CORD_STRINGY = 4,       /* a string or an integer, kept as given */
	CORD_PASSED_OVER = 8    /* belongs to another endpoint; clients send it here as well, it is ignored */
};

struct cord_errors;
struct cord_shape;

struct cord_field {
	const char *name;
	enum cord_type type;
	unsigned flags;
	int64_t min, max;
	const struct cord_shape *shape;
	enum cord_type each;
};

struct cord_shape {
	const char *name; /* as in Discord's OpenAPI description */
	const struct cord_field *fields;
	size_t count;
	bool loose; /* clients send complete objects: unknown members are ignored */
	/* Checks what rows cannot express; may be NULL. The members of o have the right types. */
	void (*check)(struct json_object *o, struct cord_errors *e);
};

/* The errors so far, and the current path. */
#define CORD_PATH_MAX 24
struct cord_errors {
	struct json_object *tree; /* NULL: no errors */
	char path[CORD_PATH_MAX][40];
	size_t depth, count;
};

/* Checks o and converts its values: numeric strings become numbers. Nulls stay. */
void cord_shape_check(const struct cord_shape *shape, struct json_object *o, struct cord_errors *e);
/* The same for a body that is a list. */
void cord_shape_check_list(
    const struct cord_shape *shape, struct json_object *array, size_t max, struct cord_errors *e);

void cord_errors_enter(struct cord_errors *e, const char *key);
void cord_errors_enter_index(struct cord_errors *e, size_t index);
void cord_errors_leave(struct cord_errors *e);
/* Adds an error at the current path, or at its member key if that is not NULL. */
__attribute__((format(printf, 4, 5))) void cord_errors_add(
    struct cord_errors *e, const char *key, const char *code, const char *fmt, ...);
void cord_errors_clear(struct cord_errors *e);

const struct cord_field *cord_shape_field(const struct cord_shape *shape, const char *name);

#endif
