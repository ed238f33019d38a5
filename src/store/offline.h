#ifndef STORE_OFFLINE_H
#define STORE_OFFLINE_H
/*
 * Access to the database of a gateway that is not running, for commands; read-only but for offline_compact.
 * No gateway can start meanwhile. These calls block.
 */
#include <stdint.h>

struct db;
struct error;
struct json_object;

typedef int offline_fn(struct db *db, void *arg, struct error *err);

/* ERROR_OURS when there is no database, a gateway runs, or its version differs from this program's. */
int offline_read(const char *dir, offline_fn *fn, void *arg, struct error *err);

/* Like store_trace and store_dead_turns. */
int offline_trace(const char *dir, const char *what, struct json_object **out, struct error *err);
int offline_dead_turns(const char *dir, struct json_object **out, struct error *err);
/* Copies the database into a new file without free pages, in its place; out gets the sizes. Needs twice its
 * size on the disk meanwhile. */
struct offline_sizes {
	int64_t before, after;
};
int offline_compact(const char *dir, struct offline_sizes *out, struct error *err);
/* Like store_backup. */
int offline_backup(const char *dir, const char *file, struct error *err);

#endif
