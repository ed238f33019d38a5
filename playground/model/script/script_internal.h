#ifndef PLAYGROUND_MODEL_SCRIPT_SCRIPT_INTERNAL_H
#define PLAYGROUND_MODEL_SCRIPT_SCRIPT_INTERNAL_H
/* A script after reading, for script.c and script_play.c. */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>

struct json_object;

struct recall {
	const char *name; /* borrowed from the JSON */
	regex_t re;
};

struct rule {
	struct json_object *json, *steps;
	regex_t when;
	bool has_when; /* without: fits always */
	struct recall *recalls;
	size_t recall_count;
};

struct script {
	struct json_object *json;
	struct rule *rules; /* the last is "else" */
	size_t rule_count;
	regex_t skip; /* at the beginning of what people say: not part of it */
	bool has_skip;
};

#endif
