#ifndef PLAYGROUND_MODEL_PARAMS_H
#define PLAYGROUND_MODEL_PARAMS_H
/* Validates request parameters by a table, with the error texts of OpenAI's API. */
#include <stddef.h>

struct json_object;
struct refusal;

enum param_type { TYPE_ANY, TYPE_ARRAY, TYPE_BOOL, TYPE_INT, TYPE_NUMBER, TYPE_OBJECT, TYPE_STRING };

struct model_param {
	const char *name;
	enum param_type type;
	double min, max; /* of numbers; equal: no limits */
};

/* Returns -1 with the refusal for a parameter that is unknown or has a wrong type or size. */
int model_params_check(
    struct json_object *request, const struct model_param *params, size_t count, struct refusal *r);

#endif
