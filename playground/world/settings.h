#ifndef PLAYGROUND_WORLD_SETTINGS_H
#define PLAYGROUND_WORLD_SETTINGS_H
/* The settings of a platform (POST /control/settings): fields of a struct, as rows. */
#include <stddef.h>
#include <stdint.h>

struct error;
struct json_object;

enum setting_type { SETTING_BOOL, SETTING_NUMBER, SETTING_TEXT };

struct setting {
	const char *name; /* NULL ends the rows */
	enum setting_type type;
	size_t at;        /* of a bool, int64_t or char array in the struct */
	int64_t min, max; /* of a number; of a text max is the size of its array */
};

/* Sets the field that is named. Returns -1 with err, too, when no row has that name. */
int setting_set(
    const struct setting *rows, void *fields, const char *name, struct json_object *value, struct error *err);
/* Sets all that in names, or none. size: of the struct, which is copied. */
int settings_set(
    const struct setting *rows, void *fields, size_t size, struct json_object *in, struct error *err);
/* Writes all of them. */
void settings_write(const struct setting *rows, const void *fields, struct json_object *out);

#endif
