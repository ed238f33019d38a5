#ifndef OPS_DOCTOR_H
#define OPS_DOCTOR_H
/* Checks what often goes wrong and gives advice. Results are new lists of diagnoses. */
struct gateway;
struct gateway_config;
struct json_object;
struct task;

/* Checks the running gateway. Suspends. */
struct json_object *doctor_check(struct task *t, struct gateway *g);
/* Checks a gateway that is not running, by the files that it would use, including the whole database;
 * blocks. */
void doctor_check_offline(struct json_object *list, const struct gateway_config *gc);
/* The checks that both share. */
/* The state folder: does it exist, and can others read it? */
void doctor_add_state(struct json_object *list, const char *dir);
void doctor_add_versions(struct json_object *list);
/* newest_ms: the time of the newest message, which the clock should not be before. */
void doctor_add_clock(struct json_object *list, long long newest_ms);
/* Settings of a database server by which it may lose commits, as store_risk says them. */
void doctor_add_risk(struct json_object *list, const char *risk);

#endif
