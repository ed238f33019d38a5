#ifndef PLAYGROUND_MODEL_SCRIPT_CHECK_H
#define PLAYGROUND_MODEL_SCRIPT_CHECK_H
/* Validates the JSON of a script. Unknown members are errors. */
struct error;
struct json_object;

int script_check(struct json_object *script, struct error *err);

#endif
