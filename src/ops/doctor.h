#ifndef OPS_DOCTOR_H
#define OPS_DOCTOR_H
/* Looks at everything that can be wrong, and says what to do about it. Lists of findings, new. */
struct gateway;
struct gateway_config;
struct json_object;
struct task;

/* Of the running gateway. */
struct json_object *doctor_check(struct task *t, struct gateway *g);
/* Of one that does not run, by the files that it would use; blocks. Checks the whole database. */
void doctor_check_offline(struct json_object *list, const struct gateway_config *gc);
/* What both look at. */
void doctor_add_versions(struct json_object *list);
void doctor_add_clock(struct json_object *list, long long newest_ms);

#endif
