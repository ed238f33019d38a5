#ifndef PLAYGROUND_MODEL_SCRIPT_SCRIPT_INTERNAL_H
#define PLAYGROUND_MODEL_SCRIPT_SCRIPT_INTERNAL_H
/* A parsed script, for script.c and script_play.c. */
#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_object;

struct recall {
	const char *name; /* borrowed from the JSON */
	regex_t re;
};

struct rule {
	struct json_object *json, *steps;
	regex_t when;
	bool has_when; /* false: always matches */
	struct recall *recalls;
	size_t recall_count;
	int64_t failed; /* requests in a row that got the error of a step with "times" */
};

struct script {
	struct json_object *json;
	struct rule *rules; /* the last one is "else" */
	size_t rule_count;
	regex_t skip; /* prefix of user messages to ignore */
	bool has_skip;
};

#endif
