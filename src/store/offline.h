#ifndef STORE_OFFLINE_H
#define STORE_OFFLINE_H
/*
 * The database of a gateway that does not run, read by another command. Nothing in it is changed; no gateway
 * can start meanwhile. These calls block.
 */
#include <stdint.h>

struct db;
struct error;
struct json_object;

typedef int offline_fn(struct db *db, void *arg, struct error *err);

/* ERROR_OURS when there is none, a gateway runs, or it is of another version than this program. */
int offline_read(const char *dir, offline_fn *fn, void *arg, struct error *err);

/* As store_trace and store_dead_turns. */
int offline_trace(const char *dir, const char *what, struct json_object **out, struct error *err);
int offline_dead_turns(const char *dir, struct json_object **out, struct error *err);
/* As store_backup. */
int offline_backup(const char *dir, const char *file, struct error *err);

#endif
