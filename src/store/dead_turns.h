#ifndef STORE_DEAD_TURNS_H
#define STORE_DEAD_TURNS_H
/* Turns that were given up because the process did not survive them. */
struct db;
struct error;
struct json_object;

/* As store_dead_turns says; NULL with err set. */
struct json_object *dead_turns_list(struct db *db, struct error *err);

#endif
