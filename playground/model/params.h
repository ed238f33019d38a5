#ifndef PLAYGROUND_MODEL_PARAMS_H
#define PLAYGROUND_MODEL_PARAMS_H
/* The parameters of a request as a table, judged in the words of OpenAI's API. */
#include <stddef.h>

struct json_object;
struct refusal;

enum param_type { TYPE_ANY, TYPE_ARRAY, TYPE_BOOL, TYPE_INT, TYPE_NUMBER, TYPE_OBJECT, TYPE_STRING };

struct model_param {
	const char *name;
	enum param_type type;
	double min, max; /* of numbers; equal: not limited */
};

/* 0, or -1 with the refusal: a parameter that is not in the table, or of the wrong type or size. */
int model_params_check(
    struct json_object *request, const struct model_param *params, size_t count, struct refusal *r);

#endif
