#ifndef STORE_DEAD_H
#define STORE_DEAD_H
/* Turns that were given up because the process did not survive them. */
struct db;
struct error;
struct json_object;

/* As store_dead says; NULL with err set. */
struct json_object *dead_list(struct db *db, struct error *err);

#endif
