#ifndef PLAYGROUND_DISCORD_HTTP_SHAPE_H
#define PLAYGROUND_DISCORD_HTTP_SHAPE_H
/*
 * What a request's body, its query or a gateway payload may look like: const rows, and the tree of errors
 * that Discord answers with (code 50035, "Invalid Form Body") where it looks otherwise. Members that no row
 * names are refused here; the platform passes over them without a word.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

enum cord_type {
	CORD_ANY,
	CORD_BOOL,
	CORD_ID,     /* a snowflake */
	CORD_INT,    /* min to max, where max is not 0 */
	CORD_LIST,   /* of objects of shape, or of values of type each; min to max of them */
	CORD_MAP,    /* an object with any members */
	CORD_NUMBER, /* min to max, where max is not 0 */
	CORD_OBJECT, /* of shape */
	CORD_STRING, /* of min to max characters, where max is not 0 */
	CORD_TIME,   /* ISO 8601 */
	CORD_URL     /* http or https, or attachment://; at most max characters */
};

enum cord_field_flag {
	CORD_REQUIRED = 1,
	CORD_NOT_SIMULATED = 2, /* known, but giving it is refused here */
	CORD_STRINGY = 4,       /* a string, or an integer: kept as it is */
	CORD_PASSED_OVER = 8    /* of another endpoint: clients send it here, too, and it means nothing */
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
	const char *name; /* as Discord's OpenAPI description calls it */
	const struct cord_field *fields;
	size_t count;
	bool loose; /* clients send whole objects of their own: unknown members are passed over */
	/* What rows cannot say; may be NULL. o is of the right types by then. */
	void (*check)(struct json_object *o, struct cord_errors *e);
};

/* The errors so far, and the place that is looked at. */
#define CORD_PATH_MAX 24
struct cord_errors {
	struct json_object *tree; /* NULL while there is none */
	char path[CORD_PATH_MAX][40];
	size_t depth, count;
};

/* Checks o and brings its values to their types: numbers in strings become numbers. Nulls stay. */
void cord_shape_check(const struct cord_shape *shape, struct json_object *o, struct cord_errors *e);
/* The same for a list as the whole body. */
void cord_shape_check_list(
    const struct cord_shape *shape, struct json_object *array, size_t max, struct cord_errors *e);

void cord_errors_enter(struct cord_errors *e, const char *key);
void cord_errors_enter_index(struct cord_errors *e, size_t index);
void cord_errors_leave(struct cord_errors *e);
/* At the present place, or at its member key unless that is NULL. */
__attribute__((format(printf, 4, 5))) void cord_errors_add(
    struct cord_errors *e, const char *key, const char *code, const char *fmt, ...);
void cord_errors_clear(struct cord_errors *e);

const struct cord_field *cord_shape_field(const struct cord_shape *shape, const char *name);

#endif
