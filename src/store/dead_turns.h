#ifndef STORE_DEAD_TURNS_H
#define STORE_DEAD_TURNS_H
/* Dead turns: given up because the process crashed in them repeatedly. */
struct db;
struct error;
struct json_object;

/* Returns the result of store_dead_turns; NULL with err set on failure. */
struct json_object *dead_turns_list(struct db *db, struct error *err);

#endif
